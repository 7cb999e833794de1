//! Kills the sandbox with `kill -9` under load, repeatedly: every acknowledged purchase must exist,
//! be complete, and have a notification.

mod load;
mod receiver;

use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use self::load::{Acknowledged, Load};
use self::receiver::Receiver;
use super::server::{self, Program, Watched};
use programs::process;

/// The number of acknowledged purchases before a kill, and its random extra.
const FEWEST: usize = 20;
const SPREAD: usize = 200;
/// How long the last notifications may take. Those of a killed sandbox come after their lease
/// expires.
const PATIENCE: Duration = Duration::from_mins(5);

/// Kill the sandbox under load, start it again, and check everything that it acknowledged.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The number of kills.
    #[arg(long, value_name = "N", default_value_t = 100)]
    rounds: usize,
    /// The database, as `sandbox --database` takes it; default: a new file.
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// The program to kill; default: a release build.
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let program = Program::find(arguments.binary.as_deref())?;
    let folder = tempfile::tempdir()?;
    let file = format!("sqlite://{}", folder.path().join("sandbox.db").display());
    let database = arguments.database.as_ref().unwrap_or(&file);
    let receiver = Receiver::start()?;
    let mut kept: Vec<Acknowledged> = Vec::new();
    let mut unknown = 0;
    for round in 0..arguments.rounds {
        let mut sandbox = program.start(database, &[])?;
        let enough = FEWEST + round * 37 % SPREAD;
        let prefix = format!("kill-{}-{round}", std::process::id());
        let load = Load::until(enough, sandbox.address, &prefix, receiver.url(), || {
            sandbox.kill()
        })?;
        audit(&program, database)?;
        let again = program.start(database, &[])?;
        load.acknowledged
            .iter()
            .try_for_each(|one| check_purchase(&again, one))?;
        { load.unknown.iter() }.try_for_each(|key| repeat(&again, key, receiver.url()))?;
        unknown += load.unknown.len();
        kept.extend(load.acknowledged);
        eprintln!("round {}: {} acknowledged so far", round + 1, kept.len());
    }
    let sandbox = program.start(database, &[])?;
    kept.iter()
        .try_for_each(|one| check_purchase(&sandbox, one))?;
    all_notified(&receiver, &kept)?;
    drop(sandbox);
    audit(&program, database)?;
    println!(
        "{} kills: {} purchases acknowledged, none lost; {unknown} without an answer, each there \
         wholly or not at all; books clean {} times; each with at least one notification ({} notifications)",
        arguments.rounds,
        kept.len(),
        arguments.rounds + 1,
        receiver.count()
    );
    Ok(ExitCode::SUCCESS)
}

/// Checks that an acknowledged purchase exists unchanged, under both its ids.
fn check_purchase(sandbox: &Watched, one: &Acknowledged) -> anyhow::Result<()> {
    let id = one.body["id"].as_str().context("no id")?;
    for path in [id.to_owned(), format!("merchant/{}", one.key)] {
        let found = server::get(sandbox.address, &format!("/v1/transactions/{path}"))?;
        let (status, body) = server::parts(&found)?;
        ensure!(
            status == 200 && body == one.body,
            "acknowledged: {}\nfound: {found}",
            one.body
        );
    }
    Ok(())
}

/// Checks that an unanswered purchase exists completely or not at all: the repeated request
/// succeeds.
fn repeat(sandbox: &Watched, key: &str, url: &str) -> anyhow::Result<()> {
    let created = server::post(
        sandbox.address,
        "/v1/transactions",
        &load::purchase(key, url),
    )?;
    let (status, body) = server::parts(&created)?;
    ensure!(status == 201, "{key}: {created}");
    let key = key.to_owned();
    check_purchase(sandbox, &Acknowledged { key, body })
}

fn audit(program: &Program, database: &str) -> anyhow::Result<()> {
    let mut command = Command::new(&program.0);
    process::run(command.args(["audit", "--database", database]))
}

/// Waits until each purchase has a notification.
fn all_notified(receiver: &Receiver, kept: &[Acknowledged]) -> anyhow::Result<()> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let missing = kept.iter().filter(|one| !receiver.knows(&one.key)).count();
        if missing == 0 {
            return Ok(());
        }
        ensure!(
            Instant::now() < deadline,
            "{missing} purchases never had a notification"
        );
        std::thread::sleep(Duration::from_millis(100));
    }
}
