//! Alternatives: compares `oneOf` and `anyOf`.

use std::rc::Rc;

use super::digest::DEPTH;
use super::fact::{Edge, Fact, Step, Words};
use super::flat::Group;
use super::matching::{self, Alternative, Matches};
use super::overlap::{self, Reach};
use super::pair::{Between, Comparing};
use super::schemas::{SchemaId, Schemas};
use super::types::Types;
use crate::side::Mark;
use openapi_document::node::Node;

/// Compares the alternatives of two schemas. Returns whether the keywords beside them remain to be
/// compared.
pub(super) fn compare(pair: &mut Comparing<'_, '_>) -> bool {
    let (base, revision) = (Rc::clone(&pair.base), Rc::clone(&pair.revision));
    let old = pair.pairs.base.groups(&base);
    let new = pair.pairs.revision.groups(&revision);
    match (old.as_slice(), new.as_slice()) {
        ([], []) => true,
        ([], [group]) if !same_beside(pair) => wrap(pair, group, true),
        ([group], []) if !same_beside(pair) => wrap(pair, group, false),
        ([old], [new]) => compare_groups(pair, old, new),
        (old, new) => compare_many(pair, old, new),
    }
}

/// Whether the two schemas are equal except for their alternatives.
fn same_beside(pair: &mut Comparing<'_, '_>) -> bool {
    let (base, revision) = (Rc::clone(&pair.base), Rc::clone(&pair.revision));
    pair.pairs.base.common(&base, DEPTH) == pair.pairs.revision.common(&revision, DEPTH)
}

/// Compares several lists of alternatives, each of which is a separate condition.
fn compare_many<'d>(pair: &mut Comparing<'_, 'd>, old: &[Group<'d>], new: &[Group<'d>]) -> bool {
    for index in 0..old.len().max(new.len()) {
        match (old.get(index), new.get(index)) {
            (Some(old), Some(new)) => {
                let matches = match_groups(pair, old, new);
                note(pair, old, new, &matches, false);
            }
            (None, Some(new)) => {
                let phrase = "must also match one of several alternatives";
                pair.fact(Words::One("all-of-added"), (None, Some(new.at)), "", phrase);
            }
            (Some(old), None) => {
                let phrase = "no longer has to match one of several alternatives";
                pair.fact(
                    Words::One("all-of-removed"),
                    (Some(old.at), None),
                    "",
                    phrase,
                );
            }
            (None, None) => {}
        }
    }
    true
}

fn compare_groups<'d>(pair: &mut Comparing<'_, 'd>, old: &Group<'d>, new: &Group<'d>) -> bool {
    let matches = match_groups(pair, old, new);
    // If both the alternatives and the keywords beside them differ, a keyword may have moved
    // between them. Then each alternative is compared together with the keywords beside it.
    let together = !matches.all_alike && !same_beside(pair);
    note(pair, old, new, &matches, together);
    !together
}

fn match_groups<'d>(pair: &mut Comparing<'_, 'd>, old: &Group<'d>, new: &Group<'d>) -> Matches<'d> {
    let (base, revision) = (Rc::clone(&pair.base), Rc::clone(&pair.revision));
    let old = matching::read(&mut pair.pairs.base, &base, old);
    let new = matching::read(&mut pair.pairs.revision, &revision, new);
    matching::pair(old, new)
}

