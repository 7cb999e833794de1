//! Outcome: what the text of an operation says of single properties after it: "`capture_before` is cleared", "the
//! invoice's `balance` goes down by the amount", "adds one to `runCount`". Pure.

use std::cmp::Ordering;

use openapi_document::{Node, Value};

use crate::names;
use crate::prose;
use crate::value;

use crate::amount::Amount;

/// What a text says a property is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Due {
    /// Null.
    Null,
    /// A number, however many places it is told with.
    Amount(Amount),
    /// A flag.
    Flag(bool),
    /// Null, or with nothing in it.
    Nothing,
    /// Something that is not null.
    Something,
}

impl Due {
    /// The value that a word of a text is.
    pub(crate) fn read(word: &str) -> Option<Self> {
        match word.to_lowercase().as_str() {
            "null" => Some(Self::Null),
            "empty" => Some(Self::Nothing),
            "true" => Some(Self::Flag(true)),
            "false" => Some(Self::Flag(false)),
            "zero" => Amount::read(&value::number(0)).map(Self::Amount),
            own if own.starts_with(|own: char| own.is_ascii_digit()) => {
                Amount::read(&value::string(own)).map(Self::Amount)
            }
            _ => None,
        }
    }

    /// Whether a property is so; what is not of the kind of value that is said cannot be told.
    pub(crate) fn holds(&self, node: &Node) -> bool {
        match (self, &node.value) {
            (Self::Null, own) => matches!(own, Value::Null),
            (Self::Something, own) => !matches!(own, Value::Null),
            (Self::Flag(due), Value::Bool(own)) => due == own,
            (Self::Amount(due), _) => {
                let own = Amount::read_signed(node);
                own.and_then(|own| own.compared(*due))
                    .is_none_or(Ordering::is_eq)
            }
            (Self::Nothing, Value::String(own)) => own.is_empty(),
            (Self::Nothing, Value::Sequence(own)) => own.is_empty(),
            (Self::Nothing, Value::Mapping(own)) => own.entries.is_empty(),
            (Self::Nothing, Value::Bool(own)) => !own,
            (Self::Nothing, _) => Amount::read_signed(node).is_none_or(|own| own.units == 0),
            (Self::Flag(_), _) => true,
        }
    }

    /// How it is told of.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Amount(own) => value::plain(&own.node()),
            Self::Flag(own) => own.to_string(),
            Self::Nothing => "nothing".to_owned(),
            Self::Something => "a value".to_owned(),
        }
    }
}

/// What becomes of a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// It is so afterwards.
    Is(Due),
    /// It is more.
    Up(By),
    /// It is less.
    Down(By),
    /// It is another one.
    Moves,
}

/// How much more or less it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// One.
    One,
    /// The amount of the request.
    Amount,
    /// Nothing tells.
    Some,
}

/// What a text says of a property after an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// The property as the text has it.
    pub(crate) property: String,
    /// The kind of record that it is said to be of; `None` where the text does not say.
    pub(crate) owner: Option<String>,
    /// What becomes of it.
    pub(crate) change: Change,
    /// Whether the property is told by one of its words: `the held balance`.
    pub(crate) is_word: bool,
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
        // Whose property the one before was, and what it did: `amountPaid` goes up and its `balance` down.
        let mut owner = None;
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
                of_part(&part, &mut owner, &mut found);
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
fn of_part(part: &[&str], owner: &mut Option<String>, found: &mut Vec<Outcome>) {
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
    let mut of = owner_before(before, owner.as_deref());
    if let ["of", tail @ ..] = after {
        let end = tail
            .iter()
            .position(|own| is_verb(own))
            .unwrap_or(tail.len());
        of = tail[..end].last().map(|own| names::singular(own));
        after = &tail[end..];
    }
    let change = told_after(after).or_else(|| told_before(before, after));
    let Some(change) = change else { return };
    owner.clone_from(&of);
    for name in named.iter().filter(marked) {
        let property: String = name.chars().filter(|own| *own != '`').collect();
        found.push(Outcome {
            property,
            owner: of.clone(),
            change: change.clone(),
            is_word: false,
        });
    }
}

