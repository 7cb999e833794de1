//! Parts of a whole, told by the names of amounts: what is refunded of what is captured of an amount, what
//! is left of a capacity.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use openapi_document::Node;
use openapi_document::node::Entry;

use crate::checks::{self, Check};
use crate::names;

use super::lifted::own_name;
use crate::amount::Amount;

/// Words of wholes, and of what is taken from them, the largest first.
const ORDER: [&[&str]; 3] = [
    &["amount", "total", "capacity", "quantity", "limit"],
    &[
        "authorized",
        "authorised",
        "captured",
        "paid",
        "charged",
        "sold",
        "booked",
        "reserved",
        "used",
    ],
    &["refunded", "reversed", "returned", "released"],
];

/// Words of what is left of a whole.
const LEFT: [&str; 5] = ["available", "remaining", "left", "outstanding", "due"];

/// Words that may stand beside them.
const BESIDE: [&str; 6] = ["amount", "total", "count", "quantity", "minor", "cents"];

/// What a property is to the others of its family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rank {
    Taken(usize),
    Left,
}

/// The amounts of a kind of record that belong together: `seats_sold` and `seats_total`.
#[derive(Debug, Default)]
struct Family<'n> {
    members: Vec<(Rank, &'n str)>,
}

/// The parts of a kind of record.
#[derive(Debug)]
pub(crate) struct Parts<'n> {
    families: Vec<Family<'n>>,
}

/// A part that does not fit its whole.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wrong<'n> {
    /// What is wrong with it.
    pub(crate) check: &'static Check,
    /// The part.
    pub(crate) part: &'n str,
    /// The whole.
    pub(crate) whole: &'n str,
}

/// The property that counts what an operation takes, told by the participle of its verb: `amount_refunded`
/// of `refunds`, `captured` of `capture`.
pub(crate) fn counted<'n>(record: &'n Node, path: &str) -> Option<&'n str> {
    let verbs = names::words(&names::singular(path.rsplit('/').next()?));
    let verbs: Vec<String> = verbs.iter().flat_map(|own| names::verbs(own)).collect();
    let counts = |name: &str| {
        let words = names::words(own_name(name));
        let is_done = |own: &&String| verbs.iter().any(|verb| names::is_done(own, verb));
        let (done, rest): (Vec<_>, Vec<_>) = words.iter().partition(is_done);
        done.len() == 1 && rest.iter().all(|own| BESIDE.contains(&own.as_str()))
    };
    let all = record
        .entries()
        .filter(|own| counts(&own.key) && Amount::read(&own.value).is_some());
    let all: Vec<&str> = all.map(|own| own.key.as_str()).collect();
    <[_; 1]>::try_from(all).ok().map(|[only]| only)
}

/// The state of a record after an operation has taken a part of it, or all, told by the words of its states:
/// `partially_refunded` and `refunded` of `refunds`.
pub(crate) fn state_after<'s>(states: &[&'s str], path: &str, is_part: bool) -> Option<&'s str> {
    let verbs = names::words(&names::singular(path.rsplit('/').next()?));
    let [noun] = &verbs[..] else { return None };
    let verbs = names::verbs(noun);
    let is_done = |own: &str| verbs.iter().any(|verb| names::is_done(own, verb));
    let find = |wanted: bool| {
        let is_it = |own: &&&str| {
            let words = names::words(&own.to_lowercase());
            match &words[..] {
                [done] => !wanted && is_done(done),
                [part, done] => {
                    let is_part = matches!(part.as_str(), "partially" | "partly" | "partial");
                    wanted && is_part && is_done(done)
                }
                _ => false,
            }
        };
        states.iter().find(is_it).copied()
    };
    let (part, whole) = (find(true)?, find(false)?);
    Some(if is_part { part } else { whole })
}

/// The parts that some properties are; `None` where nothing is part of anything.
pub(crate) fn parts<'n>(properties: &[&'n str]) -> Option<Parts<'n>> {
    let mut families: BTreeMap<String, Family<'n>> = BTreeMap::new();
    for name in properties {
        if let Some((stem, rank)) = rank(name) {
            families.entry(stem).or_default().members.push((rank, name));
        }
    }
    let has_two = |own: &Family<'_>| {
        let first = own.members.first().map(|own| own.0);
        own.members.iter().any(|own| Some(own.0) != first)
    };
    let families: Vec<_> = families.into_values().filter(has_two).collect();
    (!families.is_empty()).then_some(Parts { families })
}

