//! Ownership: which records a run created, so that it changes and deletes no others.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use openapi_document::Node;
use openapi_document::node::Mapping;
use openapi_document::view::{Document, Location, Method};

use crate::answered::status;
use crate::change::Why;
use crate::exchange::{Exchange, Sent};
use crate::expression::last_segment;
use crate::names;
use crate::withheld::Harm;

/// The depth to which answers are searched for keys.
const DEPTH: usize = 6;

/// What the run knows about the records that its requests name.
#[derive(Debug, Default)]
pub(super) struct Ownership {
    /// The path that reads the record which an operation changes or deletes, by operation. `None`
    /// when nothing reads it.
    readers: HashMap<String, Option<String>>,
    /// The path of each operation.
    paths: HashMap<String, String>,
    /// The last words of the names of path parameters.
    keys: BTreeSet<String>,
    /// Keys of the run's records.
    created: RefCell<HashSet<String>>,
    /// Keys in answers before the run created a record with that key.
    observed: RefCell<HashSet<String>>,
    /// Whether the record at an address existed before the run.
    foreign: RefCell<BTreeMap<String, bool>>,
}

/// Whether a request may be sent.
#[derive(Debug)]
pub(super) enum Right {
    /// The request may be sent.
    Free,
    /// The request names a record that the run did not create.
    Foreign,
    /// The request may be sent unless this request finds a record.
    Unless(Box<Sent>),
}

impl Ownership {
    /// Creates one before the first request. With `allow_destructive` every request may be sent.
    pub(super) fn new(document: &Document, allow_destructive: bool) -> Self {
        if allow_destructive {
            return Self::default();
        }
        let operations = document.operations();
        let read: BTreeSet<&str> = operations
            .iter()
            .filter(|operation| operation.method == Method::Get)
            .map(|operation| operation.path)
            .collect();
        let mut ownership = Self {
            keys: BTreeSet::from(["id".to_owned()]),
            ..Self::default()
        };
        for operation in &operations {
            let parameters = operation.parameters();
            let of_path = parameters.iter();
            let of_path = of_path.filter(|parameter| parameter.location == Location::Path);
            let last = |name: &str| names::words(name).pop();
            ownership
                .keys
                .extend(of_path.filter_map(|named| last(named.name)));
            let label = operation.label();
            let changes = changes_a_record(operation.method) || Harm::is_of_record(operation);
            if changes && operation.path.contains('{') {
                let reader = reader_of(operation.path, &read).map(str::to_owned);
                ownership.readers.insert(label.clone(), reader);
            }
            ownership.paths.insert(label, operation.path.to_owned());
        }
        ownership
    }

    /// Whether a request may be sent.
    pub(super) fn judge(&self, sent: &Sent) -> Right {
        self.adopt(sent);
        let Some(reader) = self.readers.get(&sent.operation) else {
            return Right::Free;
        };
        let Some((_, key)) = sent.path_arguments.last() else {
            return Right::Free;
        };
        let is_created = |(_, value): &(String, String)| self.created.borrow().contains(value);
        // Everything below a record of the run belongs to the run.
        if sent.path_arguments.iter().any(is_created) {
            return Right::Free;
        }
        let reading = reader.as_ref().and_then(|path| {
            let rest = self.path(sent)?.strip_prefix(path)?;
            Some(sent.reading(rest.matches('/').count()))
        });
        let Some(reading) = reading else {
            let is_observed = self.observed.borrow().contains(key);
            return if is_observed {
                Right::Foreign
            } else {
                Right::Free
            };
        };
        match self.foreign.borrow().get(&reading.url) {
            Some(true) => Right::Foreign,
            Some(false) => Right::Free,
            None => Right::Unless(Box::new(reading)),
        }
    }

    /// Notes whether a reading found a record. Returns whether the run must not change it.
    pub(super) fn decide(&self, reading: &Exchange) -> bool {
        // An invalid key, or one that is not found, belongs to no record.
        let is_foreign = !matches!(status(reading), Some(400 | 404 | 410 | 422));
        let address = reading.sent.url.clone();
        self.foreign.borrow_mut().insert(address, is_foreign);
        is_foreign
    }

    /// Whether the run created the record with a key.
    pub(super) fn owns(&self, key: &str) -> bool {
        self.created.borrow().contains(key)
    }

