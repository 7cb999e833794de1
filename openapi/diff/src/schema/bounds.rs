//! Bounds: compares the minimum and maximum of numbers.

use super::fact::Words;
use super::flat::Bound;
use super::pair::Comparing;
use super::types::Types;

/// Compares bounds of numbers, unless the values are listed.
pub(super) fn compare(pair: &mut Comparing<'_, '_>) {
    let listed = pair.base.values.is_some() || pair.revision.values.is_some();
    if listed || !pair.base.types.and(pair.revision.types).has(Types::NUMBER) {
        return;
    }
    let lower = (pair.base.lower.clone(), pair.revision.lower.clone());
    compare_side(pair, lower.0.as_ref(), lower.1.as_ref(), true);
    let upper = (pair.base.upper.clone(), pair.revision.upper.clone());
    compare_side(pair, upper.0.as_ref(), upper.1.as_ref(), false);
}

fn compare_side<'d>(
    pair: &mut Comparing<'_, 'd>,
    old: Option<&Bound<'d>>,
    new: Option<&Bound<'d>>,
    is_lower: bool,
) {
    let (exclusive, action) = match (old, new) {
        (None, None) => return,
        (None, Some(new)) => (new.exclusive, "set"),
        (Some(old), None) => (old.exclusive, "unset"),
        (Some(old), Some(new)) => match moved(old, new, is_lower) {
            Some(moved) => moved,
            None => return,
        },
    };
    let word = match (is_lower, exclusive) {
        (true, false) => "min",
        (true, true) => "exclusive-min",
        (false, false) => "max",
        (false, true) => "exclusive-max",
    };
    let turned = old.is_some_and(|old| old.exclusive) != new.is_some_and(|new| new.exclusive);
    let node = |bound: &Bound<'d>| bound.flag.filter(|_| turned).unwrap_or(bound.node);
    let nodes = (old.map(node), new.map(node));
    let shown = |bound: Option<&Bound<'_>>| {
        let sign = match (is_lower, bound.is_some_and(|bound| bound.exclusive)) {
            (true, false) => "≥",
            (true, true) => ">",
            (false, false) => "≤",
            (false, true) => "<",
        };
        bound.map_or("any".to_owned(), |bound| format!("{sign} {}", bound.limit))
    };
    let (from, to) = (shown(old), shown(new));
    let phrase = match action {
        "set" => format!("must be {to}"),
        "unset" => format!("no longer has to be {from}"),
        _ => format!("must be {to} instead of {from}"),
    };
    pair.fact(
        Words::Two(word, action),
        nodes,
        format!("{from} → {to}"),
        phrase,
    );
}

/// The change of a bound that exists on both sides: whether the exclusive keyword changed, and the
/// action.
fn moved(old: &Bound<'_>, new: &Bound<'_>, is_lower: bool) -> Option<(bool, &'static str)> {
    let inclusive = |bound: &Bound<'_>| {
        bound
            .whole
            .clone()
            .or_else(|| (!bound.exclusive).then(|| bound.limit.clone()))
    };
    if let (Some(old), Some(new)) = (inclusive(old), inclusive(new))
        && old == new
    {
        return None;
    }
    let action = |up: bool| if up { "increased" } else { "decreased" };
    let up = new.limit > old.limit;
    match (old.exclusive, new.exclusive) {
        (false, true) if old.limit == new.limit || up == is_lower => Some((true, "set")),
        (true, false) if old.limit == new.limit || up != is_lower => Some((true, "unset")),
        _ if old.limit == new.limit => None,
        _ => Some((new.exclusive && old.exclusive, action(up))),
    }
}
