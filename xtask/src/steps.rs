//! Runs commands in sequence, and prints a table of their costs.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

use programs::process;

/// A command with its name in the table.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) program: Program,
    /// One that begins with `$` is replaced by the value of a variable, which is not shown.
    pub(crate) arguments: Vec<String>,
    /// Variables for the command.
    pub(crate) variables: Vec<(&'static str, String)>,
}

/// The program of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Program {
    Cargo,
    /// This program.
    Xtask,
    /// A program on the `PATH`.
    Named(&'static str),
}

impl Step {
    pub(crate) fn cargo(name: &'static str, arguments: &[&str]) -> Self {
        Self::new(name, Program::Cargo, arguments)
    }

    pub(crate) fn xtask(name: &'static str, arguments: &[&str]) -> Self {
        Self::new(name, Program::Xtask, arguments)
    }

    pub(crate) fn named(name: &'static str, program: &'static str, arguments: &[&str]) -> Self {
        Self::new(name, Program::Named(program), arguments)
    }

    fn new(name: &'static str, program: Program, arguments: &[&str]) -> Self {
        Self {
            name,
            program,
            arguments: arguments
                .iter()
                .map(|argument| (*argument).to_owned())
                .collect(),
            variables: Vec::new(),
        }
    }

    pub(crate) fn with(mut self, variable: &'static str, value: &str) -> Self {
        self.variables.push((variable, value.to_owned()));
        self
    }

    /// The command as a user would type it, without the values of variables.
    pub(crate) fn shown(&self) -> String {
        let program = match self.program {
            Program::Cargo => "cargo",
            Program::Xtask => "cargo xtask",
            Program::Named(name) => name,
        };
        let variables = self.variables.iter().map(|(name, _)| format!("{name}=… "));
        let variables: String = variables.collect();
        format!("{variables}{program} {}", self.arguments.join(" "))
    }

    fn command(&self, xtask: &Path) -> Command {
        let mut command = match self.program {
            Program::Cargo => process::cargo(),
            Program::Xtask => Command::new(xtask),
            Program::Named(name) => Command::new(name),
        };
        for argument in &self.arguments {
            let variable = argument.strip_prefix('$').and_then(std::env::var_os);
            command.arg(variable.unwrap_or_else(|| argument.into()));
        }
        command.envs(self.variables.iter().map(|(name, value)| (*name, value)));
        command
    }
}

/// The result of a step.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) name: String,
    pub(crate) passed: bool,
    /// Wall time in seconds.
    pub(crate) wall: f64,
    /// Processor time of all processes of the step, in seconds.
    pub(crate) cpu: f64,
    pub(crate) executed: usize,
    /// The number of tests that are marked `#[ignore]`.
    pub(crate) ignored: usize,
    pub(crate) skipped: Vec<Skip>,
}

/// A test or step that did not run, because a prerequisite is missing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Skip {
    pub(crate) prerequisite: String,
    pub(crate) test: String,
}

/// Runs steps and keeps their results.
pub(crate) struct Runner {
    /// The path of this program. A step may rebuild it, and then the system no longer knows the
    /// path.
    xtask: PathBuf,
    /// The file to which tests append their skips.
    skips: PathBuf,
    outcomes: Vec<Outcome>,
}

impl Runner {
    /// A runner that works in a folder, with the outcomes of an earlier run.
    pub(crate) fn new(folder: &Path, outcomes: Vec<Outcome>) -> anyhow::Result<Self> {
        std::fs::create_dir_all(folder)?;
        Ok(Self {
            xtask: std::env::current_exe()?,
            skips: std::path::absolute(folder.join("skips.tsv"))?,
            outcomes,
        })
    }

