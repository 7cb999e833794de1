//! Flags: what a text says that a flag tells of two numbers of its record: "`belowLevel` is true when `available` is less than
//! `level`".

use std::cmp::Ordering;
use std::sync::OnceLock;

use openapi_document::Node;
use openapi_document::view::Document;

use super::{Call, Record};
use crate::names;
use crate::prose;
use crate::shape::Shape;

/// A flag of a kind of record that compares two of its numbers.
#[derive(Debug)]
pub(crate) struct Flag<'d> {
    /// The kind.
    pub(crate) kind: Record<'d>,
    /// The property of the flag.
    pub(crate) name: &'d str,
    /// The properties of the numbers.
    numbers: (&'d str, &'d str),
    /// How the first stands to the second where the flag is set.
    orders: &'static [Ordering],
    /// The same in words.
    words: &'static str,
}

impl Flag<'_> {
    /// What the flag of a record has to be; `None` where it does not tell of both numbers.
    pub(crate) fn due(
        &self,
        record: &Node,
        compare: impl Fn(&Node, &Node) -> Option<Ordering>,
    ) -> Option<bool> {
        let (one, other) = (record.get(self.numbers.0)?, record.get(self.numbers.1)?);
        Some(self.orders.contains(&compare(one, other)?))
    }

    /// What is said of it.
    pub(crate) fn told(&self) -> String {
        let (one, other) = self.numbers;
        format!("true when `{one}` is {} `{other}`, else false", self.words)
    }
}

/// All of them, looked for when they are asked for.
#[derive(Debug, Default)]
pub(super) struct AllFlags<'d>(OnceLock<Vec<Flag<'d>>>);

impl<'d> AllFlags<'d> {
    pub(super) fn of(&self, document: &'d Document, calls: &[Call<'d>]) -> &[Flag<'d>] {
        self.0.get_or_init(|| {
            let mut found: Vec<Flag<'d>> = Vec::new();
            for kind in calls.iter().filter_map(Call::record) {
                if found.iter().any(|own| own.kind.is(kind)) {
                    continue;
                }
                let of_kind = |own: &&Call<'d>| own.record().is_some_and(|own| own.is(kind));
                let texts = calls.iter().filter(of_kind).flat_map(Call::texts);
                let said: Vec<Vec<String>> = texts.flat_map(prose::spoken).collect();
                found.extend(flags(document, kind, &said));
            }
            found
        })
    }
}

fn flags<'d>(document: &'d Document, kind: &Record<'d>, said: &[Vec<String>]) -> Vec<Flag<'d>> {
    let shape = Shape::of(document, Some(&kind.schema));
    let is_type = |name: &&'d str, wanted: &str| {
        let own = shape.property(document, name);
        own.type_name() == Some(wanted)
    };
    let listed = shape.property_names();
    let numbers: Vec<&'d str> = listed
        .iter()
        .copied()
        .filter(|own| is_type(own, "integer") || is_type(own, "number"))
        .collect();
    let flags = listed.into_iter().filter(|own| is_type(own, "boolean"));
    let of = |name: &'d str| {
        let own = shape.property(document, name);
        let own = own.keyword("description").and_then(Node::as_str);
        let own = prose::spoken(own.unwrap_or_default());
        let words = names::words(name);
        let is_named =
            |own: &&Vec<String>| own.windows(words.len().max(1)).any(|part| part == words);
        let named = said.iter().filter(is_named);
        // What is said of it beside, such as that it is never so for some, nobody compares.
        let mut telling = named.chain(&own).filter(|own| prose::has(own, &TELLING));
        let only = telling
            .next()
            .filter(|own| telling.all(|other| other == *own))?;
        let is_of_it = own.contains(only) || begins_with(only, name);
        let found = compared(only, &numbers).filter(|_| is_of_it);
        let (numbers, (words, orders)) = found?;
        let kind = kind.clone();
        Some(Flag {
            kind,
            name,
            numbers,
            orders,
            words,
        })
    };
    flags.filter_map(of).collect()
}

