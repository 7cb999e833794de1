//! Applied: compares the applicators of two schemas.

use super::applicators::{Applicator, Form, KEYWORDS, Keyword, dependents};
use super::digest::DEPTH;
use super::fact::{Edge, Step, Words};
use super::flat::{Flat, Size};
use super::pair::Comparing;
use super::scalars;
use crate::number::Number;
use crate::side::Mark;
use openapi_document::node::Node;

/// Compares the applicators of each kind.
pub(super) fn compare<'d>(pair: &mut Comparing<'_, 'd>) {
    let common = pair.base.types.and(pair.revision.types);
    for keyword in KEYWORDS.iter().filter(|keyword| common.has(keyword.of)) {
        let matching = |flat: &Flat<'d>| -> Vec<Applicator<'d>> {
            let all = flat.applicators.iter();
            all.filter(|one| one.keyword.name == keyword.name)
                .copied()
                .collect()
        };
        let (mut old, mut new) = (matching(&pair.base), matching(&pair.revision));
        cancel(pair, &mut old, &mut new);
        for index in 0..old.len().max(new.len()) {
            match (old.get(index), new.get(index)) {
                (Some(from), Some(to)) => compare_both(pair, from, to),
                (None, Some(to)) => exists(pair, keyword, to, true),
                (Some(from), None) => exists(pair, keyword, from, false),
                (None, None) => {}
            }
        }
    }
}

/// Removes applicators that are equal on both sides.
fn cancel<'d>(
    pair: &mut Comparing<'_, 'd>,
    old: &mut Vec<Applicator<'d>>,
    new: &mut Vec<Applicator<'d>>,
) {
    let pairs = &mut *pair.pairs;
    let mut prints: Vec<String> = Vec::new();
    for one in &*new {
        prints.push(pairs.revision.print(one, DEPTH));
    }
    old.retain(|one| {
        let print = pairs.base.print(one, DEPTH);
        let Some(place) = prints.iter().position(|other| *other == print) else {
            return true;
        };
        prints.remove(place);
        new.remove(place);
        false
    });
}

/// Records a one-sided keyword.
fn exists<'d>(pair: &mut Comparing<'_, 'd>, keyword: &Keyword, one: &Applicator<'d>, added: bool) {
    if let Form::Map { .. } = keyword.form {
        for entry in one.value.entries() {
            entry_exists(pair, one, &entry.key, &entry.value, added);
        }
        return;
    }
    let nodes = sides(added, one.value);
    let phrase = format!("{} `{}`", got(added), keyword.name);
    if matches!(keyword.form, Form::Meaning | Form::Unknown) {
        let word = Words::Two(keyword.word, "changed");
        return pair.fact(word, nodes, keyword.name, phrase);
    }
    pair.fact(Words::Two(keyword.word, action(added)), nodes, "", phrase);
}

/// Records a one-sided pattern or dependency. If other properties are forbidden, a new pattern
/// allows more values.
fn entry_exists<'d>(
    pair: &mut Comparing<'_, 'd>,
    one: &Applicator<'d>,
    key: &str,
    node: &'d Node,
    added: bool,
) {
    let nodes = sides(added, node);
    let Keyword {
        name, word, form, ..
    } = *one.keyword;
    let is_closed = pair.base.closed().is_some() && pair.revision.closed().is_some();
    let (word, phrase) = match (form, added) {
        (Form::Map { inside: true }, true) if is_closed => (
            Words::One("additional-properties-opened"),
            format!("may have properties whose names match `{key}`"),
        ),
        (Form::Map { inside: true }, false) if is_closed => (
            Words::One("additional-properties-closed"),
            format!("must not have properties whose names match `{key}`"),
        ),
        _ => (
            Words::Two(word, action(added)),
            format!("{} `{name}` for `{key}`", got(added)),
        ),
    };
    pair.fact(word, nodes, key, phrase);
}

fn action(added: bool) -> &'static str {
    if added { "added" } else { "removed" }
}

fn got(added: bool) -> &'static str {
    if added { "got" } else { "lost" }
}

fn sides(added: bool, node: &Node) -> (Option<&Node>, Option<&Node>) {
    if added {
        (None, Some(node))
    } else {
        (Some(node), None)
    }
}

fn compare_both<'d>(pair: &mut Comparing<'_, 'd>, from: &Applicator<'d>, to: &Applicator<'d>) {
    let keyword = from.keyword;
    let nodes = (Some(from.value), Some(to.value));
    match keyword.form {
        Form::Inside if keyword.name == "contains" => compare_contains(pair, from, to),
        Form::Inside => inside(pair, keyword.name, from.value, to.value),
        Form::List => compare_lists(pair, from, to),
        Form::Map { inside } => compare_maps(pair, from, to, inside),
        Form::Names => compare_names(pair, from, to),
        Form::Condition => compare_conditions(pair, from, to),
        Form::Meaning | Form::Unknown => {
            let phrase = format!("has another `{}`", keyword.name);
            pair.fact(
                Words::Two(keyword.word, "changed"),
                nodes,
                keyword.name,
                phrase,
            );
        }
    }
}

/// Enters the pair of schemas for a part of the value.
fn inside<'d>(pair: &mut Comparing<'_, 'd>, name: &str, from: &'d Node, to: &'d Node) {
    pair.edge(Step::Inside(name.to_owned()), &[from], &[to]);
}

