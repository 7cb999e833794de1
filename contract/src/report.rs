//! Report: the findings of a run, which every output writes.

use serde::Serialize;

use crate::finding::Finding;
use crate::level::Level;
use crate::release::Verdict;

/// The program that created a report.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Tool {
    /// The name of the program.
    pub name: &'static str,
    /// The version of the program.
    pub version: &'static str,
}

/// This program.
pub const TOOL: Tool = Tool {
    name: env!("CARGO_PKG_NAME"),
    version: env!("CARGO_PKG_VERSION"),
};

/// The command that created it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// A document was linted.
    Lint,
    /// Two documents were compared.
    Diff,
}

impl Task {
    /// The word for the command.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lint => "lint",
            Self::Diff => "diff",
        }
    }
}

/// The result of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// No finding fails the run.
    Clean,
    /// A finding fails the run.
    Findings,
    /// A document could not be read, so the result is unknown.
    Unreadable,
}

impl Outcome {
    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Findings => 1,
            Self::Unreadable => 3,
        }
    }

    /// The word for the result.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Findings => "findings",
            Self::Unreadable => "unreadable",
        }
    }
}

/// A checked document.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Subject {
    /// The path; for a git revision, in git's notation.
    pub path: String,
    /// `info.title`.
    pub title: String,
    /// `info.version`.
    pub version: String,
    /// The number of operations.
    pub operations: usize,
    /// The number of scenario files beside it.
    #[serde(skip_serializing_if = "is_none")]
    pub scenarios: usize,
    /// The number of state machines in its behaviour file.
    #[serde(skip_serializing_if = "is_none")]
    pub machines: usize,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_none(count: &usize) -> bool {
    *count == 0
}

/// The number of findings of each level.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Errors.
    pub error: usize,
    /// Warnings.
    pub warning: usize,
    /// Infos.
    pub info: usize,
    /// Accepted findings of any level.
    pub accepted: usize,
}

/// The result of a run.
#[derive(Debug, Clone)]
pub struct Report {
    /// The command.
    pub task: Task,
    /// The old document; `None` for lint.
    pub base: Option<Subject>,
    /// The checked documents that could be read.
    pub documents: Vec<Subject>,
    /// The findings, in the order of the documents.
    pub findings: Vec<Finding>,
    /// The verdicts on versions.
    pub versions: Vec<Verdict>,
    /// The lowest level that fails the run; `None` if nothing does.
    pub fail_on: Option<Level>,
    /// Whether a document could not be read.
    pub is_unreadable: bool,
}

impl Report {
    /// An empty report.
    pub fn new(task: Task, fail_on: Option<Level>) -> Self {
        Self {
            task,
            base: None,
            documents: Vec::new(),
            findings: Vec::new(),
            versions: Vec::new(),
            fail_on,
            is_unreadable: false,
        }
    }

    /// The number of findings.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for finding in &self.findings {
            let count = match (finding.counts(), finding.level) {
                (false, _) => &mut counts.accepted,
                (true, Level::Error) => &mut counts.error,
                (true, Level::Warning) => &mut counts.warning,
                (true, _) => &mut counts.info,
            };
            *count += 1;
        }
        counts
    }

    /// Whether a finding fails the run.
    pub fn fails(&self, finding: &Finding) -> bool {
        finding.counts() && self.fail_on.is_some_and(|least| finding.level >= least)
    }

    /// What the run came to.
    pub fn outcome(&self) -> Outcome {
        if self.is_unreadable {
            Outcome::Unreadable
        } else if self.findings.iter().any(|finding| self.fails(finding)) {
            Outcome::Findings
        } else {
            Outcome::Clean
        }
    }

    /// The findings that count, most serious first.
    pub fn by_weight(&self) -> Vec<&Finding> {
        let mut all: Vec<&Finding> = self
            .findings
            .iter()
            .filter(|finding| finding.counts())
            .collect();
        all.sort_by_key(|finding| std::cmp::Reverse(finding.level));
        all
    }
}
