//! Tally: what a sentence says that a number is made of. Pure.

use openapi_document::Node;

use crate::names;
use crate::prose;
use crate::value;

use crate::amount::Amount;

/// What a number is made of.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tally<'s> {
    of: Of<'s>,
    /// The states that count; all of them where none is named.
    states: Vec<&'s str>,
    /// What else is asked of a record that counts.
    tags: Vec<Tag<'s>>,
    /// What is taken off the amount of each.
    less: Vec<&'s str>,
    /// Whether a record tells that it was in such a state once: what has a `captured_at` may be one of the captured ones for good.
    is_lasting: bool,
    /// Whether the property that is summed up is called by its name.
    pub(super) is_named: bool,
}

/// A listed value of a property, or of a part of it: of a `payment` the `method` that is `cash`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tag<'s> {
    pub(super) path: Vec<&'s str>,
    pub(super) value: &'s str,
}

impl Tag<'_> {
    fn is_of(&self, record: &Node) -> bool {
        let mut path = self.path.iter();
        let told = path.try_fold(record, |own, name| own.get(name));
        told.and_then(Node::as_str) == Some(self.value)
    }
}

/// What is counted of each record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of<'s> {
    /// The record.
    Number,
    /// An amount of it.
    Sum(&'s str),
}

impl Tally<'_> {
    /// Whether a record in a state counts.
    pub(super) fn counts(&self, record: &Node, state: Option<&str>) -> bool {
        let is_in_one = state.is_some_and(|own| self.states.contains(&own));
        let is_tagged = self.tags.iter().all(|own| own.is_of(record));
        (self.states.is_empty() || is_in_one) && is_tagged
    }

    /// Whether nothing is said of what a record that does not count any more leaves: what is taken off its amount, or what it was once.
    pub(super) fn is_open(&self) -> bool {
        !self.less.is_empty() || self.is_lasting
    }

    /// What a record adds; nothing where it does not count.
    pub(super) fn part(&self, record: Option<&Node>) -> Option<Amount> {
        let counted = |own: u8| Amount::read(&value::number(own));
        let Some(record) = record else {
            return counted(0);
        };
        let Of::Sum(name) = self.of else {
            return counted(1);
        };
        let amount = |name: &str| {
            let own = record.get(name)?;
            let none = own.is_null().then(|| counted(0)).flatten();
            none.or_else(|| Amount::read_signed(own))
        };
        let all = self.less.iter().map(|own| amount(own));
        let mut all = all.collect::<Option<Vec<_>>>()?.into_iter();
        all.try_fold(amount(name)?, |sum, less| sum.plus(less.with(-less.units)))
    }

    /// What is said, in short.
    pub(super) fn said(&self) -> String {
        let tags: Vec<&str> = self.tags.iter().map(|own| own.value).collect();
        let states = [self.states.join(" or "), tags.join(" and ")];
        let said: Vec<&str> = states.iter().map(String::as_str).collect();
        let said: Vec<&str> = said.into_iter().filter(|own| !own.is_empty()).collect();
        let whose = if said.is_empty() {
            "all records".to_owned()
        } else {
            format!("records that are {}", said.join(", and "))
        };
        let less: Vec<String> = self
            .less
            .iter()
            .map(|own| format!(" less `{own}`"))
            .collect();
        match self.of {
            Of::Number => format!("it is said to be the number of {whose}"),
            Of::Sum(name) => format!(
                "it is said to be the sum of `{name}`{} of {whose}",
                less.concat()
            ),
        }
    }
}

/// Whether a sentence says of a number that it is made of something.
pub(super) fn is_tally(words: &[String]) -> bool {
    counts_records(words) || adds_up(words)
}

fn counts_records(words: &[String]) -> bool {
    has_pair(words, ["how", "many"]) || has_pair(words, ["number", "of"])
}

fn adds_up(words: &[String]) -> bool {
    has_pair(words, ["add", "up"]) || prose::has(words, &["sum", "total", "totals", "amounts"])
}

fn has_pair(words: &[String], pair: [&str; 2]) -> bool {
    words.windows(2).any(|own| own == pair)
}

