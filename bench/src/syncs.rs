//! Compares the disk syncs, counted by strace, with the commits that the sandbox counts.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, ensure};

use super::load::{End, load};
use super::request::Request;
use super::server::{self, Program};

/// Count the disk syncs of a sandbox on SQLite, and its commits (needs strace).
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The number of purchases.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    requests: u64,
    /// The number of connections.
    #[arg(long, value_name = "N", default_value_t = 64)]
    connections: usize,
    /// The program to measure; default: a release build.
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let program = Program::find(arguments.binary.as_deref())?;
    let folder = tempfile::tempdir()?;
    let (trace, database) = (
        folder.path().join("trace"),
        folder.path().join("sandbox.db"),
    );
    let mut strace = Command::new("strace");
    strace
        .args(["-f", "-qq", "-e", "trace=fsync,fdatasync", "-o"])
        .arg(&trace)
        .arg(&program.0);
    let database = format!("sqlite://{}", database.display());
    let sandbox = server::start(&mut strace, &database, &[])
        .context("strace cannot be started, or cannot watch")?;
    let mut creates = Request::create("sync");
    let before = (syncs(&trace)?, commits(&sandbox)?);
    let end = End::Requests(arguments.requests);
    load(sandbox.address, arguments.connections, end, &mut creates)?;
    let after = (syncs(&trace)?, commits(&sandbox)?);
    let (syncs, commits) = (after.0 - before.0, after.1 - before.1);
    println!(
        "{} purchases on {} connections: {commits} commits, {syncs} syncs of the disk",
        arguments.requests, arguments.connections
    );
    ensure!(syncs >= commits, "a commit was answered without a sync");
    Ok(ExitCode::SUCCESS)
}

/// The number of successful syncs.
fn syncs(trace: &PathBuf) -> anyhow::Result<usize> {
    let text = fs::read_to_string(trace)?;
    Ok(text
        .lines()
        .filter(|line| line.contains("sync") && line.ends_with("= 0"))
        .count())
}

/// The number of commits in the sandbox's metrics.
fn commits(sandbox: &server::Watched) -> anyhow::Result<usize> {
    let metrics = server::get(sandbox.address, "/metrics")?;
    let counted = metrics
        .lines()
        .find_map(|line| line.strip_prefix("sandbox_commits_total "));
    Ok(counted
        .context("no commits in the metrics")?
        .trim()
        .parse()?)
}