/// The family of a property, and what it is there.
fn rank(name: &str) -> Option<(String, Rank)> {
    let words = names::words(name);
    let has = |list: &[&str]| words.iter().position(|own| list.contains(&own.as_str()));
    let taken = ORDER.iter().enumerate().skip(1);
    let taken = taken.filter_map(|(rank, list)| Some((has(list)?, Rank::Taken(rank))));
    let left = || has(&LEFT).map(|at| (at, Rank::Left));
    let whole = || has(ORDER[0]).map(|at| (at, Rank::Taken(0)));
    let (at, rank) = taken.into_iter().next().or_else(left).or_else(whole)?;
    let stem: Vec<&str> = words
        .iter()
        .enumerate()
        .filter(|(index, own)| *index != at && !BESIDE.contains(&own.as_str()))
        .map(|(_, own)| own.as_str())
        .collect();
    (stem.len() < 2).then(|| (stem.join(" "), rank))
}

/// Whether a property counts what became of a whole in a way that has no place among the others: `amount_credited`.
fn is_other_part(name: &str) -> bool {
    let words = names::words(name);
    let is_named = |own: &&String| !BESIDE.contains(&own.as_str());
    let named: Vec<&String> = words.iter().filter(is_named).collect();
    let [word] = named[..] else { return false };
    let is_known = ORDER.iter().any(|own| own.contains(&word.as_str()));
    words.len() > 1 && word.ends_with("ed") && !is_known
}

impl<'n> Parts<'n> {
    /// The first part that does not fit.
    pub(crate) fn wrong(&self, record: &Node) -> Option<Wrong<'n>> {
        self.families.iter().find_map(|own| {
            let more = own.more(record);
            more.or_else(|| own.not_whole(record))
        })
    }
}

impl Parts<'_> {
    /// Whether a property is one of them.
    pub(crate) fn has(&self, name: &str) -> bool {
        let mut members = self.families.iter().flat_map(|own| &own.members);
        members.any(|own| own.1 == name)
    }

    /// What is left to take from, of an amount: as much as was captured of it, where a part was.
    pub(crate) fn captured(&self, record: &Node, whole: &str) -> Option<(Amount, &str)> {
        let is_whole = |own: &&Family<'_>| own.members.contains(&(Rank::Taken(0), whole));
        let name = self.families.iter().find(is_whole)?.one(Rank::Taken(1))?;
        let amount = Amount::read(record.get(name)?)?;
        let is_part = amount.compared(Amount::read(record.get(whole)?)?)? == Ordering::Less;
        (is_part && amount.units > 0).then_some((amount, name))
    }

    /// The whole that something is taken from, where it is one number.
    pub(crate) fn whole(&self, record: &Node) -> Option<(&str, u64)> {
        let family = self.families.first()?;
        family.one(Rank::Taken(1))?;
        let name = family.one(Rank::Taken(0))?;
        Some((name, record.get(name)?.as_u64()?))
    }
}

