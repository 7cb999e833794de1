//! Events of a run, in the order in which they happen. Output formats consume them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::time::Duration;

use openapi_facts::{Evidence, Fact};
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

/// One event of a run.
#[derive(Debug)]
pub enum Event {
    /// The run begins.
    Started(Box<Start>),
    /// A request was sent. Comes before the case that it belongs to, and only when a consumer wants
    /// it.
    Exchange(Traffic),
    /// The documented body and the received one. Comes before its case, and only when a consumer
    /// wants it.
    Compared(Comparison),
    /// A case is decided.
    Case(CaseReport),
    /// The coverage of the documented answers. Only when a consumer wants it.
    Coverage(Coverage),
    /// The run is over.
    Finished(Finish),
}

/// The properties of a run that are known before the first request.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Start {
    /// The name of the server under test.
    pub name: String,
    /// The server's base address.
    pub url: String,
    /// The document's path.
    pub spec: String,
    /// The document's title.
    pub title: String,
    /// `documented`, `complete` or an area.
    pub profile: String,
    /// The seed of requests; keys do not depend on it.
    pub seed: u64,
    /// When the run began, in UTC.
    pub started: String,
    /// The version and hashes of the contract.
    pub contract: Identity,
    /// The frozen list of requirements that the run applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requirements: Option<ListIdentity>,
    /// The options of the run.
    pub configuration: Configuration,
    /// The base path of the document's servers, when the given address has none.
    #[serde(skip)]
    pub base_path: Option<String>,
}

/// The options of a run, without secrets.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Configuration {
    /// Areas in scope; all when empty.
    pub areas: Vec<String>,
    /// Operations in scope; all when empty.
    pub operations: Vec<String>,
    /// The operations that were not called, each with its reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub withheld: BTreeMap<String, String>,
    /// The only cases that were run; all when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<String>,
    /// The shard that was run; the whole when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The headers of every request; their values are placeholders.
    pub headers: BTreeMap<String, String>,
    /// The headers of another tenant; their values are placeholders.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub neighbour: BTreeMap<String, String>,
    /// The headers of a client that may only read; their values are placeholders.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub reader: BTreeMap<String, String>,
    /// The names of configured inputs of scenarios.
    pub inputs: Vec<String>,
    /// The time limit of one request, in milliseconds.
    pub timeout_ms: u64,
    /// Whether unsafe requests are sent to servers that are not on this machine.
    pub allow_writes: bool,
    /// Whether operations that can harm the server are called.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub allow_destructive: bool,
}

/// A decided case.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CaseReport {
    /// `<operationId>/<status>/<example>` or `<scenario>/<step>`.
    pub id: String,
    /// The `operationId`, or `METHOD /path`.
    pub operation_id: String,
    /// The area.
    pub area: String,
    /// How strongly the contract demands it.
    pub level: Level,
    /// The strongest evidence of its possible findings.
    #[serde(serialize_with = "write_evidence")]
    pub evidence: Evidence,
    /// The verdict.
    pub verdict: Verdict,
    /// The reason for a skip, an error, or a verdict that is lower than the differences suggest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The ids of the scenario steps that decide it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<String>,
    /// The values of the contract's example that the run replaced in the judged request.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// The differences between the expected and the observed answer.
    pub differences: Vec<Difference>,
    /// The stated facts that the case tests.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<TestedFact>,
    /// The number of requests for the case.
    pub requests: u64,
    /// The duration in milliseconds.
    pub duration_ms: u64,
    /// Whether a request was granted while a way to a success was looked for.
    #[serde(skip)]
    pub is_granted: bool,
}

/// A stated fact, and whether a case tested it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestedFact {
    /// Its id.
    pub fact: String,
    /// Why the case could not test it; `None` when it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untested: Option<String>,
}

/// The results of a run besides its cases.
#[derive(Debug, Clone, Default)]
pub struct Finish {
    /// Requests sent.
    pub requests: u64,
    /// The time from the first request to the last answer.
    pub duration: Duration,
    /// The operations that failed only while other requests were in flight, with the number of
    /// failures.
    pub strained: BTreeMap<String, usize>,
    /// The operations with at least one documented success, in any case of the run.
    pub granted: BTreeSet<String>,
    /// The result of deleting the run's records. `None` when the run kept them.
    pub cleanup: Option<Cleaned>,
}

/// The result of deleting the run's records.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Cleaned {
    /// The number of records that the run deleted at its end.
    pub deleted: usize,
    /// The records that remain on the server.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<Left>,
}

/// Records that remain on the server.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Left {
    /// The operation that created them.
    pub operation_id: String,
    /// The number of records.
    pub count: usize,
    /// Why the run did not delete them.
    pub reason: String,
}

impl CaseReport {
    /// A case without a request.
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
            facts: Vec::new(),
            requests: 0,
            duration_ms: 0,
            is_granted: false,
        }
    }
}

impl CaseReport {
    /// The skip of a stated fact that no trial tests: `facts/<fact>`.
    pub fn untestable(fact: &Fact) -> Self {
        let name = CaseName {
            id: format!("facts/{}", fact.id),
            operation: String::new(),
            area: "facts".to_owned(),
        };
        let reason = format!("no trial of `{}` applies to it", fact.rule.kind());
        let mut skip = Self::unsent(&name, Verdict::Skip, reason.as_str());
        skip.facts.push(TestedFact {
            fact: fact.id.to_string(),
            untested: Some(reason),
        });
        skip
    }

    /// The case as a skip, because the server was lost while it ran.
    #[must_use]
    pub fn unjudged(mut self) -> Self {
        self.differences.clear();
        self.verdict = Verdict::Skip;
        self.reason = Some("not judged: the server was lost".to_owned());
        self
    }
}

/// Expensive events that a consumer wants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wants {
    /// [`Event::Exchange`] and [`Event::Compared`].
    pub exchanges: bool,
    /// [`Event::Coverage`].
    pub coverage: bool,
}

impl Wants {
    /// All expensive events.
    pub const ALL: Self = Self {
        exchanges: true,
        coverage: true,
    };

    /// The union.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            exchanges: self.exchanges || other.exchanges,
            coverage: self.coverage || other.coverage,
        }
    }
}

/// Consumes events one by one.
pub trait Consumer {
    /// The expensive events that it wants; none by default.
    fn wants(&self) -> Wants {
        Wants::default()
    }

    /// Consumes one event.
    fn event(&mut self, event: &Event) -> io::Result<()>;
}