    pub(crate) fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// Runs a step, and prints its output while it runs.
    pub(crate) fn run(&mut self, step: &Step) -> anyhow::Result<bool> {
        println!("\n— {}", step.shown());
        std::fs::write(&self.skips, "")?;
        let begun = Instant::now();
        let before = cpu_of_children()?;
        let mut child = step
            .command(&self.xtask)
            .env(prerequisites::SKIPS, &self.skips)
            .current_dir(programs::workspace::root())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("failed to start `{}`", step.shown()))?;
        let stdout = child.stdout.take().context("the step has no output")?;
        let (mut executed, mut ignored) = (0, 0);
        for line in BufReader::new(stdout).lines() {
            let line = line?;
            println!("{line}");
            if let Some(counts) = Counts::of(&line) {
                executed += counts.passed + counts.failed;
                ignored += counts.ignored;
            }
        }
        let status = child.wait()?;
        let outcome = Outcome {
            name: step.name.to_owned(),
            passed: status.success(),
            wall: begun.elapsed().as_secs_f64(),
            cpu: cpu_of_children()? - before,
            executed,
            ignored,
            skipped: self.skips()?,
        };
        if !outcome.passed {
            println!("\nfailed: `{}` ended with {status}", step.shown());
        }
        self.outcomes.push(outcome);
        Ok(status.success())
    }

    /// Records a skipped step.
    pub(crate) fn skip(&mut self, step: &str, prerequisite: &str) {
        println!("\n— {step}: skipped, needs {prerequisite}");
        self.outcomes.push(Outcome {
            name: step.to_owned(),
            passed: true,
            wall: 0.0,
            cpu: 0.0,
            executed: 0,
            ignored: 0,
            skipped: vec![Skip {
                prerequisite: prerequisite.to_owned(),
                test: format!("the step {step}"),
            }],
        });
    }

    fn skips(&self) -> anyhow::Result<Vec<Skip>> {
        let text = std::fs::read_to_string(&self.skips)?;
        let lines = text.lines().filter_map(|line| line.split_once('\t'));
        let mut skips: Vec<Skip> = lines
            .map(|(test, prerequisite)| Skip {
                prerequisite: prerequisite.to_owned(),
                test: test.to_owned(),
            })
            .collect();
        skips.sort();
        skips.dedup();
        Ok(skips)
    }

    /// Prints the table and the skips. Fails when a step failed, a test is ignored, or CI does not
    /// expect a skip.
    pub(crate) fn finish(&self) -> anyhow::Result<()> {
        print!("\n{}", table(&self.outcomes));
        let skips: Vec<&Skip> = self
            .outcomes
            .iter()
            .flat_map(|outcome| &outcome.skipped)
            .collect();
        for skip in &skips {
            println!("skipped: {} needs {}", skip.test, skip.prerequisite);
        }
        let failed: Vec<&str> = self
            .outcomes
            .iter()
            .filter(|outcome| !outcome.passed)
            .map(|outcome| outcome.name.as_str())
            .collect();
        let executed: usize = self.outcomes.iter().map(|outcome| outcome.executed).sum();
        println!("\n{executed} tests executed, {} skipped", skips.len());
        ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
        let ignored: usize = self.outcomes.iter().map(|outcome| outcome.ignored).sum();
        ensure!(ignored == 0, "{ignored} tests are marked #[ignore]");
        if prerequisites::is_ci() {
            let unexpected: Vec<&str> = skips
                .iter()
                .filter(|skip| !may_be_absent(&skip.prerequisite))
                .map(|skip| skip.test.as_str())
                .collect();
            ensure!(
                unexpected.is_empty(),
                "CI expects these to run: {}",
                unexpected.join(", ")
            );
        }
        println!("everything passed");
        Ok(())
    }
}

fn may_be_absent(prerequisite: &str) -> bool {
    let mut all = prerequisites::ALL.iter();
    all.any(|known| known.name == prerequisite && known.absent_in_ci.is_some())
}

/// The processor time of all children that have ended, in seconds.
#[cfg(unix)]
fn cpu_of_children() -> anyhow::Result<f64> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;

    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let milliseconds = (usage.user_time() + usage.system_time()).num_milliseconds();
    #[expect(clippy::cast_precision_loss, reason = "a time to be printed")]
    Ok(milliseconds as f64 / 1000.0)
}

/// Not measured on other systems.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "as on Unix")]
fn cpu_of_children() -> anyhow::Result<f64> {
    Ok(0.0)
}

/// The counts in the last line of a test program.
#[derive(Debug, PartialEq, Eq)]
struct Counts {
    passed: usize,
    failed: usize,
    ignored: usize,
}

impl Counts {
    /// Parses `test result: ok. 3 passed; 0 failed; 0 ignored; …`.
    fn of(line: &str) -> Option<Self> {
        let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
        let count = |word: &str| {
            let mut parts = counts.split("; ").filter_map(|part| part.split_once(' '));
            let (number, _) = parts.find(|(_, found)| *found == word)?;
            number.parse().ok()
        };
        Some(Self {
            passed: count("passed")?,
            failed: count("failed")?,
            ignored: count("ignored")?,
        })
    }
}

fn table(outcomes: &[Outcome]) -> String {
    let longest = outcomes.iter().map(|outcome| outcome.name.chars().count());
    let width = longest.max().unwrap_or_default().max(5);
    let mut text = format!(
        "{:width$}  {:>9}  {:>9}  {:>6}  {:>7}\n",
        "step", "wall", "CPU", "tests", "skipped"
    );
    let mut row = |name: &str, wall: f64, cpu: f64, executed: usize, skipped: usize| {
        let _ = writeln!(
            text,
            "{name:width$}  {wall:>7.1} s  {cpu:>7.1} s  {executed:>6}  {skipped:>7}"
        );
    };
    let (mut wall, mut cpu, mut executed, mut skipped) = (0.0, 0.0, 0, 0);
    for outcome in outcomes {
        row(
            &outcome.name,
            outcome.wall,
            outcome.cpu,
            outcome.executed,
            outcome.skipped.len(),
        );
        wall += outcome.wall;
        cpu += outcome.cpu;
        executed += outcome.executed;
        skipped += outcome.skipped.len();
    }
    row("total", wall, cpu, executed, skipped);
    text
}

#[cfg(test)]
mod tests {
    use super::Counts;

    #[test]
    fn counts_are_read_from_the_last_line_of_a_test_program() {
        let line = "test result: FAILED. 12 passed; 2 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.01s";
        let counts = Counts {
            passed: 12,
            failed: 2,
            ignored: 1,
        };
        assert_eq!(Counts::of(line), Some(counts));
        assert_eq!(Counts::of("test steps::tests::counts ... ok"), None);
    }
}
