//! Compare: finds where two readings of one record differ, apart from values that may change by themselves.

use std::collections::BTreeSet;

use openapi_document::node::Entry;
use openapi_document::{Node, Pointer, Value};

use super::Scene;
use crate::model::Call;
use crate::names;
use crate::value;

/// A place where two readings differ.
#[derive(Debug, Clone)]
pub(crate) struct Mismatch {
    /// The place in the record.
    pub(crate) pointer: Pointer,
    /// The value in the first reading.
    pub(crate) one: Node,
    /// The value in the second reading; `None` if it is absent.
    pub(crate) other: Option<Node>,
}

impl<'d> Scene<'_, 'd> {
    /// The places where a later reading of a record differs from an earlier one. Properties that only the later
    /// reading has, modification times, volatile properties and states in transition do not count.
    pub(crate) fn mismatches(
        &self,
        call: &Call<'d>,
        earlier: &Node,
        later: &Node,
    ) -> Vec<Mismatch> {
        let moving = self.model.is_moving(earlier);
        mismatches(earlier, later, &self.volatile(call), moving)
    }

    /// The modification times and revisions that differ between two readings: they show that the record was changed.
    pub(crate) fn moved_markers(
        &self,
        call: &Call<'d>,
        earlier: &Node,
        later: &Node,
    ) -> Vec<Mismatch> {
        moved_markers(earlier, later, &self.volatile(call))
    }
}

fn mismatches(
    earlier: &Node,
    later: &Node,
    volatile: &BTreeSet<String>,
    moving: bool,
) -> Vec<Mismatch> {
    let mut walk = Walk {
        volatile,
        moving,
        list: Vec::new(),
    };
    walk.value(&Pointer::root(), earlier, Some(later));
    walk.list
}

fn moved_markers(earlier: &Node, later: &Node, volatile: &BTreeSet<String>) -> Vec<Mismatch> {
    let is_named = |name: &str| {
        let words = names::words(name);
        // `last_seen_at` and similar times are no change of the record.
        tells_of_changes(name)
            && !words.iter().any(|word| word == "last")
            && !volatile.contains(name)
    };
    let moved = earlier.entries().filter_map(|entry| {
        let other = later.get(&entry.key)?;
        let is_moved =
            is_named(&entry.key) && !entry.value.is_null() && !other.same_value(&entry.value);
        is_moved.then(|| Mismatch {
            pointer: Pointer::root().join(entry.key.as_str()),
            one: entry.value.clone(),
            other: Some(other.clone()),
        })
    });
    moved.collect()
}

/// Whether a property shows when, or how often, its record was changed.
pub(crate) fn tells_of_changes(name: &str) -> bool {
    let words = names::words(name);
    let has = |word: &str| words.iter().any(|text| text == word);
    has("updated")
        || has("modified")
        || has("modify")
        || has("revision")
        || has("etag")
        || (has("last") && (has("at") || has("time") || has("date")))
        || words == ["version"]
        || names::is_time_of_verb(&words, &["update", "change", "modification"])
}

struct Walk<'w> {
    volatile: &'w BTreeSet<String>,
    moving: bool,
    list: Vec<Mismatch>,
}

impl Walk<'_> {
    fn value(&mut self, pointer: &Pointer, one: &Node, other: Option<&Node>) {
        match (&one.value, other.map(|entry| &entry.value)) {
            (Value::Mapping(_), Some(Value::Mapping(_))) => {
                for entry in one.entries() {
                    if self.may_move(pointer, &entry.key) || is_of_one_alone(entry) {
                        continue;
                    }
                    let other = other.and_then(|node| node.get(&entry.key));
                    self.value(&pointer.join(entry.key.as_str()), &entry.value, other);
                }
            }
            (Value::Sequence(items), Some(Value::Sequence(others)))
                if items.len() == others.len() =>
            {
                for (index, (item, other)) in items.iter().zip(others).enumerate() {
                    self.value(&pointer.join(index.to_string()), item, Some(other));
                }
            }
            // Absent and null are equal here; the schema check decides which one is required.
            (Value::Null, None) => {}
            (Value::Null, Some(_)) if self.moving => {}
            // Many services show a secret once, in the answer that creates it.
            (Value::String(_), None)
                if pointer.last().is_some_and(|item| names::is_secret(&item)) => {}
            _ if other.is_some_and(|other| other.same_value(one)) => {}
            (Value::Number(_), Some(Value::Number(_)))
                if other.is_some_and(|other| is_running(one, other)) => {}
            _ => self.list.push(Mismatch {
                pointer: pointer.clone(),
                one: one.clone(),
                other: other.cloned(),
            }),
        }
    }

    fn may_move(&self, pointer: &Pointer, name: &str) -> bool {
        (pointer.is_root() && self.volatile.contains(name))
            || tells_of_changes(name)
            || names::follows_the_clock(name)
            || names::counts_uses(name)
            || (self.moving && names::names_state(name))
    }
}