/// Enters the pair of schemas for the same value.
fn beside<'d>(pair: &mut Comparing<'_, 'd>, name: &str, from: &'d Node, to: &'d Node) {
    let ids = (
        pair.pairs.base.child_id(from),
        pair.pairs.revision.child_id(to),
    );
    let to_pair = pair.pairs.enter_ids(ids.0, ids.1);
    pair.found.edges.push(Edge {
        step: Step::Alternative(name.to_owned()),
        sites: Some((Mark::of(from), Mark::of(to))),
        to: to_pair,
    });
}

/// Whether two schemas are equal in meaning.
fn alike<'d>(pair: &mut Comparing<'_, 'd>, from: &'d Node, to: &'d Node) -> bool {
    let base = pair.pairs.base.child_id(from);
    let revision = pair.pairs.revision.child_id(to);
    pair.pairs.base.digest(base, DEPTH) == pair.pairs.revision.digest(revision, DEPTH)
}

/// Compares `contains`. A narrower schema allows more values if it only limits the number of items,
/// and fewer values if it requires items.
fn compare_contains<'d>(pair: &mut Comparing<'_, 'd>, from: &Applicator<'d>, to: &Applicator<'d>) {
    let size = |one: &Applicator<'d>, key: &str| {
        let node = one.owner.get(key)?;
        let size = Number::parse(node.as_number()?)?;
        Some(Size { size, node })
    };
    let least = |one: &Applicator<'d>| {
        size(one, "minContains").unwrap_or(Size {
            size: Number::of(1),
            node: one.value,
        })
    };
    let (old, new) = (least(from), least(to));
    scalars::compare_size(pair, &scalars::MIN_CONTAINS, Some(&old), Some(&new));
    let (old, new) = (size(from, "maxContains"), size(to, "maxContains"));
    scalars::compare_size(pair, &scalars::MAX_CONTAINS, old.as_ref(), new.as_ref());
    if old.is_none() && new.is_none() {
        inside(pair, "contains", from.value, to.value);
    } else if !alike(pair, from.value, to.value) {
        let nodes = (Some(from.value), Some(to.value));
        let phrase = "has another `contains`";
        pair.fact(Words::One("keyword-changed"), nodes, "contains", phrase);
    }
}

/// Compares each position of the lists; after the shorter list, `items` applies.
fn compare_lists<'d>(pair: &mut Comparing<'_, 'd>, from: &Applicator<'d>, to: &Applicator<'d>) {
    let (old, new): (Vec<_>, Vec<_>) = (from.value.items().collect(), to.value.items().collect());
    for (index, (from, to)) in old.iter().zip(&new).enumerate() {
        inside(pair, &index.to_string(), from, to);
    }
    let nodes = (Some(from.value), Some(to.value));
    let added = new.len() > old.len();
    if new.len() != old.len() {
        let phrase = format!(
            "describes its first {} items instead of {}",
            new.len(),
            old.len()
        );
        let detail = format!("{} → {}", old.len(), new.len());
        pair.fact(
            Words::Two(from.keyword.word, action(added)),
            nodes,
            detail,
            phrase,
        );
    }
}

fn compare_maps<'d>(
    pair: &mut Comparing<'_, 'd>,
    from: &Applicator<'d>,
    to: &Applicator<'d>,
    is_inside: bool,
) {
    for entry in from.value.entries() {
        match to.value.get(&entry.key) {
            None => entry_exists(pair, from, &entry.key, &entry.value, false),
            Some(other) if is_inside => inside(pair, &entry.key, &entry.value, other),
            Some(other) => beside(pair, &entry.key, &entry.value, other),
        }
    }
    for entry in to.value.entries() {
        if from.value.get(&entry.key).is_none() {
            entry_exists(pair, to, &entry.key, &entry.value, true);
        }
    }
}

fn compare_names<'d>(pair: &mut Comparing<'_, 'd>, from: &Applicator<'d>, to: &Applicator<'d>) {
    let (old, new) = (dependents(from.value), dependents(to.value));
    let action = match (old.is_subset(&new), new.is_subset(&old)) {
        (true, _) => "added",
        (_, true) => "removed",
        _ => "changed",
    };
    let shown = |set: Vec<&(&str, &str)>| {
        let all = set
            .into_iter()
            .map(|(name, other)| format!("{name} with {other}"));
        all.collect::<Vec<_>>().join(", ")
    };
    let (removed, added) = (
        old.difference(&new).collect(),
        new.difference(&old).collect(),
    );
    let (removed, added) = (shown(removed), shown(added));
    let phrase = match action {
        "added" => format!("requires {added}"),
        "removed" => format!("no longer requires {removed}"),
        _ => format!("requires {added} instead of {removed}"),
    };
    let nodes = (Some(from.value), Some(to.value));
    let word = Words::Two(from.keyword.word, action);
    pair.fact(word, nodes, format!("{removed} → {added}"), phrase);
}

fn compare_conditions<'d>(
    pair: &mut Comparing<'_, 'd>,
    from: &Applicator<'d>,
    to: &Applicator<'d>,
) {
    if !alike(pair, from.value, to.value) {
        let nodes = (Some(from.value), Some(to.value));
        pair.fact(
            Words::One("if-changed"),
            nodes,
            "",
            "depends on another `if`",
        );
    }
    for part in ["then", "else"] {
        match (from.owner.get(part), to.owner.get(part)) {
            (Some(from), Some(to)) => beside(pair, part, from, to),
            (None, None) => {}
            (old, new) => {
                let phrase = format!("{} `{part}`", got(new.is_some()));
                pair.fact(
                    Words::Two(part, action(new.is_some())),
                    (old, new),
                    "",
                    phrase,
                );
            }
        }
    }
}
