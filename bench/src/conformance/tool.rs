//! The tools that test a server with only its document.

use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, ensure};
use serde_json::Value;

use super::findings::{self, Findings};
use super::{Bench, TOKEN};

/// A tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    Own,
    Schemathesis,
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Own => "this runner",
            Self::Schemathesis => "Schemathesis",
        })
    }
}

impl Bench<'_> {
    /// The command for a whole run on a server. Deletes an earlier report.
    pub(super) fn command(&self, tool: Tool, url: &str) -> anyhow::Result<Command> {
        let report = self.report(tool);
        if report.exists() {
            fs::remove_file(&report)?;
        }
        Ok(match tool {
            Tool::Own => self.ours(url),
            Tool::Schemathesis => self.schemathesis(url),
        })
    }

    /// The findings of the run.
    ///
    /// # Errors
    /// The run did not finish.
    pub(super) fn findings(&self, tool: Tool) -> anyhow::Result<Findings> {
        let report = self.report(tool);
        let text = fs::read(&report).with_context(|| format!("{tool} has left no report"))?;
        let report: Value = serde_json::from_slice(&text)?;
        match tool {
            Tool::Own => Ok(findings::runner(&report)),
            Tool::Schemathesis => {
                ensure!(report["complete"] == true, "{tool} stopped before its end");
                Ok(findings::schemathesis(&report))
            }
        }
    }

    fn report(&self, tool: Tool) -> PathBuf {
        self.folder.path().join(match tool {
            Tool::Own => "out/report.json",
            Tool::Schemathesis => "schemathesis.json",
        })
    }

    pub(super) fn ours(&self, url: &str) -> Command {
        let mut command = Command::new(&self.runner);
        command.arg("run").arg("--spec").arg(&self.document);
        command.args(["--url", url, "--seed", "1"]);
        command
            .arg("--header")
            .arg(format!("Authorization: Bearer {TOKEN}"));
        command.arg("--out").arg(self.folder.path().join("out"));
        command
            .arg("--snapshots")
            .arg(self.folder.path().join("snapshots"));
        command
    }

    fn schemathesis(&self, url: &str) -> Command {
        let mut command = Command::new(&self.arguments.schemathesis);
        command.arg("run").arg(&self.document).args(["--url", url]);
        command
            .arg("-H")
            .arg(format!("Authorization: Bearer {TOKEN}"));
        command.args(["--checks", "all", "--seed", "1", "--no-color"]);
        // A run must not replay failures of an earlier run, whose server had another fault.
        command.args(["--generation-database", "none"]);
        command.args(["--report", "json", "--report-json-path"]);
        command.arg(self.report(Tool::Schemathesis));
        command.current_dir(self.folder.path());
        command
    }
}