/// What a sentence says that a number is made of, where that is a kind of record with some states and properties.
pub(super) fn tally<'s>(
    words: &[String],
    kind: &str,
    (states, properties, tags): (&[&'s str], &[&'s str], &[Tag<'s>]),
) -> Option<Tally<'s>> {
    let words = without_not_yet(words);
    let was_successful = prose::has(&words, &["successful"]);
    let (words, left_out) = without_rest(&words, states);
    let (words, less) = match words.iter().position(|own| own == "less") {
        Some(at) => (&words[..at], less(&words[at + 1..], properties)?),
        None => (&words[..], Vec::new()),
    };
    let noun = names::words(kind).pop()?;
    let is_noun = |own: &String| *own != noun && names::singular(own) == noun;
    let at = words.iter().position(is_noun)?;
    let summed = summed(&words[..at], properties).filter(|_| !counts_records(words));
    let of = match summed {
        Some(own) if adds_up(words) => Of::Sum(own),
        _ if counts_records(words) => Of::Number,
        _ => return None,
    };
    let mut left: Vec<&str> = words.iter().map(String::as_str).collect();
    left[at] = "";
    // "The captured amounts of all payments" are not those of the captured ones.
    let property = summed.map(names::words).filter(|own| own.len() > 1);
    if let Some(property) = &property {
        let is_it = |part: &[&str]| {
            let mut pairs = part.iter().zip(property);
            pairs.all(|(word, own)| word == own || names::singular(word) == *own)
        };
        let place = left[..at].windows(property.len()).position(is_it);
        if let Some(place) = place {
            left[place..place + property.len()].fill("");
        }
    }
    let mut named = named(&mut left, states);
    if !left_out.is_empty() && named.is_empty() {
        let others = states.iter().filter(|own| !left_out.contains(own));
        named.extend(others);
    }
    let tags = tagged(&mut left, at, tags);
    // What was successful once may be refunded since.
    let is_told = || named.iter().any(|own| is_told_by(own, properties));
    let is_lasting = was_successful || (left_out.is_empty() && is_told());
    is_all_said(&left, at, summed).then_some(Tally {
        of,
        states: named,
        tags,
        less,
        is_lasting,
        is_named: summed.is_some_and(|own| own != "amount") || prose::has(words, &["amounts"]),
    })
}

/// Whether a property tells of a state beside the one that is the state: `captured_at`, `captured_amount`.
fn is_told_by(state: &str, properties: &[&str]) -> bool {
    let state = names::words(state);
    let mut all = properties.iter().map(|own| names::words(own));
    all.any(|own| own.len() > state.len() && own.starts_with(&state))
}

/// The states that words name, which are taken out of them: `partially_paid` is not `paid`.
fn named<'s>(words: &mut [&str], states: &[&'s str]) -> Vec<&'s str> {
    let mut longest: Vec<(usize, Vec<String>)> = states
        .iter()
        .map(|own| names::words(own))
        .enumerate()
        .collect();
    longest.sort_by_key(|own| std::cmp::Reverse(own.1.len()));
    let mut found = Vec::new();
    for (index, own) in longest {
        let at = words
            .windows(own.len().max(1))
            .position(|part| part.iter().eq(&own));
        if let Some(at) = at {
            words[at..at + own.len()].fill("");
            found.push(index);
        }
    }
    found.sort_unstable();
    found
        .into_iter()
        .filter_map(|own| states.get(own).copied())
        .collect()
}

/// Whether nothing else is said of the records that are counted, by words from which they and their states are taken: any other
/// word may leave some of them out.
fn is_all_said(words: &[&str], at: usize, summed: Option<&str>) -> bool {
    const SAID: [&str; 26] = [
        "",
        "what",
        "which",
        "is",
        "are",
        "the",
        "a",
        "of",
        "to",
        "its",
        "their",
        "all",
        "and",
        "or",
        "in",
        "status",
        "state",
        "that",
        "how",
        "many",
        "number",
        "right",
        "now",
        "currently",
        "add",
        "up",
    ];
    const SUMS: [&str; 6] = ["sum", "total", "totals", "amounts", "amount", "s"];
    let begins = words[..at]
        .iter()
        .rposition(|own| matches!(*own, "sum" | "number" | "many" | "amounts" | "totals"));
    let property = summed.map(names::words).unwrap_or_default();
    let mut rest = words.iter().enumerate().skip(begins.unwrap_or_default());
    rest.all(|(index, own)| {
        let is_of =
            |before: &str| index >= 2 && words[index - 2] == "of" && words[index - 1] == before;
        let is_owner = words.get(index + 1) == Some(&"s") || is_of("the") || is_of("this");
        let is_property =
            property.contains(&names::singular(own)) || property.iter().any(|one| one == own);
        SAID.contains(own) || SUMS.contains(own) || is_owner || is_property
    })
}