/// Words of sentences that tell what a flag is.
const TELLING: [&str; 6] = ["true", "false", "always", "never", "also", "unless"];

/// Whether a sentence says of a property that it is true.
fn begins_with(sentence: &[String], name: &str) -> bool {
    let mut own = names::words(name);
    own.extend(["is", "true"].map(str::to_owned));
    sentence.windows(own.len()).any(|part| part == own)
}

fn is_when(word: &str) -> bool {
    matches!(word, "when" | "if" | "while")
}

/// How two numbers stand to each other, in words and as orders.
type Order = (&'static str, &'static [Ordering]);

const ORDERS: [(&[&[&str]], Order); 4] = [
    (
        &[
            &["less", "than"],
            &["below"],
            &["lower", "than"],
            &["fewer", "than"],
            &["smaller", "than"],
        ],
        ("less than", &[Ordering::Less]),
    ),
    (
        &[
            &["at", "most"],
            &["not", "more", "than"],
            &["no", "more", "than"],
        ],
        ("at most", &[Ordering::Less, Ordering::Equal]),
    ),
    (
        &[
            &["more", "than"],
            &["greater", "than"],
            &["above"],
            &["exceeds"],
            &["higher", "than"],
        ],
        ("more than", &[Ordering::Greater]),
    ),
    (
        &[
            &["at", "least"],
            &["not", "less", "than"],
            &["no", "less", "than"],
        ],
        ("at least", &[Ordering::Greater, Ordering::Equal]),
    ),
];

/// The numbers that a sentence compares where it says when a flag is set, and how.
fn compared<'d>(sentence: &[String], numbers: &[&'d str]) -> Option<((&'d str, &'d str), Order)> {
    let when = sentence.iter().position(|own| is_when(own))?;
    let (before, after) = (&sentence[..when], &sentence[when + 1..]);
    let is_set =
        prose::has(before, &["true"]) && !prose::has(before, &["not", "false", "only", "never"]);
    let after: Vec<&str> = after.iter().map(String::as_str).collect();
    // What is no article, nor says that something is.
    let mut plain = after.iter().copied();
    let plain: Vec<&str> = plain
        .by_ref()
        .filter(|own| !matches!(*own, "the" | "is" | "its" | "are"))
        .collect();
    let starts = |rest: &[&str]| -> Option<(&'d str, usize)> {
        let all = numbers.iter().copied().filter_map(|name| {
            let own = names::words(name);
            let is_it = !own.is_empty()
                && rest.len() >= own.len()
                && own.iter().zip(rest).all(|(one, other)| one == other);
            is_it.then_some((name, own.len()))
        });
        all.max_by_key(|own| own.1)
    };
    let (one, length) = starts(&plain)?;
    let rest = &plain[length..];
    let (order, length) = ORDERS.iter().find_map(|(all, order)| {
        let own = all.iter().find(|own| rest.starts_with(own))?;
        Some((*order, own.len()))
    })?;
    let (other, length_of_other) = starts(&rest[length..])?;
    let is_all = rest.len() == length + length_of_other;
    (is_set && is_all && one != other).then_some(((one, other), order))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_that_compare_numbers() {
        let numbers = ["available", "reorderLevel", "level"];
        for (text, expected) in [
            (
                "`belowReorderLevel` is true when `available` is less than `reorderLevel`",
                Some(("available", "reorderLevel", "less than")),
            ),
            (
                "True if the level is at least the reorder level.",
                Some(("level", "reorderLevel", "at least")),
            ),
            (
                "True when `available` is less than `reorderLevel` or it is locked",
                None,
            ),
            ("True when `available` is less than 5", None),
            ("Not true when `available` is below `level`", None),
            (
                "The item is reordered when `available` is below `level`",
                None,
            ),
        ] {
            let said = prose::spoken(text);
            let found = said.iter().find_map(|own| compared(own, &numbers));
            let found = found.map(|((one, other), (words, _))| (one, other, words));
            assert_eq!(found, expected, "{text}");
        }
    }
}
