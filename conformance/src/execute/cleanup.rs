//! Cleanup: the records that a run created and that are still there. The run deletes them at its end.

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

/// Why a record stays where no operation deletes it.
const NO_DELETER: &str = "no operation that the run may call deletes it";

/// Why a record stays where the answer to its creation does not show its key.
const NO_KEY: &str = "the answer to its creation has no key that its path takes";

/// The records that a run created, in the order of their creation.
#[derive(Debug, Default)]
pub(super) struct Cleanup {
    creators: HashMap<String, Creator>,
    created: RefCell<Vec<Created>>,
}

/// An operation that creates records.
#[derive(Debug)]
struct Creator {
    /// The operation that deletes one of them, where there is one.
    deleter: Option<Deleter>,
    /// The kind of record, in singular words.
    kind: String,
}

/// An operation that deletes a record by its path alone.
#[derive(Debug, Clone)]
struct Deleter {
    operation: String,
    /// The path parameter that the path of the creator lacks, where it lacks one.
    parameter: Option<String>,
}

/// A record that was created and not deleted since.
#[derive(Debug)]
struct Created {
    creator: String,
    /// The address that it was created at.
    parent: String,
    /// The request that deletes it, or why there is none.
    deletion: Result<Box<Sent>, &'static str>,
}

impl Cleanup {
    /// Before the first request.
    pub(super) fn new(document: &Document, withheld: &Withheld) -> Self {
        let operations = document.operations();
        let deletes = |own: &&Operation<'_>| {
            own.method == Method::Delete
                && withheld.reason(&own.label()).is_none()
                && is_by_path(own)
        };
        let deleters: BTreeMap<&str, String> = operations
            .iter()
            .filter(deletes)
            .map(|own| (own.path, own.label()))
            .collect();
        let creates = |own: &&Operation<'_>| matches!(own.method, Method::Post | Method::Put);
        let creator = |own: &Operation<'_>| {
            let segments = own.path.split('/').rev();
            let collection = segments
                .clone()
                .find(|own| !own.is_empty() && !own.starts_with('{'));
            let creator = Creator {
                deleter: deleter(own, &deleters),
                kind: names::singular(collection.unwrap_or_default()),
            };
            (own.label(), creator)
        };
        Self {
            creators: operations.iter().filter(creates).map(creator).collect(),
            created: RefCell::default(),
        }
    }

    /// Notes a record that an answer says was created, or deleted.
    pub(super) fn note(&self, exchange: &Exchange) {
        let (sent, status) = (&exchange.sent, status(exchange));
        if sent.method == Method::Delete && matches!(status, Some(200..=299 | 404 | 410)) {
            return self.forget(&sent.url);
        }
        let Some(creator) = self.creators.get(&sent.operation) else {
            return;
        };
        // Another success may answer a record that was there before.
        if status != Some(201) {
            return;
        }
        self.created.borrow_mut().push(Created {
            creator: sent.operation.clone(),
            parent: sent.url.clone(),
            deletion: creator.deletion(exchange).map(Box::new),
        });
    }

    /// Takes a record, and what is below it, as deleted.
    fn forget(&self, address: &str) {
        let below = format!("{address}/");
        self.created.borrow_mut().retain(|own| match &own.deletion {
            Ok(deletion) => deletion.url != address && !deletion.url.starts_with(&below),
            Err(_) => !own.parent.starts_with(&below),
        });
    }

    /// The requests that delete what is there still, the youngest record first.
    pub(super) fn deletions(&self) -> Vec<Sent> {
        let created = self.created.borrow();
        let deletions = created.iter().rev();
        deletions
            .filter_map(|own| own.deletion.as_deref().ok().cloned())
            .collect()
    }

    /// The operations whose records stay, with their number and the reason.
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
    /// The request that deletes what an exchange created.
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

    /// The key of the record that an answer shows, in its body or in `Location`.
    fn key(&self, exchange: &Exchange, parameter: &str) -> Option<String> {
        let answer = exchange.outcome.as_ref().ok()?;
        let of_body = answer.json().and_then(|body| self.key_in(body, parameter));
        of_body.or_else(|| last_segment(&answer.header("location")?))
    }

    /// The key in a body: in the record itself, or in the only object that it has.
    fn key_in(&self, body: &Node, parameter: &str) -> Option<String> {
        let record = body.as_mapping()?;
        let properties: Vec<&str> = record.iter().map(|(name, _)| name).collect();
        if let Some(key) = names::key_property(parameter, &self.kind, &properties) {
            return body.at(&Pointer::root().join(key)).map(plain);
        }
        let mut objects = record.iter().map(|(_, own)| own);
        let mut objects = objects.by_ref().filter(|own| own.as_mapping().is_some());
        let only = objects.next().filter(|_| objects.next().is_none())?;
        self.key_in(only, parameter)
    }
}

/// Whether a request needs nothing but its path.
fn is_by_path(operation: &Operation<'_>) -> bool {
    let needs_body = operation.request_body().is_some_and(|own| own.required());
    let parameters = operation.parameters();
    let mut others = parameters.iter();
    let needs_more = others.any(|own| own.location != Location::Path && own.required());
    !needs_body && !needs_more
}

/// The operation that deletes what another one creates: on its path, or on that of one record below it.
fn deleter(creator: &Operation<'_>, deleters: &BTreeMap<&str, String>) -> Option<Deleter> {
    let path = creator.path.trim_end_matches('/');
    if creator.method == Method::Put {
        let operation = deleters.get(creator.path)?.clone();
        return Some(Deleter {
            operation,
            parameter: None,
        });
    }
    deleters.iter().find_map(|(own, operation)| {
        let last = own
            .strip_prefix(path)?
            .trim_end_matches('/')
            .strip_prefix("/{")?;
        let parameter = last.strip_suffix('}').filter(|own| !own.contains('/'))?;
        Some(Deleter {
            operation: operation.clone(),
            parameter: Some(parameter.to_owned()),
        })
    })
}
