//! Showing: derives from a documented pair the values that an operation must set or leave. Pure.
//!
//! Values of the request, and values that differ between servers, are left out.

use openapi_document::{Node, Value};

use crate::names;
use crate::prose;

use crate::amount::{self, Amount};
use crate::names::is_time_of_making;
use crate::scene::actions::Actions;
use crate::scene::compare::tells_of_changes;

/// The required value of a property.
#[derive(Debug, Clone)]
pub(crate) enum Due {
    /// The value before the step.
    Kept(Node),
    /// The value of the documented answer.
    Value(Node),
    /// Null, or absent.
    Nothing,
    /// Anything but null.
    Something,
    /// An array or an object that is not empty.
    Items,
}

/// The required value of a property, from a documented pair.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    /// The property.
    pub(crate) name: String,
    /// Its required value.
    pub(crate) due: Due,
}

/// A documented record before and after a step, and the observed record before it.
pub(crate) struct Step<'n> {
    pub(crate) shown_before: &'n Node,
    pub(crate) shown_after: &'n Node,
    pub(crate) before: &'n Node,
    /// The sent body; `shown_sent` is the documented one.
    pub(crate) sent: Option<&'n Node>,
    pub(crate) shown_sent: Option<&'n Node>,
}

/// Words of values that change by themselves.
const RESTLESS: [&str; 12] = [
    "seconds", "minutes", "hours", "days", "age", "ttl", "progress", "position", "rank", "score",
    "elapsed", "attempts",
];

/// Words of amounts that follow from the request.
const SUMMED: [&str; 17] = [
    "amount", "total", "subtotal", "sub", "grand", "net", "gross", "tax", "discount", "count",
    "quantity", "item", "items", "line", "lines", "due", "sum",
];

/// Words of amounts that are deducted, and of their rates.
const TAKEN: [&str; 3] = ["tax", "fee", "fees"];
const RATES: [&str; 4] = ["rate", "percent", "percentage", "tax"];

/// A smaller amount may equal another one by chance.
const TELLING: i128 = 100;

