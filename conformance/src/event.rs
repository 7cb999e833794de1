//! Facts of a run, in the order in which they happen. Output formats consume them.

use std::io;
use std::time::Duration;

use serde::Serialize;

use crate::case::CaseName;
use crate::judge::Difference;
use crate::level::Verdict;

/// One fact.
#[derive(Debug)]
pub enum Event {
    /// The run begins.
    Started(Start),
    /// A case is decided.
    Case(CaseReport),
    /// The run is over.
    Finished(Finish),
}

/// What is known before any traffic.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Start {
    /// The name the server under test is given.
    pub name: String,
    /// Its base address.
    pub url: String,
    /// The document's path.
    pub spec: String,
    /// The document's title.
    pub title: String,
    /// `documented` or `complete`.
    pub profile: String,
    /// The seed of natural keys and request ids.
    pub seed: u64,
}

/// A decided case.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CaseReport {
    /// `<operationId>/<status>/<example>` or `<scenario>/<step>`.
    pub id: String,
    /// The operation.
    pub operation_id: String,
    /// The area.
    pub area: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Why, where it was not exercised or the contract is broken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The ids of the scenario steps that decide it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<String>,
    /// How the server differs.
    pub differences: Vec<Difference>,
    /// How many requests were sent for it.
    pub requests: u64,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
}

/// What is known when all is done.
#[derive(Debug, Clone, Copy)]
pub struct Finish {
    /// Requests sent.
    pub requests: u64,
    /// Time from the first request to the last answer.
    pub duration: Duration,
}

impl CaseReport {
    /// A case without traffic.
    pub fn unsent(name: &CaseName, verdict: Verdict, reason: impl Into<String>) -> Self {
        Self {
            id: name.id.clone(),
            operation_id: name.operation.clone(),
            area: name.area.clone(),
            verdict,
            reason: Some(reason.into()),
            via: Vec::new(),
            differences: Vec::new(),
            requests: 0,
            duration_ms: 0,
        }
    }
}

/// Takes events one by one.
pub trait Consumer {
    /// Takes one event.
    fn event(&mut self, event: &Event) -> io::Result<()>;
}