/// What a clause says of what goes from one balance to another: `the amount goes back from the held to the available
/// balance of the account`.
fn of_shift(clause: &str, found: &mut Vec<Outcome>) {
    let words = names::words(clause);
    let text: Vec<&str> = words.iter().map(String::as_str).collect();
    let by = if text.contains(&"amount") {
        By::Amount
    } else {
        By::Some
    };
    let owner = |rest: &[&str]| match rest {
        ["of", "the", of, ..] => Some((*of).to_owned()),
        _ => None,
    };
    for at in 0..text.len() {
        let (moves, rest) = match &text[at..] {
            ["from", "the", from, "to", "the", to, "balance", rest @ ..] => {
                (vec![(from, Change::Down(by)), (to, Change::Up(by))], rest)
            }
            ["leaves", "the", from, "balance", rest @ ..] => (vec![(from, Change::Down(by))], rest),
            _ => continue,
        };
        found.extend(moves.into_iter().map(|(word, change)| Outcome {
            property: (*word).to_owned(),
            owner: owner(rest),
            change,
            is_word: true,
        }));
    }
}

/// Whose property is named after some words: `the invoice's`, `its` as the one before.
fn owner_before(before: &[&str], last: Option<&str>) -> Option<String> {
    let word = before.last()?;
    if *word == "its" {
        return last.map(str::to_owned);
    }
    let of = word
        .strip_suffix("'s")
        .or_else(|| word.strip_suffix('\''))?;
    Some(names::singular(of))
}

/// What words after a property say of it.
fn told_after(after: &[&str]) -> Option<Change> {
    let (first, rest) = after.split_first()?;
    let is = |own: &str| matches!(own, "is" | "are");
    let value = |own: &[&str]| Due::read(own.first()?.trim_matches(|own| "`.\"".contains(own)));
    match *first {
        "becomes" | "become" => value(rest).map(Change::Is),
        "goes" | "go" => match rest {
            ["back", "to", to @ ..] => value(to).map(Change::Is),
            _ => told_after(rest),
        },
        own if is(own) => match rest {
            ["set"] | ["set", "to", "now" | "today" | "the", ..] => {
                Some(Change::Is(Due::Something))
            }
            ["set", "to", to @ ..] => value(to).map(Change::Is),
            ["cleared" | "emptied", ..] => Some(Change::Is(Due::Nothing)),
            [value, "afterwards" | "again"] => {
                Due::read(value.trim_matches(['`', '"'])).map(Change::Is)
            }
            [own, ..] if MORE.contains(own) || LESS.contains(own) => told_after(rest),
            // "`amount_due` is 0"
            [_] => value(rest).map(Change::Is),
            _ => None,
        },
        own if MORE.contains(&own) => Some(Change::Up(by(rest))),
        own if LESS.contains(&own) => Some(Change::Down(by(rest))),
        "moves" | "advances" => Some(Change::Moves),
        _ => None,
    }
}

/// What words before a property say of it: `adds one to`, `sets`, `clears`, `moves`.
fn told_before(before: &[&str], after: &[&str]) -> Option<Change> {
    let at = before
        .iter()
        .rposition(|own| is_verb(&own.to_lowercase()))?;
    let verb = before[at].to_lowercase();
    let between = &before[at + 1..];
    let is_near = between.len() <= 3;
    let change = match verb.as_str() {
        "adds" => Change::Up(by(&[&["by"], between].concat())),
        own if MORE_OF.contains(&own) => Change::Up(by(after)),
        own if LESS_OF.contains(&own) => Change::Down(by(after)),
        "sets" if matches!(after, [] | ["to", "now" | "today", ..]) => Change::Is(Due::Something),
        "sets" if matches!(after, ["to", _] | ["back", "to", _]) => {
            let edges = |own: char| "`.\"".contains(own);
            Change::Is(Due::read(after.last()?.trim_matches(edges))?)
        }
        "clears" => Change::Is(Due::Nothing),
        "moves" | "advances" => Change::Moves,
        _ => return None,
    };
    is_near.then_some(change)
}