impl Step<'_> {
    /// The values that the pair requires. Empty if the record was not in the documented state before the step.
    pub(crate) fn says(&self, actions: &Actions) -> Vec<Shown> {
        let changes = |name: &str| !same(self.shown_before, self.shown_after, name);
        let names = || self.shown_after.entries().map(|entry| entry.key.as_str());
        let is_stated = names().any(|name| !tells_of_changes(name) && changes(name));
        if !is_stated || !self.is_of_its_request() || !is_alike(self.shown_before, self.before) {
            return Vec::new();
        }
        let is_counted = self.counts();
        let all = names().filter(|name| !is_restless(name));
        let is_sent = |name: &str| self.sent.is_some_and(|node| node.get(name).is_some());
        let all = all.filter(|name| !is_sent(name));
        let dues = all.filter_map(|name| {
            let due = if changes(name) {
                let is_counted =
                    is_counted && (actions.are_named_in(name) || self.is_explained(name));
                self.changed(name, is_counted)
            } else {
                self.kept(name, actions)
            };
            let name = name.to_owned();
            Some(Shown { name, due: due? })
        });
        dues.collect()
    }

    /// Whether the documented answer shows the amounts of the documented request, as values or as differences. An
    /// answer with a full capture does not belong to a request for a part.
    fn is_of_its_request(&self) -> bool {
        let units = |node: &Node| Some(Amount::read_signed(node)?.units);
        let numbers = |node: &Node| -> Vec<i128> {
            node.entries()
                .filter_map(|entry| units(&entry.value))
                .collect()
        };
        let (before, after) = (numbers(self.shown_before), numbers(self.shown_after));
        let is_seen = |number: i128| {
            let is_created = |now: &i128| before.iter().any(|was| (now - was).abs() == number);
            after.contains(&number) || after.iter().any(is_created)
        };
        let requested = self.shown_sent.into_iter().flat_map(Node::entries);
        let mut amounts =
            requested.filter(|entry| is_number(entry) && amount::names_amount(&entry.key));
        amounts.all(|entry| units(&entry.value).is_none_or(is_seen))
    }

    /// Whether every sent and earlier number is the documented one, so that those of the answer must be, too.
    fn counts(&self) -> bool {
        let numbers = |shown: &Node, item: &Node| {
            let all = shown.entries().filter(|entry| is_number(entry));
            all.into_iter().all(|entry| same(shown, item, &entry.key))
        };
        let requested = match (self.shown_sent, self.sent) {
            (Some(shown), Some(sent)) => numbers(shown, sent) && numbers(sent, shown),
            (None, None) => true,
            _ => false,
        };
        requested && numbers(self.shown_before, self.before)
    }

    /// Whether a number follows from earlier numbers or the request. For a step without a body, it must be one of
    /// them, or
    /// a sum or difference of two; else something happened between the two examples.
    fn is_explained(&self, name: &str) -> bool {
        let units = |node: &Node| Some(Amount::read_signed(node)?.units);
        let number = |node: &Node| node.get(name).and_then(units);
        let (Some(was), Some(now)) = (number(self.shown_before), number(self.shown_after)) else {
            return true;
        };
        let known: Vec<i128> = self
            .shown_before
            .entries()
            .filter_map(|entry| units(&entry.value))
            .collect();
        let is_known = |number: i128| {
            let mut all = known.iter();
            all.any(|one| {
                *one == number
                    || known
                        .iter()
                        .any(|other| one - other == number || one + other == number)
            })
        };
        self.shown_sent.is_some() || now == 0 || (now - was).abs() == 1 || is_known(now)
    }

    fn changed(&self, name: &str, is_counted: bool) -> Option<Due> {
        let (shown, was) = (self.shown_after.get(name)?, self.before.get(name)?);
        let shown_was = self.shown_before.get(name)?;
        match &shown.value {
            // One of the examples may omit a free text of the client.
            Value::Null => is_taken_away(name, shown_was).then_some(Due::Nothing),
            _ if shown_was.is_null() && was.is_null() => Some(Due::Something),
            Value::Bool(_) if was.same_value(shown_was) => Some(Due::Value(shown.clone())),
            Value::String(_) if names::names_state(name) => Some(Due::Value(shown.clone())),
            _ if is_counted && Amount::read_signed(shown).is_some() && !is_key(name) => {
                Some(Due::Value(shown.clone()))
            }
            _ => None,
        }
    }

    fn kept(&self, name: &str, actions: &Actions) -> Option<Due> {
        let (shown, was) = (self.shown_after.get(name)?, self.before.get(name)?);
        let is_kept = match &shown.value {
            Value::Null => was.is_null() && is_later(name, actions),
            Value::String(text) if is_moment(text) => is_event_time(name),
            Value::Sequence(items) => {
                let has_items = !items.is_empty() && was.items().next().is_some();
                return has_items.then_some(Due::Items);
            }
            Value::Mapping(_) if Amount::read_signed(was).is_some() => true,
            Value::Mapping(_) => {
                let has_items = |node: &Node| node.entries().next().is_some();
                return (has_items(shown) && has_items(was)).then_some(Due::Items);
            }
            _ => !was.is_null(),
        };
        is_kept.then(|| Due::Kept(was.clone()))
    }
}

/// Whether a step can clear a property that is null in the second example: a number, a time, a reference or a reason,
/// but not a free text.
fn is_taken_away(name: &str, was: &Node) -> bool {
    const GIVEN: [&str; 8] = [
        "name",
        "phone",
        "email",
        "description",
        "note",
        "notes",
        "address",
        "nickname",
    ];
    was.as_str().is_none() || !prose::has(&names::words(name), &GIVEN)
}

/// The values that the documented answer of a creation requires, if the same was sent.
pub(crate) fn of_creation(
    shown: &Node,
    (shown_sent, sent): (&Node, &Node),
    actions: &Actions,
) -> Vec<Shown> {
    if !is_alike(shown_sent, sent) {
        return Vec::new();
    }
    let is_same = [(shown_sent, sent), (sent, shown_sent)]
        .into_iter()
        .all(|(one, other)| {
            let mut all = one.entries().filter(|entry| is_number(entry));
            all.all(|entry| same(one, other, &entry.key))
        });
    let follows = is_same && follows_from(shown, shown_sent);
    let all = shown
        .entries()
        .filter(|entry| sent.get(&entry.key).is_none());
    let all = all
        .filter(|entry| !is_restless(&entry.key) && (entry.value.is_null() || !is_key(&entry.key)));
    let dues = all.filter_map(|entry| {
        let name = entry.key.as_str();
        let value = || Some(Due::Value(entry.value.clone()));
        let due = match &entry.value.value {
            Value::Null => is_later(name, actions).then_some(Due::Nothing),
            Value::Bool(_) => actions.are_named_in(name).then(value).flatten(),
            Value::String(_) if names::names_state(name) => value(),
            Value::String(text) if is_moment(text) => {
                let is_done = actions.are_named_in(name) && is_event_time(name);
                is_done.then_some(Due::Something)
            }
            _ => {
                let amount = Amount::read_signed(&entry.value)?;
                if (amount.units == 0 && actions.are_named_in(name)) || (follows && is_summed(name))
                {
                    value()
                } else {
                    only_amount(shown_sent, amount).and_then(|from| {
                        let is_taken = names::words(name)
                            .iter()
                            .any(|word| TAKEN.contains(&word.as_str()) || word == "net");
                        let sent = sent.get(from).filter(|_| !is_taken)?;
                        Some(Due::Value(sent.clone()))
                    })
                }
            }
        };
        let name = name.to_owned();
        Some(Shown { name, due: due? })
    });
    dues.collect()
}

