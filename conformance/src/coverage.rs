//! Coverage: counts the parts of documented answers that the run received.
//!
//! Parts are the branches of `oneOf` and `anyOf`, and optional properties, for each operation and
//! status.

use std::collections::BTreeMap;

use openapi_document::Node;
use openapi_document::view::{Operation, Response};
use serde::Serialize;

use crate::collect::{Selection, area};
use crate::contract::Contract;
use crate::spot::Spot;

mod parts;

use parts::Walk;

/// The coverage of all answers in scope.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(transparent)]
pub struct Coverage {
    /// One entry for each operation and documented status, in the order of the document.
    pub answers: Vec<Documented>,
}

/// The coverage of one documented answer.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Documented {
    /// The `operationId`, or `METHOD /path`.
    pub operation_id: String,
    /// The area of the operation.
    pub area: String,
    /// The documented status, such as `200` or `4XX`.
    pub status: String,
    /// The number of judged answers with this status.
    pub seen: u64,
    /// The optional parts of the body.
    pub parts: Vec<Part>,
}

/// An optional part of a body.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// The place in the body; `*` stands for any index or key.
    pub pointer: String,
    /// Branch or property.
    pub kind: PartKind,
    /// The name of a branch: its schema or its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The number of values that had the part.
    pub seen: u64,
    /// The place in the contract.
    pub spec: Spot,
}

/// The kind of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum PartKind {
    /// One of the schemas of `oneOf`.
    OneOf,
    /// One of the schemas of `anyOf`.
    AnyOf,
    /// A property that is not required.
    Property,
}

/// Counts the parts of judged answers.
#[derive(Debug)]
pub struct Tracker<'d> {
    coverage: Coverage,
    /// Operation and status → index of the answer, and the index of each part by its key.
    known: BTreeMap<(String, String), (usize, BTreeMap<parts::Key, usize>)>,
    contract: &'d Contract<'d>,
}

impl<'d> Tracker<'d> {
    /// Creates a tracker with everything in scope and zero counts.
    pub fn new(contract: &'d Contract<'d>, selection: &Selection) -> Self {
        let mut tracker = Self {
            coverage: Coverage::default(),
            known: BTreeMap::new(),
            contract,
        };
        for operation in contract.document.operations() {
            if selection.covers(&operation) {
                for response in operation.responses() {
                    tracker.expect(&operation, &response);
                }
            }
        }
        tracker
    }

    fn expect(&mut self, operation: &Operation<'d>, response: &Response<'d>) {
        let mut walk = Walk::new(self.contract);
        for media in response.content() {
            if let Some(schema) = media.schema().filter(|_| media.is_json()) {
                walk.document(&schema);
            }
        }
        let (parts, index) = walk.finish();
        let place = self.coverage.answers.len();
        self.known.insert(key(operation, response), (place, index));
        self.coverage.answers.push(Documented {
            operation_id: operation.label(),
            area: area(operation),
            status: response.status.to_string(),
            seen: 0,
            parts,
        });
    }

    /// Counts an answer that matches a documented response.
    pub fn saw(&mut self, operation: &Operation<'d>, response: &Response<'d>, body: Option<&Node>) {
        let Some((place, index)) = self.known.get(&key(operation, response)) else {
            return;
        };
        let documented = &mut self.coverage.answers[*place];
        documented.seen += 1;
        let Some(body) = body else { return };
        for media in response.content() {
            let Some(schema) = media.schema().filter(|_| media.is_json()) else {
                continue;
            };
            for part in parts::seen(self.contract, &schema, body) {
                if let Some(part) = index.get(&part) {
                    documented.parts[*part].seen += 1;
                }
            }
        }
    }

    /// The coverage so far.
    pub fn finish(self) -> Coverage {
        self.coverage
    }
}

fn key(operation: &Operation<'_>, response: &Response<'_>) -> (String, String) {
    (operation.label(), response.status.to_string())
}
