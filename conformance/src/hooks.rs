//! Hooks: runs the user's commands before and after a run and each group of cases.

use std::time::Duration;

use crate::case::CaseName;
use crate::command;
use crate::event::CaseReport;
use crate::level::Verdict;

/// The area of cases about commands.
const AREA: &str = "hooks";

/// Whether a case is about a command.
pub(crate) fn is_hook(case: &CaseReport) -> bool {
    case.area == AREA && case.operation_id.is_empty()
}

/// The time limit of a command.
const LIMIT: Duration = Duration::from_mins(1);

/// The commands, for a shell.
#[derive(Debug, Clone, Default)]
pub struct Hooks {
    /// Runs before the first request.
    pub before: Option<String>,
    /// Runs at the end, even when the run failed.
    pub after: Option<String>,
    /// Runs before each example, each scenario, and the laws.
    pub before_each: Option<String>,
    /// Runs after each of them.
    pub after_each: Option<String>,
    /// The server's address, in `CONFORMANCE_URL`.
    pub url: String,
    /// The address for the server's webhooks, in `CONFORMANCE_WEBHOOKS`.
    pub webhooks: String,
}

/// When a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Before the run.
    Before,
    /// After the run.
    After,
    /// Before a group of cases.
    BeforeEach,
    /// After a group of cases.
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

    /// The case about a failed command.
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
    /// The command of a moment.
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
    /// The command failed; gives the reason.
    pub async fn run(&self, moment: Moment, group: &str) -> Result<(), String> {
        let Some(line) = self.line(moment) else {
            return Ok(());
        };
        let environment = [
            ("CONFORMANCE_URL", &*self.url),
            ("CONFORMANCE_GROUP", group),
            ("CONFORMANCE_WEBHOOKS", &*self.webhooks),
        ];
        command::run(line, &environment, LIMIT).await.map(|_| ())
    }
}