/// The only property of a body with this amount. `None` if there are several, or the amount is small.
fn only_amount(body: &Node, amount: Amount) -> Option<&str> {
    let is_it = |entry: &&openapi_document::node::Entry| {
        Amount::read_signed(&entry.value).is_some_and(|number| number == amount)
    };
    let mut all = body.entries().filter(is_it);
    let only = all.next().filter(|_| all.next().is_none())?;
    (amount.units >= TELLING).then_some(only.key.as_str())
}

/// Whether the sums of an answer follow from its request: it has lines, nothing is added to them, and deductions have
/// a rate in the request.
fn follows_from(shown: &Node, sent: &Node) -> bool {
    let lines = |entry: &&openapi_document::node::Entry| {
        let mut items = entry.value.items();
        items.next().is_some_and(|node| node.as_mapping().is_some())
    };
    let has_rate = sent.entries().any(|entry| {
        let words = names::words(&entry.key);
        words.iter().any(|word| RATES.contains(&word.as_str()))
    });
    let is_explained = |entry: &openapi_document::node::Entry| {
        let is_none = Amount::read_signed(&entry.value).is_none_or(|amount| amount.units == 0);
        let words = names::words(&entry.key);
        let is_taken = words.iter().any(|word| TAKEN.contains(&word.as_str()));
        let is_sent = sent.get(&entry.key).is_some() || is_key(&entry.key);
        is_none || is_sent || (is_summed(&entry.key) && (has_rate || !is_taken))
    };
    sent.entries().find(lines).is_some() && shown.entries().all(is_explained)
}

fn is_summed(name: &str) -> bool {
    let words = names::words(name);
    words.iter().all(|word| SUMMED.contains(&word.as_str()))
}

fn same(one: &Node, other: &Node, name: &str) -> bool {
    match (one.get(name), other.get(name)) {
        (Some(one), Some(other)) => is_same(one, other),
        (None, None) => true,
        _ => false,
    }
}

/// Whether two values are equal, whatever the notation of numbers. Zero is equal in all currencies.
pub(crate) fn is_same(one: &Node, other: &Node) -> bool {
    let amounts = Amount::read_signed(one).zip(Amount::read_signed(other));
    let is_none = amounts.is_some_and(|(amount, _)| amount.units == 0);
    let currencies = amount::currency(one).zip(amount::currency(other));
    let is_alike = is_none || currencies.is_none_or(|(one, other)| one == other);
    let is_equal = amounts.and_then(|(one, other)| one.compared(other));
    one.same_value(other) || (is_alike && is_equal.is_some_and(std::cmp::Ordering::is_eq))
}

/// Whether a record has the flags, states and null values of a documented one.
fn is_alike(shown: &Node, node: &Node) -> bool {
    shown.entries().all(|entry| {
        let shows_state = entry.value.as_bool().is_some() || names::names_state(&entry.key);
        let now = node.get(&entry.key);
        let is_null = |node: Option<&Node>| node.is_none_or(Node::is_null);
        !shows_state || same(shown, node, &entry.key) || (is_null(now) && entry.value.is_null())
    })
}

fn is_number(entry: &openapi_document::node::Entry) -> bool {
    !is_key(&entry.key) && Amount::read_signed(&entry.value).is_some()
}

fn is_key(name: &str) -> bool {
    names::subject(name).is_some()
}

/// Whether a property has no value before an event: the time of a step, or a value that a step sets.
fn is_later(name: &str, actions: &Actions) -> bool {
    let is_time = is_event_time(name) && actions.are_named_in(name);
    is_time || actions.sets.iter().any(|property| property == name)
}