    /// Allows changes of the records that a scenario names.
    pub(super) fn trust(&self, sent: &Sent) {
        let values = sent.path_arguments.iter().map(|(_, value)| value.clone());
        self.created.borrow_mut().extend(values);
    }

    /// Learns from an answer which records exist, and which of them the run created.
    pub(super) fn learn(&self, exchange: &Exchange) {
        if self.readers.is_empty() {
            return;
        }
        let Ok(answer) = &exchange.outcome else {
            return;
        };
        if !answer.is_success() {
            return;
        }
        let mut values = Vec::new();
        if let Some(body) = answer.json() {
            values.extend(scalar(body));
            self.collect(body, DEPTH, &mut values);
        }
        let sent = &exchange.sent;
        if sent.method.is_safe() {
            let created = self.created.borrow();
            let known = values.into_iter().filter(|value| !created.contains(value));
            self.observed.borrow_mut().extend(known);
            return;
        }
        let is_at_own_key = sent.method == Method::Put;
        if sent.method != Method::Post && !is_at_own_key {
            return;
        }
        if let Some(body) = &sent.json {
            self.collect(body, DEPTH, &mut values);
        }
        let arguments = sent.headers.iter().chain(&sent.query);
        let keys = arguments.filter(|(name, _)| self.is_key(name));
        values.extend(keys.map(|(_, value)| value.clone()));
        values.extend(
            answer
                .header("location")
                .and_then(|header| last_segment(&header)),
        );
        // A record that the path names existed before, unless the request put it there.
        let parents: HashSet<&String> = sent
            .path_arguments
            .iter()
            .map(|(_, argument)| argument)
            .collect();
        let observed = self.observed.borrow();
        values.retain(|value| !parents.contains(value) && !observed.contains(value));
        if is_at_own_key || answer.status == 201 {
            let argument = sent.path_arguments.last();
            let argument = argument.filter(|(_, value)| !observed.contains(value));
            let is_key = is_at_own_key || self.path(sent).is_some_and(|sent| sent.ends_with('}'));
            values.extend(argument.filter(|_| is_key).map(|(_, value)| value.clone()));
        }
        self.created.borrow_mut().extend(values);
    }

    /// Adds the keys that the run invented and the values that the user set.
    fn adopt(&self, sent: &Sent) {
        let changes = sent.changes.iter();
        let change = changes
            .filter(|change| matches!(change.why, Why::Key | Why::Configuration | Why::Scenario));
        let values = change.filter_map(|change| change.sent.clone());
        self.created.borrow_mut().extend(values);
    }

    /// Whether a name ends like the name of a path parameter.
    fn is_key(&self, name: &str) -> bool {
        let last = names::words(name).pop();
        last.is_some_and(|word| self.keys.contains(&word))
    }

    fn path(&self, sent: &Sent) -> Option<&str> {
        self.paths.get(&sent.operation).map(String::as_str)
    }

    /// Collects the values whose names end like those of path parameters.
    fn collect(&self, node: &Node, depth: usize, values: &mut Vec<String>) {
        let Some(depth) = depth.checked_sub(1) else {
            return;
        };
        for item in node.as_sequence().unwrap_or_default() {
            self.collect(item, depth, values);
        }
        for (name, value) in node.as_mapping().into_iter().flat_map(Mapping::iter) {
            values.extend(scalar(value).filter(|_| self.is_key(name)));
            self.collect(value, depth, values);
        }
    }
}

/// Whether a method changes or deletes the record that its path names.
fn changes_a_record(method: Method) -> bool {
    matches!(method, Method::Put | Method::Patch | Method::Delete)
}

/// The longest readable path that begins `path` and includes its last parameter.
fn reader_of<'p>(path: &'p str, read: &BTreeSet<&'p str>) -> Option<&'p str> {
    let end = path.rfind('}')? + 1;
    let mut paths = read.iter().copied();
    let candidate = paths.find(|candidate| *candidate == path);
    candidate.or_else(|| {
        read.iter()
            .copied()
            .find(|candidate| *candidate == &path[..end])
    })
}

/// The text of a string or number.
fn scalar(node: &Node) -> Option<String> {
    node.as_str()
        .or_else(|| node.as_number())
        .map(str::to_owned)
}