/// Whether a number grew like a duration in seconds that still runs: it has four decimals or more,
/// and less than a minute passed.
fn is_running(one: &Node, other: &Node) -> bool {
    const LONGEST: f64 = 60.0;
    let is_measured = |text: &str| text.split_once('.').is_some_and(|(_, part)| part.len() > 3);
    let texts = (value::plain(one), value::plain(other));
    let numbers = texts.0.parse::<f64>().ok().zip(texts.1.parse::<f64>().ok());
    let grew = numbers.is_some_and(|(one, other)| other > one && other - one < LONGEST);
    is_measured(&texts.0) && is_measured(&texts.1) && grew
}

/// Whether a flag marks one of several records, so that an action on another one can clear it: `isDefault`.
fn is_of_one_alone(entry: &Entry) -> bool {
    let words = names::words(&entry.key);
    let last = words.last().map(String::as_str);
    entry.value.as_bool().is_some() && matches!(last, Some("default" | "primary" | "preferred"))
}

/// A value as text for a finding.
pub(crate) fn shown(node: Option<&Node>) -> String {
    node.map_or_else(
        || "absent".to_owned(),
        |node| value::excerpt(&node.to_json()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_that_show_a_change() {
        let read = |text| openapi_document::json::read_text(text).unwrap();
        let one = read(r#"{"updatedAt":1,"version":1,"lastSeenAt":1,"modified":1,"a":1}"#);
        let other = read(r#"{"updatedAt":1,"version":2,"lastSeenAt":2,"modified":2,"a":2}"#);
        let volatile = BTreeSet::from(["modified".to_owned()]);
        let found = moved_markers(&one, &other, &volatile);
        let places: Vec<String> = found
            .iter()
            .map(|difference| difference.pointer.to_string())
            .collect();
        assert_eq!(places, ["/version"]);
    }

    #[test]
    fn readings_of_one_record() {
        for (one, other, expected) in [
            (r#"{"id":1,"a":"x"}"#, r#"{"id":1,"a":"x","b":2}"#, &[][..]),
            (r#"{"id":1,"a":"x"}"#, r#"{"id":1,"a":"y"}"#, &["/a"]),
            (r#"{"id":1,"a":"x"}"#, r#"{"id":1}"#, &["/a"]),
            (r#"{"a":null}"#, r"{}", &[]),
            (r#"{"updatedAt":1}"#, r#"{"updatedAt":2}"#, &[]),
            (
                r#"{"status":"PENDING","a":null}"#,
                r#"{"status":"DONE","a":1}"#,
                &[],
            ),
            (r#"{"status":"PAID"}"#, r#"{"status":"DONE"}"#, &["/status"]),
            (r#"{"a":[1,2]}"#, r#"{"a":[1,3]}"#, &["/a/1"]),
            (r#"{"a":10.10}"#, r#"{"a":10.1}"#, &["/a"]),
        ] {
            let read = |text| openapi_document::json::read_text(text).unwrap();
            let moving = one.contains("PENDING");
            let found = mismatches(&read(one), &read(other), &BTreeSet::new(), moving);
            let places: Vec<String> = found
                .iter()
                .map(|difference| difference.pointer.to_string())
                .collect();
            assert_eq!(places, expected, "{one} {other}");
        }
    }
}
