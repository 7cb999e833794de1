//! Observed: records in answers, whose values a request may use.

use std::cell::RefCell;
use std::collections::BTreeMap;

use openapi_document::Node;
use openapi_document::view::Method;

use crate::answered;
use crate::exchange::{Answer, Exchange};
use crate::names;

/// At most this many records of one operation are kept.
const MOST: usize = 3;

/// Records by the operation that answered them.
#[derive(Debug, Default)]
pub(crate) struct Observed(RefCell<BTreeMap<String, Known>>);

/// The records of one operation.
#[derive(Debug)]
struct Known {
    /// The singular of the last word of its path.
    about: String,
    /// Whether the run created the records.
    are_own: bool,
    records: Vec<Node>,
}

impl Observed {
    /// Keeps the records of an answer to a reading or a creation.
    pub(super) fn note(&self, exchange: &Exchange) {
        let sent = &exchange.sent;
        let is_creation = sent.method == Method::Post && sent.body.is_some();
        let is_kept = sent.method == Method::Get || is_creation;
        if !is_kept || sent.operation.is_empty() || !answered::succeeded(exchange) {
            return;
        }
        let answer = exchange.outcome.as_ref().ok();
        let Some(json) = answer.and_then(Answer::json) else {
            return;
        };
        let mut known = self.0.borrow_mut();
        let known = known.entry(sent.operation.clone()).or_insert_with(|| {
            let path = sent.url.split('?').next().unwrap_or_default();
            let last = path
                .trim_end_matches('/')
                .rsplit('/')
                .next()
                .unwrap_or_default();
            Known {
                about: names::singular(last),
                are_own: is_creation,
                records: Vec::new(),
            }
        });
        let room = MOST.saturating_sub(known.records.len());
        let records = records_in(json).into_iter().take(room);
        known.records.extend(records.cloned());
    }

    /// Whether an operation answered records.
    pub(crate) fn has(&self, operation: &str) -> bool {
        self.0.borrow().contains_key(operation)
    }

    /// The values that a property may have: keys of records that it is named after, then values of
    /// properties with its name. `only_own` leaves out records that the run did not create.
    pub(crate) fn values(&self, name: &str, only_own: bool) -> Vec<Node> {
        let known = self.0.borrow();
        let kind = names::subject(name).filter(|kind| !kind.is_empty());
        let kind = kind.unwrap_or_else(|| names::words(name).join(" "));
        let known = || known.values().filter(|known| known.are_own || !only_own);
        let of_kind = known().filter(|known| known.about == kind);
        let keys = of_kind.flat_map(|known| &known.records);
        let keys = keys.filter_map(|record| record.get(name).or_else(|| record.get("id")));
        let all = known().flat_map(|known| &known.records);
        let same = all.filter_map(|record| record.get(name));
        let values = keys.chain(same).filter(|node| is_plain(node));
        values.cloned().collect()
    }

    /// The record that has a property, and of those the one that shares most properties with a
    /// body, equal ones first.
    pub(crate) fn nearest(&self, property: &str, body: &Node) -> Option<Node> {
        let known = self.0.borrow();
        let all = known.values().flat_map(|known| &known.records);
        let has = |record: &&Node| record.get(property).is_some_and(is_plain);
        let shared = |record: &&Node| {
            let shared = body.entries().filter_map(|entry| {
                let value = record.get(&entry.key).filter(|node| is_plain(node))?;
                Some(value.same_value(&entry.value))
            });
            let shared: Vec<bool> = shared.collect();
            let equal = shared.iter().filter(|is_equal| **is_equal).count();
            (equal, shared.len())
        };
        all.filter(has).max_by_key(shared).cloned()
    }
}

/// Whether a value is a text or a number.
fn is_plain(node: &Node) -> bool {
    node.as_str().is_some() || node.as_number().is_some()
}

/// The items of the lists in an answer, else the objects in it.
fn records_in(json: &Node) -> Vec<&Node> {
    let mut parts = vec![json];
    parts.extend(json.entries().map(|entry| &entry.value));
    let lists = parts.iter().filter_map(|node| node.as_sequence());
    let items: Vec<&Node> = lists
        .flatten()
        .filter(|node| node.as_mapping().is_some())
        .collect();
    if !items.is_empty() {
        return items;
    }
    parts.reverse();
    parts.retain(|node| node.as_mapping().is_some());
    parts
}