/// How much it is, by the words after the verb.
fn by(words: &[&str]) -> By {
    let edges = |own: char| "`.".contains(own);
    match words {
        ["by", "one" | "1", ..] => By::One,
        ["by", "it" | "amount" | "`amount`", ..] | ["by", "as", "much", ..] => By::Amount,
        ["by", "the" | "its" | "that", amount, ..] if amount.trim_matches(edges) == "amount" => {
            By::Amount
        }
        _ => By::Some,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        let change = |own: &Change| match own {
            Change::Is(due) => format!("is {}", due.shown()),
            Change::Up(by) => format!("up {by:?}"),
            Change::Down(by) => format!("down {by:?}"),
            Change::Moves => "moves".to_owned(),
        };
        let all = outcomes(text).into_iter();
        all.map(|own| {
            let of = own
                .owner
                .map(|own| format!(" of {own}"))
                .unwrap_or_default();
            format!("{}{of} {}", own.property, change(&own.change))
        })
        .collect()
    }

    #[test]
    fn what_texts_say_of_properties() {
        for (text, expected) in [
            (
                "What is not captured is released, so `amount_capturable` is `0.00` afterwards, and `capture_before` is cleared.",
                &["amount_capturable is 0.00", "capture_before is nothing"][..],
            ),
            (
                "Nothing can be captured of it: `left` becomes `0.00`, `before` is cleared and `cancelled_at` is set.",
                &[
                    "left is 0.00",
                    "before is nothing",
                    "cancelled_at is a value",
                ],
            ),
            (
                "The invoice's `amountPaid` goes up and its `balance` down by the amount.",
                &[
                    "amountPaid of invoice up Some",
                    "balance of invoice down Amount",
                ],
            ),
            (
                "The payment's `amount_refunded` grows by the amount of the refund",
                &["amount_refunded of payment up Amount"],
            ),
            (
                "Each run adds one to `runCount`, makes the draft the `lastId`, and moves `nextRunOn` by one interval.",
                &["runCount up One", "nextRunOn moves"],
            ),
            (
                "The `accountCount` of the seller goes up by one.",
                &["accountCount of seller up One"],
            ),
            (
                "`estimatedArrival` becomes null",
                &["estimatedArrival is null"],
            ),
            ("`resolvedAt` is set.", &["resolvedAt is a value"]),
            (
                "Makes it `active` again and sets `pausedAt` to null.",
                &["pausedAt is null"],
            ),
            (
                "Makes a paused one active again and sets `paused_at` back to null.",
                &["paused_at is null"],
            ),
            (
                "After the payment the invoice is `paid`, `paid_at` is set and `due` is 0.",
                &["paid_at is a value", "due is 0"],
            ),
            (
                "Nothing is due on it any more (`due` is 0) and `voided_at` is set.",
                &["due is 0", "voided_at is a value"],
            ),
            ("Pays an invoice whose `total` is 0", &[]),
            (
                "Sets `issueDate` to today (UTC) and assigns the next number.",
                &["issueDate is a value"],
            ),
            (
                "The transfer's `disputedMinor` goes up by it.",
                &["disputedMinor of transfer up Amount"],
            ),
            (
                "It becomes `cancelled`, and the amount goes back from the held to the available balance of the account (entry `back`).",
                &[
                    "held of account down Amount",
                    "available of account up Amount",
                ],
            ),
            (
                "The amount leaves the held balance of the account, which the available balance does not notice",
                &["held of account down Amount"],
            ),
            (
                "If it is won, the amount goes back from the held to the available balance",
                &[],
            ),
            // What holds sometimes, and what is said of something else.
            ("If it was paid, `paidAt` is cleared", &[]),
            ("`status` becomes `paid` when nothing is left", &[]),
            ("`paidAt` is not cleared", &[]),
            ("With `full`, `left` becomes null", &[]),
            ("`name` is the one that was sent", &[]),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
    }

    #[test]
    fn what_texts_say_that_holds() {
        let read = |text| openapi_document::json::read_text(text).unwrap();
        for (word, value, expected) in [
            ("null", "null", true),
            ("null", "\"\"", false),
            ("0.00", "\"0.00\"", true),
            ("0.00", "\"80.50\"", false),
            ("0", "0", true),
            ("zero", "\"0.00\"", true),
            ("0", "null", true),
            ("false", "true", false),
            ("empty", "[]", true),
            ("empty", "[1]", false),
        ] {
            let due = Due::read(word).unwrap();
            assert_eq!(due.holds(&read(value)), expected, "{word} {value}");
        }
        assert_eq!(Due::read("nullable"), None);
        assert!(!Due::Something.holds(&read("null")) && !Due::Nothing.holds(&read("\"x\"")));
    }
}
