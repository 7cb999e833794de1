//! Which parts of the documented answers were seen: for each operation and status the branches of
//! `oneOf` and `anyOf`, and the properties that need not be there.

use std::collections::BTreeMap;

use openapi_document::Node;
use openapi_document::view::{Operation, Response};
use serde::Serialize;

use crate::collect::{Selection, area};
use crate::contract::Contract;
use crate::spot::Spot;

mod parts;

use parts::Walk;

/// What was seen of all answers in scope.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(transparent)]
pub struct Coverage {
    /// One for each operation and documented status, in the order of the document.
    pub answers: Vec<Documented>,
}

/// What was seen of one documented answer.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Documented {
    /// The operation.
    pub operation_id: String,
    /// Its area.
    pub area: String,
    /// The status as it is documented.
    pub status: String,
    /// How many answers of this status were judged.
    pub seen: u64,
    /// What its body may consist of.
    pub parts: Vec<Part>,
}

/// A part of a body that may be there or not.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// Where in the body; `*` stands for any index or key.
    pub pointer: String,
    /// What it is.
    pub kind: PartKind,
    /// Of a branch, its name: that of the schema, or its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// In how many values it was seen.
    pub seen: u64,
    /// Where the contract has it.
    pub spec: Spot,
}

/// What a part is.
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

/// Follows the judged answers of a run.
#[derive(Debug)]
pub struct Tracker<'d> {
    coverage: Coverage,
    /// Operation and status → index of the answer, and the parts of it by their identity.
    known: BTreeMap<(String, String), (usize, BTreeMap<parts::Key, usize>)>,
    contract: &'d Contract<'d>,
}

impl<'d> Tracker<'d> {
    /// Everything in scope, nothing of it seen.
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

    /// Counts an answer that the response documents.
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

    /// What was seen.
    pub fn finish(self) -> Coverage {
        self.coverage
    }
}

fn key(operation: &Operation<'_>, response: &Response<'_>) -> (String, String) {
    (operation.label(), response.status.to_string())
}
