//! Records: what a run created and did not delete, to delete it at the end, and to find out whether
//! the server has forgotten it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use openapi_document::view::{Document, Location, Method, Operation};
use openapi_document::{Node, Pointer};

use crate::answered::status;
use crate::event::Left;
use crate::exchange::{Exchange, Sent};
use crate::expression::last_segment;
use crate::names;
use crate::style::encode;
use crate::value::plain;
use crate::withheld::Withheld;

/// The name of the case that deletes records.
const CASE: &str = "cleanup";

/// Why a record remains when no operation deletes it.
const NO_DELETER: &str = "no operation that the run may call deletes it";

/// Why a record remains when the answer to its creation lacks its key.
const NO_KEY: &str = "the answer to its creation lacks its key";

/// The number of records, of each creator that has them, that the server must lack before it counts
/// as forgetful. The records of other creators show whether only a parent was deleted.
const ENOUGH: usize = 3;

/// The number of creators with such records. A fault of the server may remove all records of one.
const KINDS: usize = 2;

/// The number of records that are read to find out.
const MOST: usize = 12;

/// The records that a run created, in the order of their creation.
#[derive(Debug, Default)]
pub(super) struct Records {
    creators: HashMap<String, Creator>,
    created: RefCell<Vec<Created>>,
    /// The operations that read a record with the key that its creation answered.
    readable: RefCell<BTreeSet<String>>,
    /// The case that created the record at an address. A server may give the key of a deleted record
    /// to the next one.
    given: RefCell<HashMap<String, String>>,
    /// The addresses of deleted records.
    deleted: RefCell<BTreeSet<String>>,
}

/// An operation that creates records.
#[derive(Debug)]
struct Creator {
    /// The operation that deletes one of them. `None` without one.
    deleter: Option<Call>,
    /// The operation that reads one of them. `None` without one.
    reader: Option<Call>,
    /// The kind of record, in singular words.
    kind: String,
    /// Whether it documents 201.
    documents_created: bool,
}

/// An operation that deletes or reads a record and needs only its path.
#[derive(Debug, Clone)]
struct Call {
    operation: String,
    method: Method,
    /// The path parameter that the creator's path lacks. `None` when both have the same path.
    parameter: Option<String>,
}

/// A record that was created and not yet deleted.
#[derive(Debug)]
struct Created {
    creator: String,
    /// The address at which it was created.
    parent: String,
    /// The request that deletes it, or the reason for a missing one.
    deletion: Result<Box<Sent>, &'static str>,
    /// The request that reads it, if there is one.
    read: Option<Box<Sent>>,
}

