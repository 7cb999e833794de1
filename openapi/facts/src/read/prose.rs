//! Prose: reads rules from the sentences of a description. A sentence states a rule only if all its
//! names, values and conditions refer to the document.

pub(crate) mod sentence;

mod barred;
mod binding;
mod clause;
mod default;
mod effect;
mod equation;
mod filter;
mod idempotency;
mod immutable;
mod on_delete;
mod order;
mod paging;
mod range;
mod relation;
mod requires;
mod unique;

use clause::Clause;

use super::Kinds;
use crate::lexicon::Lexicon;
use crate::place::Place;
use crate::rule::Rule;
use sentence::Sentence;

/// Reads one kind of rule from a clause.
type Reader = fn(&Clause<'_, '_, '_>) -> Option<Rule>;

const READERS: [Reader; 11] = [
    barred::read,
    effect::read,
    unique::read,
    idempotency::read,
    paging::read,
    order::read,
    default::read,
    range::read,
    relation::read,
    equation::read,
    on_delete::read,
];

/// The readers of pages and idempotency keys.
const READERS_OF_CALLS: [Reader; 2] = [idempotency::read, paging::read];

/// Readers for kinds of which one sentence may state several rules.
const READERS_OF_SEVERAL: [fn(&Clause<'_, '_, '_>) -> Vec<Rule>; 3] =
    [requires::read, filter::read, immutable::read];

/// The rules of these kinds that a sentence states about its place.
pub(crate) fn read(
    sentence: &Sentence,
    place: &Place<'_, '_>,
    lexicon: &Lexicon,
    kinds: Kinds,
) -> Vec<Rule> {
    let topic = sentence.topic.as_ref();
    let of_topic = topic.and_then(|topic| place.of_topic(topic));
    let place = of_topic.as_ref().unwrap_or(place);
    let clause = Clause::new(&sentence.text, place, lexicon);
    if clause.is_hedged() {
        return Vec::new();
    }
    if kinds == Kinds::OfCalls {
        let readers = READERS_OF_CALLS.iter();
        return readers.filter_map(|read| read(&clause)).collect();
    }
    let before = sentence.before.as_deref();
    let before = before.map(|text| Clause::new(text, place, lexicon));
    let mut rules: Vec<Rule> = READERS.iter().filter_map(|read| read(&clause)).collect();
    rules.extend(READERS_OF_SEVERAL.iter().flat_map(|read| read(&clause)));
    rules.extend(before.and_then(|before| barred::read_after(&before, &clause)));
    rules
}