/// The values that the words before the records tell of them, which are taken out of them: cash sales.
fn tagged<'s>(words: &mut [&str], at: usize, tags: &[Tag<'s>]) -> Vec<Tag<'s>> {
    let mut found = Vec::new();
    for tag in tags {
        let own = names::words(tag.value);
        let from = at.checked_sub(own.len()).filter(|_| !own.is_empty());
        let Some(from) = from.filter(|from| words[*from..at].iter().eq(&own)) else {
            continue;
        };
        words[from..at].fill("");
        found.push(tag.clone());
    }
    found
}

/// The words without what says nothing more of what is counted (`tips included`, `before refunds and fees`), nor of what is not: the
/// states of `without voided ones`. What is successful is in the state that is called so.
fn without_rest<'s>(words: &[String], states: &[&'s str]) -> (Vec<String>, Vec<&'s str>) {
    const WITHOUT: [&str; 3] = ["without", "except", "excluding"];
    let mut words = words.to_vec();
    let mut left_out = Vec::new();
    let success = states.iter().find(|own| own.starts_with("succe"));
    for word in words.iter_mut().filter(|own| *own == "successful") {
        if let Some(own) = success {
            (*own).clone_into(word);
        }
    }
    if let Some(at) = words.iter().position(|own| WITHOUT.contains(&own.as_str())) {
        let rest = words[at + 1..].join(" ");
        let rest = rest.strip_prefix("the ").unwrap_or(&rest);
        let state = states.iter().find(|own| {
            let own = names::words(own).join(" ");
            rest == own || rest == format!("{own} ones")
        });
        if let Some(state) = state {
            left_out.push(*state);
            words.truncate(at);
        }
    }
    if let Some(at) = words
        .iter()
        .position(|own| own == "before")
        .filter(|at| *at > 2)
    {
        let is_list = |(index, own): (usize, &String)| index % 2 == 0 || own == "and";
        if words[at + 1..].iter().enumerate().all(is_list) {
            words.truncate(at);
        }
    }
    if let [rest @ .., _, last] = &words[..]
        && last == "included"
        && !rest.is_empty()
    {
        words.truncate(rest.len());
    }
    (words, left_out)
}

/// The words without `and not yet paid`, which says nothing that the state does not.
fn without_not_yet(words: &[String]) -> Vec<String> {
    let mut words = words.to_vec();
    let starts = |own: &[String]| own[0] == "and" && own[1] == "not" && own[2] == "yet";
    if let Some(at) = words.windows(3).position(starts) {
        words.drain(at..words.len().min(at + 4));
    }
    words
}

/// The property that is summed: the one that the words before the records name, else their amount.
fn summed<'s>(before: &[String], properties: &[&'s str]) -> Option<&'s str> {
    let singular: Vec<String> = before.iter().map(|own| names::singular(own)).collect();
    let is_named = |own: &&&str| {
        let own = names::words(own);
        own.len() > 1 && singular.windows(own.len()).any(|part| part == own)
    };
    let last = |own: &&&str| {
        let behind = singular
            .iter()
            .position(|own| own == "sum")
            .map_or(0, |at| at + 1);
        names::words(own).len() == 1 && singular[behind..].iter().any(|word| names::same(word, own))
    };
    let is_amount = |own: &&&str| **own == "amount";
    let mut all = properties.iter();
    let named = all
        .clone()
        .find(is_named)
        .or_else(|| all.clone().find(last));
    named.or_else(|| all.find(is_amount)).copied()
}