impl Records {
    /// Finds the operations of a document that create, read and delete records.
    pub(super) fn new(document: &Document, withheld: &Withheld) -> Self {
        let operations = document.operations();
        let by_path = |method| -> BTreeMap<&str, Call> {
            let operations = operations.iter().filter(|operation| {
                operation.method == method
                    && withheld.reason(&operation.label()).is_none()
                    && is_by_path(operation)
            });
            let call = |operation: &Operation<'_>| Call {
                operation: operation.label(),
                method,
                parameter: None,
            };
            operations
                .map(|operation| (operation.path, call(operation)))
                .collect()
        };
        let (deleters, readers) = (by_path(Method::Delete), by_path(Method::Get));
        let creates =
            |operation: &&Operation<'_>| matches!(operation.method, Method::Post | Method::Put);
        let creator = |operation: &Operation<'_>| {
            let segments = operation.path.split('/').rev();
            let collection = segments
                .clone()
                .find(|segment| !segment.is_empty() && !segment.starts_with('{'));
            let creator = Creator {
                deleter: call_of_record(operation, &deleters),
                reader: call_of_record(operation, &readers),
                kind: names::singular(collection.unwrap_or_default()),
                documents_created: operation.documents(201),
            };
            (operation.label(), creator)
        };
        Self {
            creators: operations.iter().filter(creates).map(creator).collect(),
            created: RefCell::default(),
            readable: RefCell::default(),
            given: RefCell::default(),
            deleted: RefCell::default(),
        }
    }

    /// Notes a record that an exchange created or deleted. `is_own` says whether the run created the
    /// record with a key.
    pub(super) fn note(&self, exchange: &Exchange, is_own: impl Fn(&str) -> bool) {
        let (sent, status) = (&exchange.sent, status(exchange));
        if sent.method == Method::Delete && matches!(status, Some(200..=299 | 404 | 410)) {
            self.given.borrow_mut().remove(&sent.url);
            let mut deleted = self.deleted.borrow_mut();
            deleted.insert(sent.url.clone());
            return self.forget(&sent.url);
        }
        if sent.method == Method::Get && matches!(status, Some(200..=299)) {
            return self.note_read(sent);
        }
        let Some(creator) = self.creators.get(&sent.operation) else {
            return;
        };
        let deleter = creator.deleter.as_ref().ok_or(NO_DELETER);
        let deletion = deleter.and_then(|deleter| creator.request(deleter, exchange).ok_or(NO_KEY));
        let is_created = match status {
            Some(201) => true,
            // Another success may return a record that existed before.
            Some(200) if sent.method == Method::Post && !creator.documents_created => {
                let deletion = deletion.as_ref().ok();
                let key = deletion.and_then(|deletion| deletion.path_arguments.last());
                key.is_some_and(|(_, key)| is_own(key))
            }
            _ => false,
        };
        if !is_created {
            return;
        }
        if let Ok(deletion) = &deletion {
            let mut given = self.given.borrow_mut();
            given.insert(deletion.url.clone(), sent.case.clone());
        }
        let reader = creator.reader.as_ref();
        self.created.borrow_mut().push(Created {
            creator: sent.operation.clone(),
            parent: sent.url.clone(),
            deletion: deletion.map(Box::new),
            read: reader
                .and_then(|reader| creator.request(reader, exchange))
                .map(Box::new),
        });
    }

    /// Whether a deletion would meet a record of another case, which got the key of a deleted one.
    pub(super) fn is_of_another_case(&self, sent: &Sent) -> bool {
        let given = self.given.borrow();
        let last = { given.get(&sent.url) }.filter(|_| sent.method == Method::Delete);
        let is_other = last.is_some_and(|case| *case != sent.case && sent.case != CASE);
        is_other && self.deleted.borrow().contains(&sent.url)
    }

    /// Forgets a deleted record and those below it.
    fn forget(&self, address: &str) {
        let below = format!("{address}/");
        self.created
            .borrow_mut()
            .retain(|record| match &record.deletion {
                Ok(deletion) => deletion.url != address && !deletion.url.starts_with(&below),
                Err(_) => !record.parent.starts_with(&below),
            });
    }

    /// Notes a reading that succeeded.
    fn note_read(&self, sent: &Sent) {
        if self.readable.borrow().contains(&sent.operation) {
            return;
        }
        let created = self.created.borrow();
        let mut reads = created.iter().filter_map(|record| record.read.as_deref());
        if reads.any(|read| read.operation == sent.operation && read.url == sent.url) {
            let mut readable = self.readable.borrow_mut();
            readable.insert(sent.operation.clone());
        }
    }

    /// Reads of remaining records of each creator, the oldest first. Empty when they are too few to
    /// show that the server has forgotten them. Leaves out operations that never read a record: the key
    /// that a creation answers may not be the one in their path.
    pub(super) fn reads(&self) -> Vec<Sent> {
        let mut of_creator: BTreeMap<&str, usize> = BTreeMap::new();
        let readable = self.readable.borrow();
        let created = self.created.borrow();
        let all = created
            .iter()
            .filter_map(|record| Some((record.creator.as_str(), record.read.as_deref()?)))
            .filter(|(_, read)| readable.contains(&read.operation));
        let first = all.filter(|(creator, _)| {
            let count = of_creator.entry(creator).or_default();
            *count += 1;
            *count <= ENOUGH
        });
        let reads: Vec<Sent> = first.map(|(_, read)| read.clone()).collect();
        if reads.len() < ENOUGH || of_creator.len() < KINDS {
            return Vec::new();
        }
        reads.into_iter().take(MOST).collect()
    }

    /// The requests that delete the remaining records, the youngest record first.
    pub(super) fn deletions(&self) -> Vec<Sent> {
        let created = self.created.borrow();
        let deletions = created.iter().rev();
        deletions
            .filter_map(|record| record.deletion.as_deref().ok().cloned())
            .collect()
    }

    /// The operations whose records remain, with their number and the reason.
    pub(super) fn left(&self, refused: &BTreeMap<String, String>) -> Vec<Left> {
        let mut left: BTreeMap<(String, String), usize> = BTreeMap::new();
        for created in self.created.borrow().iter() {
            let reason = match &created.deletion {
                Ok(deletion) => refused.get(&deletion.url).cloned(),
                Err(reason) => Some((*reason).to_owned()),
            };
            let reason = reason.unwrap_or_else(|| "it was not deleted".to_owned());
            *left.entry((created.creator.clone(), reason)).or_default() += 1;
        }
        let entry = |((operation, reason), count)| Left {
            operation_id: operation,
            count,
            reason,
        };
        left.into_iter().map(entry).collect()
    }
}

