//! Left: what a request with a value is said to leave of the record that it takes from: "a capture with `final: true` is the
//! last one: `payment.capturable` becomes 0".

use openapi_document::{Node, Pointer, Value};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, names, prose};
use crate::shape::Shape;
use crate::value;

use super::amount::{self, Amount};
use super::lifted;
use super::taking::{Taking, differ, source, take, taking};
use crate::laws::trial::answered::{status, succeeded};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};

/// What a sentence says: with which value, and what comes of it.
#[derive(Debug, PartialEq, Eq)]
struct Rest<'s> {
    name: &'s str,
    value: &'s str,
    all: Vec<Outcome<'s>>,
}

/// What comes of a request with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome<'s> {
    /// A property becomes so much.
    Becomes(&'s str, i128),
    /// What is left is added to a property.
    Added(&'s str),
    /// What is called so is in a state.
    State(&'s str, &'s str),
}

/// Takes a little with each such value.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let shape = Shape::of(world.model.document, call.body.as_ref());
    let names = shape.property_names();
    let said = call.texts().flat_map(prose::sentences).filter_map(rest);
    let said: Vec<Rest<'d>> = said.filter(|own| names.contains(&own.name)).collect();
    for (index, rest) in said.iter().enumerate() {
        let tag = format!("sums-left-{index}");
        let ready = world.ready(call, &tag).await.ok()?;
        let taking = taking(world, call, &ready).await?;
        let before = source(world, &taking).await?;
        let mut sent = world.compose(&ready, &tag).ok()?;
        let mut json = sent.json.clone()?;
        let part = taking.whole.with(taking.whole.units / 3 + 1);
        amount::put(&mut json, taking.property, part).ok()?;
        let own = match rest.value {
            "true" => value::node(Value::Bool(true)),
            "false" => value::node(Value::Bool(false)),
            text => value::string(text),
        };
        value::put(&mut json, &Pointer::root().join(rest.name), own).ok()?;
        world.put_valid(call, (&mut sent, &ready.call), json)?;
        let taken = world.send(sent).await;
        if !succeeded(&taken) || status(&taken) == Some(202) {
            continue;
        }
        let after = source(world, &taking).await?;
        if world.model.is_moving(&after) {
            continue;
        }
        for outcome in &rest.all {
            let records = (&before, &after, part);
            came(
                world,
                (call, &taking, rest),
                (*outcome, records),
                &taken,
                draft,
            );
        }
        let is_nothing = |own: &Outcome<'_>| matches!(own, Outcome::Becomes(_, 0));
        if draft.is_clean() && rest.all.iter().any(is_nothing) {
            more(world, call, (&ready, &taking, rest), draft).await;
        }
    }
    Some(())
}

/// Holds the record against what is said to come of the request.
fn came<'d>(
    world: &World<'_, '_, '_, 'd>,
    (call, taking, rest): (&Call<'d>, &Taking<'_, 'd>, &Rest<'_>),
    (outcome, (before, after, part)): (Outcome<'_>, (&Node, &Node, Amount)),
    taken: &Exchange,
    draft: &mut Draft,
) -> Option<()> {
    let amount = |record: &Node, name: &str| record.get(name).and_then(Amount::read);
    let (check, name, due) = match outcome {
        Outcome::Becomes(name, units) => {
            let now = amount(after, name)?;
            (now.units != units).then(|| (&checks::SUM_DIFFERS, name, units.to_string()))
        }
        Outcome::Added(name) => {
            let left = taking.whole.units - part.units;
            let (was, now) = (amount(before, name)?, amount(after, name)?);
            let is_wrong = now.units - was.units != left && !taking.is_of_item;
            let due = value::plain(&was.with(was.units + left).node());
            is_wrong.then_some((&checks::SUM_DIFFERS, name, due))
        }
        Outcome::State(noun, state) => {
            let document = world.model.document;
            let kind = names::words(&taking.maker.record()?.name).pop()?;
            (noun == "it" || kind == noun.to_lowercase()).then_some(())?;
            let shape = Shape::of(document, taking.maker.record().map(|own| &own.schema));
            let is_it = |own: &&str| {
                let known = shape.property(document, own).known_values();
                names::tells_state(own) && known.contains(&state)
            };
            let name = shape.property_names().into_iter().find(is_it)?;
            let now = after.get(name)?.as_str()?;
            (now != state).then(|| (&checks::EFFECT_DIFFERS, name, format!("{state:?}")))
        }
    }?;
    let at = lifted::at(name);
    let expected = format!("{due} with `{}: {}`, as is said", rest.name, rest.value);
    let told = world.shown(taking.maker, &at, after.get(name));
    let claim = Claim::new(check, Ground::Text, expected, told).at(at);
    world.differ(draft, call, claim, taken);
    Some(())
}

