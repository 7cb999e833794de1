//! What a run came to: the findings of all its documents, which every output tells in its own way.

use serde::Serialize;

use crate::finding::Finding;
use crate::level::Level;
use crate::release::Verdict;

/// The program that made a report.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

/// This program.
pub const TOOL: Tool = Tool {
    name: env!("CARGO_PKG_NAME"),
    version: env!("CARGO_PKG_VERSION"),
};

/// Which command made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// One state of a document was held to rules.
    Lint,
    /// Two states of a document were compared.
    Diff,
}

impl Task {
    /// The command's word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lint => "lint",
            Self::Diff => "diff",
        }
    }
}

/// What a run came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Nothing of weight was found.
    Clean,
    /// Something was.
    Findings,
    /// A document could not be read, so nothing is known of it.
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

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Findings => "findings",
            Self::Unreadable => "unreadable",
        }
    }
}

/// A document that was looked at.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Subject {
    /// Where it was read from, as git names it where it is a revision's.
    pub path: String,
    /// `info.title`.
    pub title: String,
    /// `info.version`.
    pub version: String,
    /// How many operations it has.
    pub operations: usize,
    /// How many scenario files stand beside it.
    #[serde(skip_serializing_if = "is_none")]
    pub scenarios: usize,
    /// How many state machines stand beside it.
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

/// How many findings there are of each level.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// That have to be mended.
    pub error: usize,
    /// That are worth a look.
    pub warning: usize,
    /// That are good to know.
    pub info: usize,
    /// That the baseline accepts, of any level.
    pub accepted: usize,
}

/// What a run came to.
#[derive(Debug, Clone)]
pub struct Report {
    /// The command.
    pub task: Task,
    /// What was, where something is compared.
    pub base: Option<Subject>,
    /// What is: the documents that could be read.
    pub documents: Vec<Subject>,
    /// What was found, in the order of the documents.
    pub findings: Vec<Finding>,
    /// What the versions have to become.
    pub versions: Vec<Verdict>,
    /// The least level that makes a run fail; `None` where nothing does.
    pub fail_on: Option<Level>,
    /// Whether a document could not be read.
    pub is_unreadable: bool,
}

impl Report {
    /// A report with nothing in it.
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

    /// How many findings there are.
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

    /// Whether a finding makes the run fail.
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

    /// The findings that count, the heaviest first.
    pub fn by_weight(&self) -> Vec<&Finding> {
        let mut all: Vec<&Finding> = self.findings.iter().filter(|own| own.counts()).collect();
        all.sort_by_key(|finding| std::cmp::Reverse(finding.level));
        all
    }
}