impl Creator {
    /// The request of `call` for the record that an exchange created. `None` without its key.
    fn request(&self, call: &Call, exchange: &Exchange) -> Option<Sent> {
        let mut sent = exchange.sent.reading(0);
        sent.method = call.method;
        sent.operation.clone_from(&call.operation);
        CASE.clone_into(&mut sent.case);
        if let Some(parameter) = &call.parameter {
            let key = self.key(exchange, parameter)?;
            for url in [&mut sent.url, &mut sent.shown.url] {
                *url = format!("{}/{}", url.trim_end_matches('/'), encode(&key));
            }
            sent.path_arguments.push((parameter.clone(), key));
        }
        Some(sent)
    }

    /// The key of the record in an answer: from its body or `Location`.
    fn key(&self, exchange: &Exchange, parameter: &str) -> Option<String> {
        let answer = exchange.outcome.as_ref().ok()?;
        let of_body = answer.json().and_then(|body| self.key_in(body, parameter));
        of_body.or_else(|| last_segment(&answer.header("location")?))
    }

    /// The key in a body: in the record itself, or in the only object that it contains.
    fn key_in(&self, body: &Node, parameter: &str) -> Option<String> {
        let record = body.as_mapping()?;
        let properties: Vec<&str> = record.iter().map(|(name, _)| name).collect();
        if let Some(key) = names::key_property(parameter, &self.kind, &properties) {
            return body.at(&Pointer::root().join(key)).map(plain);
        }
        let mut objects = record.iter().map(|(_, value)| value);
        let mut objects = objects
            .by_ref()
            .filter(|value| value.as_mapping().is_some());
        let only = objects.next().filter(|_| objects.next().is_none())?;
        self.key_in(only, parameter)
    }
}

/// Whether a request needs only its path.
fn is_by_path(operation: &Operation<'_>) -> bool {
    let needs_body = operation.request_body().is_some_and(|body| body.required());
    let parameters = operation.parameters();
    let mut others = parameters.iter();
    let needs_more = others.any(|other| other.location != Location::Path && other.required());
    !needs_body && !needs_more
}

/// The operation for single records of a creator: on the same path after a `PUT`, else on the path
/// with one further parameter.
fn call_of_record(creator: &Operation<'_>, calls: &BTreeMap<&str, Call>) -> Option<Call> {
    let path = creator.path.trim_end_matches('/');
    if creator.method == Method::Put {
        return calls.get(creator.path).cloned();
    }
    calls.iter().find_map(|(of_record, call)| {
        let last = of_record
            .strip_prefix(path)?
            .trim_end_matches('/')
            .strip_prefix("/{")?;
        let parameter = last.strip_suffix('}').filter(|stem| !stem.contains('/'))?;
        Some(Call {
            parameter: Some(parameter.to_owned()),
            ..call.clone()
        })
    })
}
