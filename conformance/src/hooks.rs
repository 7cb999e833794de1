//! Hooks: commands of the user's, before and after the run and each group of its cases.

use std::time::Duration;

use crate::case::CaseName;
use crate::command;
use crate::event::CaseReport;
use crate::level::Verdict;

/// The area that commands are told of under.
const AREA: &str = "hooks";

/// Whether a case tells of a command.
pub(crate) fn is_hook(case: &CaseReport) -> bool {
    case.area == AREA && case.operation_id.is_empty()
}

/// How long a command may take.
const LIMIT: Duration = Duration::from_mins(1);

/// The commands, for a shell.
#[derive(Debug, Clone, Default)]
pub struct Hooks {
    /// Before anything is sent.
    pub before: Option<String>,
    /// After everything, whatever became of it.
    pub after: Option<String>,
    /// Before each example, each scenario, and the laws.
    pub before_each: Option<String>,
    /// After each of them.
    pub after_each: Option<String>,
    /// The server's address, which commands are told as `CONFORMANCE_URL`.
    pub url: String,
    /// Where the server's webhooks are taken, which commands are told as `CONFORMANCE_WEBHOOKS`.
    pub webhooks: String,
}

/// When a command is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Before the run.
    Before,
    /// After it.
    After,
    /// Before a group of cases.
    BeforeEach,
    /// After one.
    AfterEach,
}

impl Moment {
    fn name(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
            Self::BeforeEach => "before-each",
            Self::AfterEach => "after-each",
        }
    }

    /// The case that tells of a command that failed.
    pub fn failed(self, group: &str, reason: &str) -> CaseReport {
        let place = if group.is_empty() { "" } else { "/" };
        let name = CaseName {
            id: format!("hooks/{}{place}{group}", self.name()),
            operation: String::new(),
            area: AREA.to_owned(),
        };
        let reason = format!("the command failed: {reason}");
        CaseReport::unsent(&name, Verdict::Error, reason)
    }
}

impl Hooks {
    /// The command of a moment, if there is one.
    pub(crate) fn line(&self, moment: Moment) -> Option<&str> {
        match moment {
            Moment::Before => self.before.as_deref(),
            Moment::After => self.after.as_deref(),
            Moment::BeforeEach => self.before_each.as_deref(),
            Moment::AfterEach => self.after_each.as_deref(),
        }
    }

    /// Runs the command of a moment, if there is one.
    ///
    /// # Errors
    /// It failed; says why.
    pub async fn run(&self, moment: Moment, group: &str) -> Result<(), String> {
        let Some(line) = self.line(moment) else {
            return Ok(());
        };
        let told = [
            ("CONFORMANCE_URL", &*self.url),
            ("CONFORMANCE_GROUP", group),
            ("CONFORMANCE_WEBHOOKS", &*self.webhooks),
        ];
        command::run(line, &told, LIMIT).await.map(|_| ())
    }
}