/// Whether a property is the time of an event.
pub(crate) fn is_event_time(name: &str) -> bool {
    let words = names::words(name);
    let last = words.last().map_or("", String::as_str);
    let is_done = |word: &String| {
        word.ends_with("ed")
            || matches!(word.as_str(), "paid" | "sent" | "sold" | "void" | "frozen")
    };
    let is_time = matches!(last, "at" | "on") && words.iter().any(is_done);
    is_time && !tells_of_changes(name) && !is_time_of_making(name)
}

fn is_restless(name: &str) -> bool {
    let words = names::words(name);
    let is_able = |word: &String| word.ends_with("able") || word == "can";
    tells_of_changes(name)
        || words.iter().any(|word| RESTLESS.contains(&word.as_str()))
        || words.first().is_some_and(is_able)
}

fn is_moment(text: &str) -> bool {
    text.parse::<jiff::Timestamp>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Node {
        openapi_document::json::read_text(text).unwrap()
    }

    fn names(all: &[Shown]) -> Vec<&str> {
        all.iter().map(|shown| shown.name.as_str()).collect()
    }

    fn actions() -> Actions {
        Actions {
            words: vec!["capture".to_owned(), "void".to_owned(), "refund".to_owned()],
            sets: vec!["tracking".to_owned()],
        }
    }

    #[test]
    fn values_that_a_step_changes_and_leaves() {
        let shown_before = read(
            r#"{"id":"a","status":"open","captured":false,"amount":5000,"taken":0,"capturedAt":null,
            "voidedAt":null,"note":null,"lines":[1],"updatedAt":"2026-01-01T00:00:00Z"}"#,
        );
        let shown_after = read(
            r#"{"id":"a","status":"captured","captured":true,"amount":5000,"taken":5000,
            "capturedAt":"2026-01-01T00:00:01Z","voidedAt":null,"note":null,"lines":[1],
            "updatedAt":"2026-01-01T00:00:01Z"}"#,
        );
        let step = |before: &Node| {
            let step = Step {
                shown_before: &shown_before,
                shown_after: &shown_after,
                before,
                sent: None,
                shown_sent: None,
            };
            step.says(&actions())
        };
        let all = step(&shown_before);
        assert_eq!(
            names(&all),
            [
                "id",
                "status",
                "captured",
                "amount",
                "taken",
                "capturedAt",
                "voidedAt",
                "lines"
            ]
        );
        assert!(matches!(&all[4].due, Due::Value(value) if value.same_value(&read("5000"))));
        assert!(matches!(&all[5].due, Due::Something));
        // With another amount, the deduction is unknown.
        let other = read(r#"{"id":"b","status":"open","captured":false,"amount":70,"taken":0}"#);
        assert_eq!(names(&step(&other)), ["id", "status", "captured", "amount"]);
        let elsewhere = read(r#"{"id":"a","status":"voided","captured":false}"#);
        assert_eq!(names(&step(&elsewhere)), [""; 0]);
    }

    #[test]
    fn values_of_a_created_record() {
        let sent = read(r#"{"amount":5000,"capture":false}"#);
        let shown = read(
            r#"{"id":"a","amount":5000,"capture":false,"captured":false,"live":true,"status":"open",
            "amountRefunded":0,"left":5000,"fee":5000,"capturedAt":null,"tracking":null,"note":null}"#,
        );
        let all = of_creation(&shown, (&sent, &sent), &actions());
        assert_eq!(
            names(&all),
            [
                "captured",
                "status",
                "amountRefunded",
                "left",
                "capturedAt",
                "tracking"
            ]
        );
        let other = read(r#"{"amount":5000,"capture":true}"#);
        assert!(of_creation(&shown, (&sent, &other), &actions()).is_empty());
    }

    #[test]
    fn sums_that_follow_from_their_lines() {
        let sent = r#"{"taxRate":19,"items":[{"quantity":2,"price":50}]}"#;
        for (sent, shown, expected) in [
            (
                sent,
                r#"{"subtotal":100,"tax":19,"total":119}"#,
                vec!["subtotal", "tax", "total"],
            ),
            (sent, r#"{"subtotal":100,"shipping":5,"total":105}"#, vec![]),
            (
                r#"{"items":[{"quantity":2}]}"#,
                r#"{"tax":19,"total":119}"#,
                vec![],
            ),
            (r#"{"amount":7}"#, r#"{"total":7}"#, vec![]),
        ] {
            let (sent, shown) = (read(sent), read(shown));
            let all = of_creation(&shown, (&sent, &sent), &actions());
            assert_eq!(names(&all), expected, "{}", shown.to_json());
        }
    }
}
