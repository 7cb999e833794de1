//! `cargo xtask real`: runs the runner against a published server, and compares the findings with a
//! reviewed list.

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use programs::build::{build, built};
use programs::workspace;
use serde::Deserialize;

mod findings;
mod program;

use findings::Finding;
use program::Program;

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_mins(2);

/// How long a server may take to end.
const FAREWELL: Duration = Duration::from_secs(10);

/// The pause between two checks of a server.
const INTERVAL: Duration = Duration::from_millis(250);

/// Install a published server, start it, run the conformance runner with the server's document, and
/// compare the findings with the reviewed list in `conformance/real/SERVER.toml`.
///
/// Fails on a finding that the list lacks.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The server, by the name of its file in `conformance/real`.
    server: String,
    /// Add the findings that the list lacks, so that they can be reviewed.
    #[arg(long)]
    write: bool,
    /// Generate a client from the server's document and run the program that uses it, instead of
    /// the runner.
    #[arg(long)]
    program: bool,
    /// Further options of the runner.
    #[arg(last = true)]
    runner: Vec<String>,
}

/// A published server. Each command is a line of bash, run in the folder of the server.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Server {
    /// A description of the server and its setup.
    about: String,
    /// The installed version.
    version: String,
    /// Prerequisites on the machine.
    #[serde(default)]
    needs: Vec<String>,
    /// Files for the commands, by name.
    #[serde(default)]
    files: BTreeMap<String, String>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    install: Vec<String>,
    /// The commands that reset the state.
    fresh: Vec<String>,
    start: String,
    /// The address that answers when the server is ready.
    ready: String,
    /// Commands to run when the server is ready, such as a login.
    #[serde(default)]
    prepare: Vec<String>,
    /// The base address for the runner.
    address: String,
    /// The header with the credential, as bash reads it between double quotes.
    credential: Option<String>,
    /// The command that writes the document to the file `document`.
    document: String,
    /// The lowest accepted share of called operations that succeed.
    least_reached: f64,
    /// A program that calls the server with a generated client.
    program: Option<Program>,
    #[serde(default)]
    finding: Vec<Finding>,
}

/// A process with its child processes.
struct Group(Child);

