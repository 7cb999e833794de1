//! Cleanup: deletes the records that a run created and that still exist.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

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

/// The records that a run created, in the order of their creation.
#[derive(Debug, Default)]
pub(super) struct Cleanup {
    creators: HashMap<String, Creator>,
    created: RefCell<Vec<Created>>,
}

/// An operation that creates records.
#[derive(Debug)]
struct Creator {
    /// The operation that deletes one of them. `None` without one.
    deleter: Option<Deleter>,
    /// The kind of record, in singular words.
    kind: String,
    /// Whether it documents 201.
    documents_created: bool,
}

/// An operation that deletes a record and needs only its path.
#[derive(Debug, Clone)]
struct Deleter {
    operation: String,
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
}

impl Cleanup {
    /// Finds the creators and deleters of a document.
    pub(super) fn new(document: &Document, withheld: &Withheld) -> Self {
        let operations = document.operations();
        let deletes = |operation: &&Operation<'_>| {
            operation.method == Method::Delete
                && withheld.reason(&operation.label()).is_none()
                && is_by_path(operation)
        };
        let deleters: BTreeMap<&str, String> = operations
            .iter()
            .filter(deletes)
            .map(|operation| (operation.path, operation.label()))
            .collect();
        let creates =
            |operation: &&Operation<'_>| matches!(operation.method, Method::Post | Method::Put);
        let creator = |operation: &Operation<'_>| {
            let segments = operation.path.split('/').rev();
            let collection = segments
                .clone()
                .find(|segment| !segment.is_empty() && !segment.starts_with('{'));
            let creator = Creator {
                deleter: deleter(operation, &deleters),
                kind: names::singular(collection.unwrap_or_default()),
                documents_created: operation.documents(201),
            };
            (operation.label(), creator)
        };
        Self {
            creators: operations.iter().filter(creates).map(creator).collect(),
            created: RefCell::default(),
        }
    }

    /// Notes a record that an exchange created or deleted. `is_own` says whether the run created the
    /// record with a key.
    pub(super) fn note(&self, exchange: &Exchange, is_own: impl Fn(&str) -> bool) {
        let (sent, status) = (&exchange.sent, status(exchange));
        if sent.method == Method::Delete && matches!(status, Some(200..=299 | 404 | 410)) {
            return self.forget(&sent.url);
        }
        let Some(creator) = self.creators.get(&sent.operation) else {
            return;
        };
        let deletion = creator.deletion(exchange);
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
        self.created.borrow_mut().push(Created {
            creator: sent.operation.clone(),
            parent: sent.url.clone(),
            deletion: deletion.map(Box::new),
        });
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
    /// The request that deletes the record of an exchange.
    fn deletion(&self, exchange: &Exchange) -> Result<Sent, &'static str> {
        let deleter = self.deleter.as_ref().ok_or(NO_DELETER)?;
        let mut sent = exchange.sent.reading(0);
        sent.method = Method::Delete;
        sent.operation.clone_from(&deleter.operation);
        CASE.clone_into(&mut sent.case);
        if let Some(parameter) = &deleter.parameter {
            let key = self.key(exchange, parameter).ok_or(NO_KEY)?;
            for url in [&mut sent.url, &mut sent.shown.url] {
                *url = format!("{}/{}", url.trim_end_matches('/'), encode(&key));
            }
            sent.path_arguments.push((parameter.clone(), key));
        }
        Ok(sent)
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

/// The operation that deletes the records of another one: on the same path after a `PUT`, else on
/// the path with one further parameter.
fn deleter(creator: &Operation<'_>, deleters: &BTreeMap<&str, String>) -> Option<Deleter> {
    let path = creator.path.trim_end_matches('/');
    if creator.method == Method::Put {
        let operation = deleters.get(creator.path)?.clone();
        return Some(Deleter {
            operation,
            parameter: None,
        });
    }
    deleters.iter().find_map(|(deleter, operation)| {
        let last = deleter
            .strip_prefix(path)?
            .trim_end_matches('/')
            .strip_prefix("/{")?;
        let parameter = last.strip_suffix('}').filter(|stem| !stem.contains('/'))?;
        Some(Deleter {
            operation: operation.clone(),
            parameter: Some(parameter.to_owned()),
        })
    })
}