impl<'n> Family<'n> {
    fn of(&self, rank: Rank) -> Vec<&'n str> {
        let own = self.members.iter().filter(|own| own.0 == rank);
        own.map(|own| own.1).collect()
    }

    /// The only one of a rank: of several nothing tells which one is meant.
    fn one(&self, rank: Rank) -> Option<&'n str> {
        <[_; 1]>::try_from(self.of(rank)).ok().map(|[only]| only)
    }

    /// A part that is more than what it is taken from.
    fn more(&self, record: &Node) -> Option<Wrong<'n>> {
        let amount = |name: &str| Amount::read(record.get(name)?);
        let wholes = |below: usize| (0..below).filter_map(|rank| self.one(Rank::Taken(rank)));
        self.members.iter().find_map(|(rank, part)| {
            let below = match rank {
                Rank::Taken(rank) => *rank,
                Rank::Left => 1,
            };
            let exceeds = |whole: &&'n str| {
                let pair = amount(part).zip(amount(whole));
                pair.and_then(|(part, whole)| part.compared(whole)) == Some(Ordering::Greater)
            };
            let whole = wholes(below).find(exceeds)?;
            let check = &checks::SUM_EXCEEDED;
            Some(Wrong { check, part, whole })
        })
    }

    /// What is taken and what is left, where they are not the whole.
    fn not_whole(&self, record: &Node) -> Option<Wrong<'n>> {
        let whole = self.one(Rank::Taken(0))?;
        let (taken, part) = (self.one(Rank::Taken(1))?, self.one(Rank::Left)?);
        let is_more = |own: &Entry| {
            is_other_part(&own.key) && Amount::read(&own.value).is_some_and(|own| own.units != 0)
        };
        if !self.of(Rank::Taken(2)).is_empty() || record.entries().any(is_more) {
            return None;
        }
        let number = |name: &str| Amount::read(record.get(name)?);
        let sum = number(taken)?.plus(number(part)?)?;
        let differs = sum.compared(number(whole)?)?.is_ne();
        let check = &checks::SUM_DIFFERS;
        differs.then_some(Wrong { check, part, whole })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_what_is_taken() {
        let record = r#"{"amount":9,"amount_refunded":1,"refunded":false,"captured":2}"#;
        let record = openapi_document::json::read_text(record).unwrap();
        for (path, expected) in [
            ("/charges/{id}/refunds", Some("amount_refunded")),
            ("/charges/{id}/capture", Some("captured")),
            ("/charges/{id}/cancel", None),
            ("/charges/{id}/capturing", Some("captured")),
        ] {
            assert_eq!(counted(&record, path), expected, "{path}");
        }
        let names = ["amount", "amount_refunded", "captured"];
        let parts = parts(&names).unwrap();
        let found = parts
            .captured(&record, "amount")
            .map(|(own, name)| (own.units, name));
        assert_eq!(found, Some((2, "captured")));
    }

    #[test]
    fn states_of_parts() {
        let states = ["open", "captured", "partially_refunded", "refunded"];
        for (path, is_part, expected) in [
            ("/charges/{id}/refunds", true, Some("partially_refunded")),
            ("/charges/{id}/refunds", false, Some("refunded")),
            ("/charges/{id}/capture", true, None),
        ] {
            assert_eq!(state_after(&states, path, is_part), expected, "{path}");
        }
    }

    #[test]
    fn parts_and_their_wholes() {
        for (record, expected) in [
            (
                r#"{"amount":10,"amount_captured":10,"amount_refunded":10}"#,
                None,
            ),
            (
                r#"{"amount":10,"amount_captured":0,"amount_refunded":10}"#,
                Some(("sum-exceeded", "amount_refunded", "amount_captured")),
            ),
            (
                r#"{"total":"10.00","paidAmount":"10.01"}"#,
                Some(("sum-exceeded", "paidAmount", "total")),
            ),
            (r#"{"capacity":10,"sold":9}"#, None),
            (
                r#"{"seats_total":10,"seats_sold":9,"seats_available":1}"#,
                None,
            ),
            (
                r#"{"seats_total":10,"seats_sold":9,"seats_available":2}"#,
                Some(("sum-differs", "seats_available", "seats_total")),
            ),
            (
                r#"{"total":96,"amount_paid":0,"amount_due":91,"amount_credited":5}"#,
                None,
            ),
            (
                r#"{"total":96,"amount_paid":0,"amount_due":91,"amount_credited":0}"#,
                Some(("sum-differs", "amount_due", "total")),
            ),
            (r#"{"seats_total":1,"rows_sold":9}"#, None),
            (r#"{"amount":1,"currency":"EUR"}"#, None),
            (r#"{"amount":1,"captured":true}"#, None),
            (r#"{"amount":1,"total":3,"paid":2}"#, None),
        ] {
            let record = openapi_document::json::read_text(record).unwrap();
            let names: Vec<&str> = record.entries().map(|own| own.key.as_str()).collect();
            let found = parts(&names).and_then(|own| own.wrong(&record));
            let found = found.map(|own| (own.check.id, own.part, own.whole));
            assert_eq!(found, expected, "{}", record.to_json());
        }
    }
}