/// Records the differences of each alternative.
fn note<'d>(
    pair: &mut Comparing<'_, 'd>,
    old: &Group<'d>,
    new: &Group<'d>,
    matches: &Matches<'d>,
    together: bool,
) {
    for (from, to) in &matches.pairs {
        pair.matched.push((from.target, to.target));
        let id = if together {
            let base = pair.pairs.base.choose(pair.ids.0, from.node);
            let revision = pair.pairs.revision.choose(pair.ids.1, to.node);
            pair.pairs.enter_ids(base, revision)
        } else {
            let owners = (old.at, new.at);
            pair.pairs.enter(Between {
                base: &[from.node],
                revision: &[to.node],
                owners,
            })
        };
        if id.is_some() {
            let step = Step::Alternative(from.label.clone());
            let sites = Some((Mark::of(from.node), Mark::of(to.node)));
            pair.found.edges.push(Edge {
                step,
                sites,
                to: id,
            });
        }
    }
    for to in &matches.added {
        pair.added.push(to.target);
        let word = if new.exactly_one {
            "one-of-added"
        } else {
            "any-of-added"
        };
        let phrase = format!("has the new alternative {}", to.label);
        pair.fact(
            Words::One(word),
            (Some(old.at), Some(to.node)),
            to.label.as_str(),
            phrase,
        );
    }
    note_overlap(pair, old, new, matches);
    for from in &matches.removed {
        pair.removed.push(from.target);
        let word = if old.exactly_one {
            "one-of-removed"
        } else {
            "any-of-removed"
        };
        let phrase = format!("no longer has the alternative {}", from.label);
        pair.fact(
            Words::One(word),
            (Some(from.node), Some(new.at)),
            from.label.as_str(),
            phrase,
        );
    }
    if old.exactly_one != new.exactly_one && !apart_now(pair, new) {
        let (word, phrase) = if new.exactly_one {
            (
                "any-of-became-one-of",
                "must match exactly one alternative instead of one or more",
            )
        } else {
            (
                "one-of-became-any-of",
                "may match several alternatives instead of exactly one",
            )
        };
        pair.fact(Words::One(word), (Some(old.at), Some(new.at)), "", phrase);
    }
}

/// Records new overlaps: a value that matches two alternatives of `oneOf` is refused.
fn note_overlap<'d>(
    pair: &mut Comparing<'_, 'd>,
    old: &Group<'d>,
    new: &Group<'d>,
    matches: &Matches<'d>,
) {
    if !(old.exactly_one && new.exactly_one) || apart_now(pair, new) {
        return;
    }
    let before = matches
        .pairs
        .iter()
        .map(|(from, _)| from)
        .chain(&matches.removed);
    let before = before.map(|from| from.node).collect::<Vec<_>>();
    let all = reaches(&mut pair.pairs.revision, pair.ids.1, &new.alternatives);
    let overlaps = |to: &Alternative<'d>| {
        let place = new
            .alternatives
            .iter()
            .position(|node| std::ptr::eq(*node, to.node));
        let reach = place.and_then(|place| all.get(place));
        let others = all
            .iter()
            .enumerate()
            .filter(|(other, _)| Some(*other) != place);
        reach.is_some_and(|reach| {
            others
                .into_iter()
                .any(|(_, other)| !reach.is_apart_from(other))
        })
    };
    let added = |place: &usize| {
        let node = new.alternatives.get(*place);
        let mut all = matches.added.iter();
        node.is_some_and(|node| all.any(|to| std::ptr::eq(to.node, *node)))
    };
    let (come_in, kept): (Vec<usize>, Vec<usize>) = (0..all.len()).partition(added);
    let mut pairs = come_in
        .iter()
        .flat_map(|one| kept.iter().map(move |other| (one, other)));
    if pairs.any(|(one, other)| all[*one].is_within_or_around(&all[*other])) {
        let phrase =
            "has a new alternative that accepts values of another one, so `oneOf` refuses them";
        let sites = (Some(old.at), Some(new.at));
        pair.fact(Words::One("one-of-overlaps"), sites, "", phrase);
        return;
    }
    if matches.added.iter().any(overlaps)
        || overlap::apart(&reaches(&mut pair.pairs.base, pair.ids.0, &before))
    {
        let phrase =
            "has alternatives that may overlap, and `oneOf` refuses values that match two of them";
        pair.fact(
            Words::One("one-of-may-overlap"),
            (Some(old.at), Some(new.at)),
            "",
            phrase,
        );
    }
}

/// Whether no value matches two alternatives of the revision.
fn apart_now<'d>(pair: &mut Comparing<'_, 'd>, new: &Group<'d>) -> bool {
    pair.revision.discriminator.is_some()
        || overlap::apart(&reaches(
            &mut pair.pairs.revision,
            pair.ids.1,
            &new.alternatives,
        ))
}

/// The values that alternatives accept, together with the keywords beside them.
fn reaches<'d>(schemas: &mut Schemas<'d>, owner: SchemaId, nodes: &[&'d Node]) -> Vec<Reach> {
    let ids: Vec<_> = nodes
        .iter()
        .map(|node| schemas.choose(owner, node))
        .collect();
    ids.into_iter()
        .map(|id| overlap::reach(schemas, id))
        .collect()
}

/// An alternative combined with the keywords beside it.
struct Chosen<'d> {
    id: SchemaId,
    alternative: Alternative<'d>,
}

