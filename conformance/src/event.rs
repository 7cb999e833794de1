//! Facts of a run, in the order in which they happen. Output formats consume them.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use openapi_facts::Evidence;
use serde::Serialize;

use crate::because::write_evidence;
use crate::case::CaseName;
use crate::change::Change;
use crate::contract::identity::Identity;
use crate::coverage::Coverage;
use crate::judge::Difference;
use crate::level::{Level, Verdict};
use crate::list_identity::ListIdentity;
use crate::shard::Shard;
use crate::traffic::{Comparison, Traffic};

/// One fact.
#[derive(Debug)]
pub enum Event {
    /// The run begins.
    Started(Box<Start>),
    /// A request was sent and answered, or not; told before the case it belongs to, and only where a
    /// consumer wants it.
    Exchange(Traffic),
    /// The documented body beside the one that came; likewise.
    Compared(Comparison),
    /// A case is decided.
    Case(CaseReport),
    /// What was seen of the documented answers; likewise.
    Coverage(Coverage),
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
    /// The seed of what is sent, but for keys.
    pub seed: u64,
    /// When the run began, in UTC.
    pub started: String,
    /// Which contract it is, to the byte.
    pub contract: Identity,
    /// The frozen list of requirements that it is held to, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requirements: Option<ListIdentity>,
    /// How it was run.
    pub configuration: Configuration,
    /// The path of the document's servers, where the address has none.
    #[serde(skip)]
    pub base_path: Option<String>,
}

/// How a run was configured, without its secrets.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Configuration {
    /// Areas in scope; all where empty.
    pub areas: Vec<String>,
    /// Operations in scope; all where empty.
    pub operations: Vec<String>,
    /// The operations that were not called, each with its reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub withheld: BTreeMap<String, String>,
    /// The only cases that were run; all where empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<String>,
    /// The part of the cases that was run; all where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The headers of every request; their values are placeholders.
    pub headers: BTreeMap<String, String>,
    /// The headers of somebody else, who was tried, too; their values are placeholders.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub neighbour: BTreeMap<String, String>,
    /// The headers of somebody who may only read, who was tried, too; their values are placeholders.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub reader: BTreeMap<String, String>,
    /// The inputs of scenarios that were given; their values are not told.
    pub inputs: Vec<String>,
    /// The time limit of one request, in milliseconds.
    pub timeout_ms: u64,
    /// Whether what changes something is sent to servers elsewhere.
    pub allow_writes: bool,
    /// Whether operations that harm the server are called.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub allow_destructive: bool,
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
    /// How strongly the contract demands it.
    pub level: Level,
    /// The strongest evidence on which it can find something.
    #[serde(serialize_with = "write_evidence")]
    pub evidence: Evidence,
    /// The verdict.
    pub verdict: Verdict,
    /// Why, where it was not exercised, the contract is broken, or it counts less than its differences say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The ids of the scenario steps that decide it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<String>,
    /// Which values of the contract's example the run replaced in the request that was judged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// How the server differs.
    pub differences: Vec<Difference>,
    /// How many requests were sent for it.
    pub requests: u64,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// Whether a request was granted while a way to a success was looked for.
    #[serde(skip)]
    pub is_granted: bool,
}

/// What is known when all is done.
#[derive(Debug, Clone, Default)]
pub struct Finish {
    /// Requests sent.
    pub requests: u64,
    /// Time from the first request to the last answer.
    pub duration: Duration,
    /// The operations that failed while other requests of the run were under way, and not alone, with how often.
    pub strained: BTreeMap<String, usize>,
    /// What became of the records that the run created; none where they were kept on purpose.
    pub cleanup: Option<Cleaned>,
}

/// What became of the records that the run created.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Cleaned {
    /// How many of them the run deleted at its end.
    pub deleted: usize,
    /// Those that are there still.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<Left>,
}

/// Records that stay on the server.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Left {
    /// The operation that created them.
    pub operation_id: String,
    /// How many.
    pub count: usize,
    /// Why the run did not delete them.
    pub reason: String,
}

impl CaseReport {
    /// A case without traffic.
    pub fn unsent(name: &CaseName, verdict: Verdict, reason: impl Into<String>) -> Self {
        Self {
            id: name.id.clone(),
            operation_id: name.operation.clone(),
            area: name.area.clone(),
            level: Level::Must,
            evidence: Evidence::Stated,
            verdict,
            reason: Some(reason.into()),
            via: Vec::new(),
            changes: Vec::new(),
            differences: Vec::new(),
            requests: 0,
            duration_ms: 0,
            is_granted: false,
        }
    }
}

impl CaseReport {
    /// The case where the server was lost while it ran.
    #[must_use]
    pub fn unjudged(mut self) -> Self {
        self.differences.clear();
        self.verdict = Verdict::Skip;
        self.reason = Some("not judged: the server was lost".to_owned());
        self
    }
}

/// What costs something to tell, and is told only where somebody wants it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wants {
    /// [`Event::Exchange`] and [`Event::Compared`].
    pub exchanges: bool,
    /// [`Event::Coverage`].
    pub coverage: bool,
}

impl Wants {
    /// Everything.
    pub const ALL: Self = Self {
        exchanges: true,
        coverage: true,
    };

    /// What either wants.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            exchanges: self.exchanges || other.exchanges,
            coverage: self.coverage || other.coverage,
        }
    }
}

/// Takes events one by one.
pub trait Consumer {
    /// What it wants to be told of; nothing that costs, unless it says so.
    fn wants(&self) -> Wants {
        Wants::default()
    }

    /// Takes one event.
    fn event(&mut self, event: &Event) -> io::Result<()>;
}