impl Drop for Group {
    fn drop(&mut self) {
        let Ok(id) = i32::try_from(self.0.id()) else {
            return;
        };
        let group = Pid::from_raw(id);
        // The process may have ended already.
        let _ = killpg(group, Signal::SIGTERM);
        let started = Instant::now();
        while matches!(self.0.try_wait(), Ok(None)) && started.elapsed() < FAREWELL {
            std::thread::sleep(INTERVAL);
        }
        let _ = killpg(group, Signal::SIGKILL);
        let _ = self.0.wait();
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let list = list_of(&arguments.server);
    let text = std::fs::read_to_string(&list).ok();
    let unknown = || format!("there is no server `{}`; {}", arguments.server, known());
    let text = text.with_context(unknown)?;
    let server: Server =
        toml::from_str(&text).with_context(|| format!("{} cannot be used", list.display()))?;
    let folder = workspace::root()
        .join("target/real")
        .join(&arguments.server);
    std::fs::create_dir_all(&folder)?;
    println!("{} {}: {}", arguments.server, server.version, server.about);
    server.install(&folder)?;
    if arguments.program {
        let program = server.program.as_ref();
        let program = program.context("the server has no program")?;
        let _group = server.started(&folder)?;
        return program.run(&arguments.server, &folder, &server.address);
    }
    build(&["conformance"])?;
    let report = server.certify(&folder, &arguments.runner)?;
    let found = findings::read(&report)?;
    let outcome = findings::compare(&server.finding, &found);
    outcome.print();
    if arguments.write && !outcome.unknown.is_empty() {
        findings::append(&list, &outcome.unknown)?;
        println!(
            "added to {}: give each its verdict and reason",
            list.display()
        );
    }
    let (reached, called) = findings::reached(&report)?;
    println!("succeeded at least once: {reached} of {called} operations");
    #[expect(clippy::cast_precision_loss, reason = "a few hundred operations")]
    let share = reached as f64 / called.max(1) as f64;
    let is_good = outcome.is_reviewed() && share >= server.least_reached;
    if share < server.least_reached {
        println!("fewer than {:.0} %", server.least_reached * 100.0);
    }
    Ok(ExitCode::from(u8::from(!is_good)))
}

fn list_of(server: &str) -> PathBuf {
    let folder = workspace::root().join("conformance/real");
    folder.join(server).with_extension("toml")
}

/// The names of the servers.
fn known() -> String {
    let files = std::fs::read_dir(workspace::root().join("conformance/real"));
    let names = files.into_iter().flatten().flatten().filter_map(|file| {
        let name = file.file_name().into_string().ok()?;
        name.strip_suffix(".toml").map(str::to_owned)
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    format!("the servers are {}", names.join(", "))
}

impl Server {
    /// Installs the server, once for each version of its commands.
    fn install(&self, folder: &Path) -> anyhow::Result<()> {
        let mark = folder.join("installed");
        let wanted = self.install.join("\n");
        if std::fs::read_to_string(&mark).is_ok_and(|installed| installed == wanted) {
            return Ok(());
        }
        if !self.needs.is_empty() {
            println!("needs: {}", self.needs.join(", "));
        }
        for line in &self.install {
            println!("  {line}");
            self.bash(folder, line)?;
        }
        Ok(std::fs::write(mark, wanted)?)
    }

    /// Starts the server with new state, and writes its document.
    fn started(&self, folder: &Path) -> anyhow::Result<Group> {
        for (name, text) in &self.files {
            std::fs::write(folder.join(name), text)?;
        }
        for line in &self.fresh {
            self.bash(folder, line)?;
        }
        let log = std::fs::File::create(folder.join("server.log"))?;
        let mut command = self.command(folder, &format!("exec {}", self.start));
        command
            .stdout(log.try_clone()?)
            .stderr(log)
            .process_group(0);
        let mut group = Group(command.spawn().context("bash cannot be started")?);
        self.wait(folder, &mut group)?;
        for line in self.prepare.iter().chain([&self.document]) {
            self.bash(folder, line)?;
        }
        Ok(group)
    }

    /// Starts the server and runs the runner. Returns the folder of the report.
    fn certify(&self, folder: &Path, more: &[String]) -> anyhow::Result<PathBuf> {
        let _group = self.started(folder)?;
        let out = folder.join("report");
        let mut runner = Command::new(built("conformance"));
        runner.arg("run").arg("--spec").arg(folder.join("document"));
        runner.args(["--url", &self.address, "--seed", "1"]);
        runner.arg("--out").arg(&out);
        runner.arg("--snapshots").arg(folder.join("snapshots"));
        if let Some(credential) = &self.credential {
            runner.args(["--header", &self.evaluate(folder, credential)?]);
        }
        let output = std::fs::File::create(folder.join("account.txt"))?;
        let status = runner.args(more).stdout(output).status()?;
        println!("account: {}", folder.join("account.txt").display());
        ensure!(
            matches!(status.code(), Some(0 | 1)),
            "the run has no verdict ({status}): see the output, and server.log beside it"
        );
        Ok(out)
    }

    /// Waits until the server answers.
    fn wait(&self, folder: &Path, group: &mut Group) -> anyhow::Result<()> {
        let started = Instant::now();
        let probe = format!("curl -sf -o /dev/null '{}'", self.ready);
        while !self.command(folder, &probe).status()?.success() {
            if let Some(status) = group.0.try_wait()? {
                bail!("the server ended with {status}: see server.log");
            }
            ensure!(
                started.elapsed() < PATIENCE,
                "the server does not answer at {}: see server.log",
                self.ready
            );
            std::thread::sleep(INTERVAL);
        }
        Ok(())
    }

    fn command(&self, folder: &Path, line: &str) -> Command {
        let mut command = Command::new("bash");
        command.args(["-euc", line]).current_dir(folder);
        command.stdin(Stdio::null()).envs(&self.environment);
        command
    }

    fn bash(&self, folder: &Path, line: &str) -> anyhow::Result<()> {
        let status = self.command(folder, line).stdout(Stdio::null()).status()?;
        ensure!(status.success(), "`{line}` ended with {status}");
        Ok(())
    }

    /// A text after bash has expanded its variables.
    fn evaluate(&self, folder: &Path, text: &str) -> anyhow::Result<String> {
        let output = self
            .command(folder, &format!("printf %s \"{text}\""))
            .output()?;
        ensure!(output.status.success(), "`{text}` cannot be read by bash");
        Ok(String::from_utf8(output.stdout)?)
    }
}