/// Compares a plain schema with a list of alternatives, in either direction.
fn wrap<'d>(pair: &mut Comparing<'_, 'd>, group: &Group<'d>, wrapped: bool) -> bool {
    let (all, best) = unwrapped(pair, group, wrapped);
    for (index, one) in all.iter().enumerate() {
        if Some(index) == best {
            let (base, revision) = if wrapped {
                (pair.ids.0, one.id)
            } else {
                (one.id, pair.ids.1)
            };
            let to = pair.pairs.enter_ids(base, revision);
            let step = Step::Alternative(one.alternative.label.clone());
            pair.found.edges.push(Edge {
                step,
                sites: None,
                to,
            });
        } else if !(wrapped && group.exactly_one) {
            lone(pair, group, &one.alternative, wrapped);
        }
    }
    if wrapped && group.exactly_one {
        note_wrapped(pair, group, &all);
    }
    if best.is_none() {
        note_replaced(pair, wrapped);
    }
    false
}

/// The alternatives on the side that has them, and the index of the one that equals the other
/// side's schema, or is most similar to it.
fn unwrapped<'d>(
    pair: &mut Comparing<'_, 'd>,
    group: &Group<'d>,
    wrapped: bool,
) -> (Vec<Chosen<'d>>, Option<usize>) {
    let (base, revision) = (Rc::clone(&pair.base), Rc::clone(&pair.revision));
    let sides = (&mut pair.pairs.base, &mut pair.pairs.revision);
    let (side, id, whole, other, other_id, plain) = if wrapped {
        (sides.1, pair.ids.1, revision, sides.0, pair.ids.0, base)
    } else {
        (sides.0, pair.ids.0, base, sides.1, pair.ids.1, revision)
    };
    let all = matching::read(side, &whole, group);
    let choose = |alternative: Alternative<'d>| Chosen {
        id: side.choose(id, alternative.node),
        alternative,
    };
    let all: Vec<_> = all.into_iter().map(choose).collect();
    let digest = other.digest(other_id, DEPTH);
    let alike = all
        .iter()
        .position(|one| side.digest(one.id, DEPTH) == digest);
    let flats = all.iter().map(|one| &*one.alternative.flat);
    let best = alike.or_else(|| matching::most_similar(&plain, flats));
    (all, best)
}

fn note_wrapped<'d>(pair: &mut Comparing<'_, 'd>, group: &Group<'d>, all: &[Chosen<'d>]) {
    let labels = all.iter().map(|one| one.alternative.label.as_str());
    let labels = labels.collect::<Vec<_>>().join(", ");
    let phrase = format!("is one of the alternatives {labels}");
    let word = Words::Wrapped("one-of-added");
    pair.fact(word, (None, Some(group.at)), labels, phrase);
    if let Some(fact) = pair.found.facts.last_mut() {
        fact.whole = (true, false);
    }
}

/// Records that the schema is not among the alternatives.
fn note_replaced(pair: &mut Comparing<'_, '_>, wrapped: bool) {
    let plain = if wrapped {
        pair.base.types
    } else {
        pair.revision.types
    };
    let (from, to) = (plain.to_string(), "alternatives".to_owned());
    let (from, to) = if wrapped { (from, to) } else { (to, from) };
    let word = Words::Type {
        word: "type-changed",
        base: plain,
        revision: Types::ANY,
    };
    let phrase = format!("was {from} and is {to}");
    pair.fact(word, (None, None), format!("{from} → {to}"), phrase);
}

/// Records an alternative other than the one that the schema became, or was.
fn lone<'d>(
    pair: &mut Comparing<'_, 'd>,
    group: &Group<'d>,
    alternative: &Alternative<'d>,
    wrapped: bool,
) {
    let (word, phrase): (_, &str) = match (wrapped, group.exactly_one) {
        (true, _) => ("any-of-added", "has the alternative"),
        (false, true) => ("one-of-removed", "no longer has the alternative"),
        (false, false) => ("any-of-removed", "no longer has the alternative"),
    };
    let node: &'d Node = alternative.node;
    let mark = |has_it: bool, at: &'d Node| Mark::of(if has_it { node } else { at });
    pair.found.facts.push(Fact {
        word: Words::One(word),
        detail: alternative.label.clone(),
        phrase: format!("{phrase} {}", alternative.label),
        base: mark(!wrapped, pair.base.at),
        revision: mark(wrapped, pair.revision.at),
        whole: (wrapped, !wrapped),
    });
}