/// The properties that are taken off: `less fees and refunds`.
fn less<'s>(words: &[String], properties: &[&'s str]) -> Option<Vec<&'s str>> {
    const BETWEEN: [&str; 7] = ["and", "their", "its", "the", "any", "all", "of"];
    let nouns = words.iter().filter(|own| !BETWEEN.contains(&own.as_str()));
    let found = nouns.map(|own| {
        let noun = names::singular(own);
        let tells = |name: &&&str| {
            let mut words = names::words(name).into_iter();
            words.any(|word| word == noun || names::is_done(&word, &noun))
        };
        properties.iter().find(tells).copied()
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_numbers_are_made_of() {
        let states = ["draft", "sent", "partially_paid", "paid", "void", "pending"];
        let properties = [
            "id",
            "status",
            "amount",
            "total",
            "amountDue",
            "fee",
            "amount_refunded",
        ];
        let sum = |name, states: &[&'static str], less: &[&'static str]| {
            Some(Tally {
                of: Of::Sum(name),
                states: states.to_vec(),
                tags: Vec::new(),
                less: less.to_vec(),
                is_lasting: false,
                is_named: false,
            })
        };
        let number = |states: &[&'static str]| {
            Some(Tally {
                of: Of::Number,
                states: states.to_vec(),
                tags: Vec::new(),
                less: Vec::new(),
                is_lasting: false,
                is_named: false,
            })
        };
        for (text, expected) in [
            (
                "What the client owes, which is the sum of the amounts due of its sent invoices",
                sum("amountDue", &["sent"], &[]),
            ),
            (
                "The sum of the totals of the sent and paid invoices",
                sum("total", &["sent", "paid"], &[]),
            ),
            (
                "The amounts of all pending invoices",
                sum("amount", &["pending"], &[]),
            ),
            (
                "What its paid invoices add up to, less their refunds",
                sum("amount", &["paid"], &["amount_refunded"]),
            ),
            (
                "The amounts of all paid invoices, less fees and refunds",
                sum("amount", &["paid"], &["fee", "amount_refunded"]),
            ),
            ("The amounts of all paid invoices, less discounts", None),
            (
                "How many invoices are sent and not yet paid",
                number(&["sent"]),
            ),
            (
                "How many of its invoices are pending right now",
                number(&["pending"]),
            ),
            (
                "Sum of the totals of all invoices of the client in status `sent` or `partially_paid`",
                sum("total", &["sent", "partially_paid"], &[]),
            ),
            (
                "The sum of the amounts of all invoices",
                sum("amount", &[], &[]),
            ),
            (
                "The sum of the invoices that were approved on appeal, not others",
                None,
            ),
            (
                "The sum of the totals of its `partially_paid` and `paid` invoices",
                sum("total", &["partially_paid", "paid"], &[]),
            ),
            ("The sum of the amounts of its open invoices", None),
            (
                "The sum of the amounts of all invoices that were approved",
                None,
            ),
            (
                "The sum of the amounts of all invoices, converted to EUR",
                None,
            ),
            ("The sum of the payments on these invoices", None),
            ("The sum of the invoices of this month", None),
            ("The total of the invoice", None),
        ] {
            let found = tally(&names::words(text), "invoice", (&states, &properties, &[]));
            let found = found.map(|own| Tally {
                is_named: false,
                ..own
            });
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn what_was_in_a_state_once() {
        let states = ["authorized", "captured", "refunded"];
        let properties = ["id", "status", "amount", "captured_amount", "captured_at"];
        let found = |text: &str| tally(&names::words(text), "payment", (&states, &properties, &[]));
        let own = found("Number of captured payments").unwrap();
        assert_eq!(own.states, ["captured"]);
        assert!(own.is_open());
        let own = found("Sum of the captured amounts of all payments").unwrap();
        assert_eq!(own.of, Of::Sum("captured_amount"));
        assert!(own.states.is_empty() && !own.is_open());
        let own = found("Sum of the captured amounts of captured payments").unwrap();
        assert_eq!(own.states, ["captured"]);
    }

    #[test]
    fn what_else_is_asked_of_what_counts() {
        let states = ["completed", "returned", "voided"];
        let properties = ["id", "status", "total", "payment"];
        let cash = Tag {
            path: vec!["payment", "method"],
            value: "cash",
        };
        let tags = [cash.clone()];
        let found = |text: &str| tally(&names::words(text), "sale", (&states, &properties, &tags));
        let own = found("totals of the shift's cash sales, without voided ones").unwrap();
        assert_eq!(own.of, Of::Sum("total"));
        assert_eq!(own.states, ["completed", "returned"]);
        assert_eq!(own.tags, [cash]);
        let sale = |method: &str| {
            let text = format!(r#"{{"payment":{{"method":"{method}"}}}}"#);
            openapi_document::json::read_text(&text).unwrap()
        };
        assert!(own.counts(&sale("cash"), Some("returned")));
        assert!(!own.counts(&sale("card"), Some("returned")));
        assert!(!own.counts(&sale("cash"), Some("voided")));
        assert!(found("totals of the sales, without those of cash").is_none());
        assert!(found("totals of the sales of the till in cash").is_none());
        let states = ["succeeded", "failed"];
        let found = |text: &str| tally(&names::words(text), "payment", (&states, &["amount"], &[]));
        let own = found(
            "Sum of the amounts of the successful payments, tips included, before refunds and fees",
        );
        assert_eq!(own.map(|own| own.states), Some(vec!["succeeded"]));
        assert!(found("Sum of the amounts of payments before the refunds of today").is_none());
    }
}
