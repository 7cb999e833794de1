//! Outcome: what the text of an operation says of single properties after it: "`balance` goes down by the amount", "adds one to
//! `runCount`". Pure.

use crate::names;
use crate::prose;

/// What becomes of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// It is more.
    Up,
    /// It is less.
    Down,
}

/// What a text says of a property after an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// The property as the text has it.
    pub(crate) property: String,
    /// What becomes of it.
    pub(crate) change: Change,
}

/// Words of a clause, or of one before it in its sentence, that make what it says hold sometimes only.
const SOMETIMES: [&str; 24] = [
    "if",
    "unless",
    "when",
    "where",
    "until",
    "while",
    "otherwise",
    "may",
    "might",
    "can",
    "cannot",
    "not",
    "never",
    "no",
    "only",
    "with",
    "without",
    "or",
    "then",
    "would",
    "should",
    "except",
    "first",
    "later",
];

/// What a text says of properties after the operation that it describes.
pub(crate) fn outcomes(text: &str) -> Vec<Outcome> {
    let mut found = Vec::new();
    for sentence in prose::sentences(text) {
        for clause in sentence
            .split([',', ':'])
            .filter(|own| !own.trim().is_empty())
        {
            if is_sometimes(clause) {
                if opens(clause) {
                    break;
                }
                continue;
            }
            of_shift(clause, &mut found);
            for part in parts(clause) {
                of_part(&part, &mut found);
            }
        }
    }
    found
}

/// Whether a clause may not hold, or what it says is doubtful.
fn is_sometimes(clause: &str) -> bool {
    let plain = clause.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    prose::has(&names::words(&plain), &SOMETIMES)
}

/// Whether a clause is the condition of those after it.
fn opens(clause: &str) -> bool {
    const OPEN: [&str; 9] = [
        "if",
        "unless",
        "when",
        "where",
        "until",
        "while",
        "otherwise",
        "with",
        "without",
    ];
    let words = names::words(clause);
    let begins = |own: &String| OPEN.contains(&own.as_str());
    words.iter().take(2).any(begins)
}

/// The parts of a clause, each with all that is said of its properties: `the amountPaid goes up` and `its balance down by
/// the amount`, but `voidedAt and voidReason are set` as one.
fn parts(clause: &str) -> Vec<Vec<&str>> {
    let mut parts = vec![Vec::new()];
    let mut has_verb = false;
    let bracket = |own: char| matches!(own, '(' | ')');
    let words = clause
        .split_whitespace()
        .map(|own| own.trim_matches(bracket));
    let words: Vec<&str> = words.filter(|own| !own.is_empty()).collect();
    for (at, word) in words.iter().copied().enumerate() {
        // `Makes it active and sets ...` says two things, the first of them without such a verb.
        let begins = words
            .get(at + 1)
            .is_some_and(|own| matches!(*own, "sets" | "clears"));
        if word == "and" && (has_verb || begins) {
            parts.push(Vec::new());
            has_verb = false;
            continue;
        }
        has_verb |= is_verb(word);
        if let Some(last) = parts.last_mut() {
            last.push(word);
        }
    }
    parts
}

/// Verbs of what is more, and of what is less, afterwards.
const MORE: [&str; 9] = [
    "up",
    "grows",
    "grow",
    "rises",
    "increases",
    "increased",
    "increments",
    "incremented",
    "raised",
];
const LESS: [&str; 9] = [
    "down",
    "falls",
    "decreases",
    "decreased",
    "decrements",
    "decremented",
    "reduced",
    "lowered",
    "shrinks",
];

/// Verbs that stand before what they do it to.
const MORE_OF: [&str; 6] = [
    "increases",
    "increments",
    "raises",
    "adds",
    "counts",
    "grows",
];
const LESS_OF: [&str; 5] = ["decreases", "decrements", "lowers", "reduces", "subtracts"];

fn is_verb(word: &str) -> bool {
    const OTHER: [&str; 12] = [
        "becomes", "become", "is", "are", "moves", "sets", "clears", "set", "cleared", "advances",
        "goes", "go",
    ];
    [&OTHER[..], &MORE, &LESS, &MORE_OF, &LESS_OF]
        .iter()
        .any(|own| own.contains(&word))
}

