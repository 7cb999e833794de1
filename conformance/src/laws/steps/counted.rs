//! Counted: what the description of a property says that it counts or dates: "how many payments were made for the
//! customer", "when the last order was placed". Pure.

use crate::model::{names, prose};

/// What a property tells of other records.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    /// How many there are, or were.
    Number,
    /// How many are in one of some states now.
    Standing(Vec<String>),
    /// When the last one was made.
    Last,
}

/// What a description says of the records of a kind.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) what: Counted,
    /// The kind of record, in the singular.
    pub(crate) kind: String,
    /// The participle of what was done with them, where it is not that they were made.
    pub(crate) deed: Option<String>,
    /// States of those that are said not to be counted.
    pub(crate) without: Vec<String>,
    /// States of those that are said to be counted all the same.
    pub(crate) with: Vec<String>,
}

/// Participles of what is made, whatever it is.
const MADE: [&str; 9] = [
    "made",
    "created",
    "opened",
    "registered",
    "added",
    "placed",
    "received",
    "recorded",
    "booked",
];

/// Words that may stand between `how many` and the kind, or between it and what was done.
const PLAIN: [&str; 14] = [
    "the",
    "all",
    "of",
    "different",
    "have",
    "has",
    "had",
    "been",
    "was",
    "were",
    "that",
    "which",
    "so",
    "far",
];

/// What a description says, where it tells of a kind of record; `states` are those of all records that it may be.
pub(crate) fn told(text: &str, states: &[&str]) -> Option<Told> {
    let sentences = prose::sentences(text);
    let (first, rest) = sentences.split_first()?;
    let words = spoken(first.split(',').next()?);
    let text: Vec<&str> = words.iter().map(String::as_str).collect();
    let (what, at) = opening(&text)?;
    // `ledger entries the account has`
    let ends = |own: &&str| PLAIN.contains(own) || matches!(*own, "in" | "for" | "are" | "there");
    let phrase = text.get(at..)?.iter().take_while(|own| !ends(own));
    let first_of_kind = at;
    let at = at + phrase.count().checked_sub(1)?;
    // `its paid collections` are those that are paid now.
    let before = text.get(first_of_kind..at)?.iter();
    let named: Vec<String> = before
        .filter(|own| states.contains(own))
        .map(|own| (*own).to_owned())
        .collect();
    let mut told = Told {
        kind: names::singular(text.get(at)?),
        deed: None,
        without: Vec::new(),
        with: Vec::new(),
        what,
    };
    let clause = text.get(at + 1..)?;
    if !named.is_empty() {
        let is_plain = matches!(clause, [] | ["of", "the", _]);
        told.what = match told.what {
            Counted::Number => Counted::Standing(named),
            _ => return None,
        };
        return is_plain.then_some(told);
    }
    if let (Counted::Number, Some(known)) = (&told.what, standing(clause, states)) {
        told.what = Counted::Standing(known);
        return Some(told);
    }
    told.deed = deed(clause, &told.what)?;
    let others = rest.iter().map(|own| spoken(own));
    let parts = first.split(',').skip(1).map(spoken);
    for own in others.chain(parts) {
        let named = states
            .iter()
            .filter(|state| own.iter().any(|own| own == *state));
        let named: Vec<String> = named.map(|own| (*own).to_owned()).collect();
        if prose::has(&own, &["included", "including", "too", "count"])
            && !prose::has(&own, &["not"])
        {
            told.with.extend(named);
        } else if prose::has(&own, &["not", "without", "excluding", "except"]) {
            told.without.extend(named);
        }
    }
    Some(told)
}

/// The words of a text; a state of several words stays one.
fn spoken(text: &str) -> Vec<String> {
    let edges = |own: char| !(own.is_alphanumeric() || own == '_');
    let words = text.split(|own: char| own.is_whitespace() || own == ',');
    let words = words.map(|own| own.trim_matches(edges));
    words
        .filter(|own| !own.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// What a sentence begins to tell, and where the kind of record stands.
fn opening(text: &[&str]) -> Option<(Counted, usize)> {
    let after = |from: usize| {
        let at = text
            .get(from..)?
            .iter()
            .position(|own| !PLAIN.contains(own))?;
        Some(from + at)
    };
    match text {
        ["how", "many", ..] | ["number", "of", ..] => Some((Counted::Number, after(2)?)),
        ["the", "number", "of", ..] => Some((Counted::Number, after(3)?)),
        ["when", "the", "last" | "latest" | "newest", ..] => Some((Counted::Last, after(3)?)),
        _ => None,
    }
}

/// The states that what is counted is in now: `that are authorized`.
fn standing(clause: &[&str], states: &[&str]) -> Option<Vec<String>> {
    const BETWEEN: [&str; 6] = ["currently", "now", "in", "status", "state", "either"];
    let at = clause.iter().position(|own| *own == "are")?;
    let mut rest = clause[at + 1..].iter();
    let first = rest.find(|own| !BETWEEN.contains(own))?;
    let is_plain = !clause.contains(&"not") && states.contains(first);
    let all = std::iter::once(first).chain(rest);
    let known = all.filter(|own| states.contains(own));
    is_plain.then(|| known.map(|own| (*own).to_owned()).collect())
}

/// The participle of what was done with the records, unless they were made; `None` where it cannot be told.
#[allow(
    clippy::option_option,
    reason = "whether it can be told, and whether it is another deed"
)]
fn deed(clause: &[&str], what: &Counted) -> Option<Option<String>> {
    let is_done = |own: &&&str| names::is_participle(own) || MADE.contains(own);
    let mut done = clause.iter().filter(is_done);
    match what {
        Counted::Standing(_) => Some(None),
        Counted::Last | Counted::Number if clause.contains(&"not") => None,
        Counted::Last | Counted::Number => match done.next() {
            Some(own) if MADE.contains(own) => Some(None),
            Some(own) => Some(Some((*own).to_owned())),
            None if clause.contains(&"has") => Some(None),
            None => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_descriptions_count() {
        let states = [
            "draft",
            "issued",
            "partially_paid",
            "void",
            "failed",
            "authorized",
        ];
        let tell = |text: &str| {
            let own = told(text, &states)?;
            let deed = own.deed.unwrap_or_default();
            let (with, without) = (own.with.join("+"), own.without.join("-"));
            Some(format!(
                "{:?} {} {deed} {with} {without}",
                own.what, own.kind
            ))
        };
        for (text, expected) in [
            (
                "How many payments were made for the customer. Failed ones do not count.",
                Some("Number payment   failed"),
            ),
            (
                "How many invoices have been issued to the client, void ones included.",
                Some("Number invoice issued void "),
            ),
            (
                "How many orders were made, void ones included.",
                Some("Number order  void "),
            ),
            (
                "How many accounts the seller has.",
                Some("Number account   "),
            ),
            (
                "When the last payment that counts was created; null while there is none",
                Some("Last payment   "),
            ),
            (
                "The number of its `issued` invoices",
                Some("Standing([\"issued\"]) invoice   "),
            ),
            (
                "How many ledger entries the account has",
                Some("Number entry   "),
            ),
            (
                "The number of payments of this customer that are `authorized`.",
                Some("Standing([\"authorized\"]) payment   "),
            ),
            (
                "How many payments that are not `authorized` there are.",
                None,
            ),
            ("How many days it takes", None),
            ("The sum of the amounts of all refunds", None),
            ("When the payment was made", None),
        ] {
            assert_eq!(tell(text).as_deref(), expected, "{text}");
        }
    }
}