/// Of nothing that is left nothing more is taken.
async fn more<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, taking, rest): (&Ready<'_, 'd>, &Taking<'_, 'd>, &Rest<'_>),
    draft: &mut Draft,
) -> Option<()> {
    let part = (taking.whole.with(1), "more");
    let more = take(world, ready, taking, part).await.ok()?;
    if succeeded(&more) {
        let what = format!("more after `{}: {}`", rest.name, rest.value);
        differ(world, call, taking, (what, draft), &more);
    }
    Some(())
}

/// What a sentence says that marks a property with its value, and what comes of it.
fn rest(sentence: &str) -> Option<Rest<'_>> {
    let parts: Vec<&str> = sentence.split('`').collect();
    let mut marked = (1..parts.len()).step_by(2);
    let (name, value) = marked.find_map(|at| {
        let (name, value) = parts[at].split_once(": ")?;
        let before = parts[at - 1].trim_end().to_lowercase();
        before.ends_with("with").then_some((name, value))
    })?;
    let outcomes = marked.filter_map(|at| outcome(sentence, &parts, at));
    let all: Vec<Outcome<'_>> = outcomes.collect();
    (!all.is_empty()).then_some(Rest { name, value, all })
}

/// What a sentence says of one of its marks.
fn outcome<'s>(sentence: &str, parts: &[&'s str], at: usize) -> Option<Outcome<'s>> {
    const LEFT: [&str; 3] = ["what is left", "the remainder", "the rest"];
    const OPEN: [&str; 11] = [
        "may",
        "might",
        "if",
        "unless",
        "not",
        "never",
        "when",
        "until",
        "otherwise",
        "without",
        "except",
    ];
    let after = parts.get(at + 1)?.trim_start();
    let mut verbs = ["becomes ", "is "].into_iter();
    let number = verbs.find_map(|own| after.strip_prefix(own));
    let number = number.and_then(|own| own.split(|own: char| !own.is_ascii_digit()).next());
    if let Some(units) = number.and_then(|own| own.parse().ok()) {
        return Some(Outcome::Becomes(parts[at], units));
    }
    let words = prose::unmarked(sentence);
    if prose::has(&words, &OPEN) || parts[at].contains([':', ' ']) {
        return None;
    }
    let before = parts[at - 1].split_whitespace().collect::<Vec<_>>();
    let joined = words.join(" ");
    match before[..] {
        [.., "added" | "(added", "to"] => {
            let is_left = LEFT.iter().any(|own| joined.contains(own));
            is_left.then_some(Outcome::Added(parts[at]))
        }
        [.., noun, "is" | "becomes"] => {
            let ends = after.is_empty() || after.starts_with(['.', ',', ';', ':', '(', ')']);
            ends.then_some(Outcome::State(noun, parts[at]))
        }
        _ => None,
    }
}

/// Whether an operation says such a thing.
pub(super) fn is_said(call: &Call<'_>) -> bool {
    let mut said = call.texts().flat_map(prose::sentences);
    said.any(|own| rest(own).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_with_a_value() {
        let text = "A capture with `final: true` is the last one: what is left is released, and `payment.capturable` becomes 0";
        let found = rest(text).map(|own| (own.name, own.value, own.all));
        let nothing = vec![Outcome::Becomes("payment.capturable", 0)];
        assert_eq!(found, Some(("final", "true", nothing)));
        let text = "With `final: true` what is left is released (added to `released`), and the payment is `captured`";
        let found = rest(text).map(|own| (own.name, own.value, own.all));
        let all = vec![
            Outcome::Added("released"),
            Outcome::State("payment", "captured"),
        ];
        assert_eq!(found, Some(("final", "true", all)));
        for text in [
            "A capture with `final: true` is the last one",
            "`payment.capturable` becomes 0",
            "Without `final: true`, `payment.capturable` becomes less",
            "With `final: true` the payment may become `captured`",
            "With `final: true` the payment is `captured` if nothing is left",
            "With `final: true` the fee is added to `released`",
            "With `final: true` it is `captured` by the bank",
        ] {
            assert_eq!(rest(text), None, "{text}");
        }
    }
}
