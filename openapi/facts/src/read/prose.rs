//! Prose: the rules that the sentences of a description say. Only a sentence whose names, values and conditions are all
//! bound to the document says a rule.

pub(crate) mod sentence;

mod barred;
mod clause;
mod default;
mod effect;
mod filter;
mod idempotency;
mod order;
mod paging;
mod requires;
mod unique;

use clause::Clause;

use crate::lexicon::Lexicon;
use crate::place::Place;
use crate::rule::Rule;

/// A reader of one kind of rule.
type Reader = fn(&Clause<'_, '_, '_>) -> Option<Rule>;

const READERS: [Reader; 9] = [
    barred::read,
    effect::read,
    unique::read,
    idempotency::read,
    paging::read,
    order::read,
    default::read,
    requires::read,
    filter::read,
];

/// What a sentence says of its place.
pub(crate) fn read(sentence: &str, place: &Place<'_, '_>, lexicon: &Lexicon) -> Vec<Rule> {
    let clause = Clause::new(sentence, place, lexicon);
    if clause.is_hedged() {
        return Vec::new();
    }
    READERS.iter().filter_map(|read| read(&clause)).collect()
}