/// What a part says of the properties that it names.
fn of_part(part: &[&str], found: &mut Vec<Outcome>) {
    const OF_SOME: [&str; 4] = ["whose", "whom", "which", "that"];
    let marked = |own: &&&str| own.starts_with('`');
    let Some(first) = part.iter().position(|own| marked(&own)) else {
        return;
    };
    let joins = |own: &str| own.starts_with('`') || matches!(own, "and" | "the" | "its");
    let rest = &part[first..];
    let many = rest.iter().take_while(|own| joins(own)).count();
    let (named, after) = rest.split_at(many);
    let (before, mut after) = (&part[..first], after);
    // What is said of some records only.
    if before.iter().any(|own| OF_SOME.contains(own)) {
        return;
    }
    if let ["of", tail @ ..] = after {
        let end = tail.iter().position(|own| is_verb(own));
        after = &tail[end.unwrap_or(tail.len())..];
    }
    let change = told_after(after).or_else(|| told_before(before));
    let Some(change) = change else { return };
    for name in named.iter().filter(marked) {
        let property: String = name.chars().filter(|own| *own != '`').collect();
        found.push(Outcome { property, change });
    }
}

/// What a clause says of what goes from one balance to another: `the amount goes back from the held to the available
/// balance of the account`.
fn of_shift(clause: &str, found: &mut Vec<Outcome>) {
    let words = names::words(clause);
    let text: Vec<&str> = words.iter().map(String::as_str).collect();
    for at in 0..text.len() {
        let moves = match &text[at..] {
            ["from", "the", from, "to", "the", to, "balance", ..] => {
                vec![(from, Change::Down), (to, Change::Up)]
            }
            ["leaves", "the", from, "balance", ..] => vec![(from, Change::Down)],
            _ => continue,
        };
        found.extend(moves.into_iter().map(|(word, change)| Outcome {
            property: (*word).to_owned(),
            change,
        }));
    }
}

/// What words after a property say of it.
fn told_after(after: &[&str]) -> Option<Change> {
    let (first, rest) = after.split_first()?;
    match *first {
        "goes" | "go" if !rest.starts_with(&["back", "to"]) => told_after(rest),
        "is" | "are" => {
            let verb = rest.first()?;
            (MORE.contains(verb) || LESS.contains(verb)).then(|| told_after(rest))?
        }
        own if MORE.contains(&own) => Some(Change::Up),
        own if LESS.contains(&own) => Some(Change::Down),
        _ => None,
    }
}

/// What words before a property say of it: `adds one to`.
fn told_before(before: &[&str]) -> Option<Change> {
    let at = { before.iter() }.rposition(|own| is_verb(&own.to_lowercase()))?;
    let verb = before[at].to_lowercase();
    let is_near = before[at + 1..].len() <= 3;
    let change = match verb.as_str() {
        own if MORE_OF.contains(&own) => Change::Up,
        own if LESS_OF.contains(&own) => Change::Down,
        _ => return None,
    };
    is_near.then_some(change)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_texts_say_of_properties() {
        for (text, expected) in [
            (
                "The invoice's `amountPaid` goes up and its `balance` down by the amount.",
                &["amountPaid Up", "balance Down"][..],
            ),
            (
                "Each run adds one to `runCount`, and moves `nextRunOn` by one interval.",
                &["runCount Up"],
            ),
            (
                "It becomes `cancelled`, and the amount goes back from the held to the available balance of the account.",
                &["held Down", "available Up"],
            ),
            // What holds sometimes, and what is said of something else.
            (
                "If it is won, the amount goes back from the held to the available balance",
                &[],
            ),
            ("`status` becomes `paid` when nothing is left", &[]),
            ("`name` is the one that was sent", &[]),
        ] {
            let told = outcomes(text).into_iter();
            let told: Vec<String> = told
                .map(|own| format!("{} {:?}", own.property, own.change))
                .collect();
            assert_eq!(told, expected, "{text}");
        }
    }
}
