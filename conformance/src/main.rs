//! The command `conformance`.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use clap::Parser;
use conformance::level::Verdict;
use conformance::report::{Record, json, snapshots, terminal::Terminal};
use conformance::run::{RunError, run};

mod cli;

use cli::{Cli, Command, RunArguments};

const CONFORMS: u8 = 0;
const DIFFERS: u8 = 1;
const USAGE: u8 = 2;
const HARNESS: u8 = 3;

fn main() -> ExitCode {
    let code = match Cli::parse().command {
        Command::Run(arguments) => certify(&arguments),
        Command::Accept { snapshots } => done(
            snapshots::accept(&snapshots)
                .map(|count| format!("accepted {count} snapshots"))
                .with_context(|| format!("failed to accept {}", snapshots.display())),
        ),
        Command::Schema => done(Ok(json::SCHEMA.trim_end().to_owned())),
        Command::RecordSnapshots => done(
            snapshots::obey(io::stdin().lock())
                .map(|()| String::new())
                .map_err(Into::into),
        ),
    };
    ExitCode::from(code)
}

fn certify(arguments: &RunArguments) -> u8 {
    let options = match arguments.options(seconds_now()) {
        Ok(options) => options,
        Err(error) => return complain(&format!("{error:#}"), USAGE),
    };
    let stdout = io::stdout();
    let color =
        stdout.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty());
    let mut terminal = Terminal::new(stdout.lock(), color);
    let mut record = Record::default();
    let runtime = match tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return complain(&format!("failed to start: {error}"), HARNESS),
    };
    let outcome = runtime.block_on(run(&options, &mut [&mut terminal, &mut record]));
    match outcome {
        Ok(()) => {}
        Err(error @ RunError::Usage(_)) => return complain(&error.to_string(), USAGE),
        Err(error) => return complain(&error.to_string(), HARNESS),
    }
    if let Err(error) = write_outputs(arguments, &options.name, &record) {
        return complain(&format!("{error:#}"), HARNESS);
    }
    match record.counts.verdict() {
        Verdict::Pass => CONFORMS,
        Verdict::Error => HARNESS,
        _ => DIFFERS,
    }
}

fn write_outputs(arguments: &RunArguments, name: &str, record: &Record) -> anyhow::Result<()> {
    let report = json::write(record, &arguments.out)
        .with_context(|| format!("failed to write the report to {}", arguments.out.display()))?;
    say(&format!("report: {}", report.display()));
    let folder = arguments.snapshots.join(name);
    let executable = std::env::current_exe().context("failed to find this program")?;
    let count = snapshots::record(record, &folder, &executable)
        .with_context(|| format!("failed to write snapshots to {}", folder.display()))?;
    if count > 0 {
        say(&format!("snapshots: {count} in {}", folder.display()));
    }
    Ok(())
}

fn done(outcome: anyhow::Result<String>) -> u8 {
    match outcome {
        Ok(text) => {
            say(&text);
            CONFORMS
        }
        Err(error) => complain(&format!("{error:#}"), HARNESS),
    }
}

/// A closed pipe is nobody to tell about.
fn say(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}

fn complain(text: &str, code: u8) -> u8 {
    let plain = text.starts_with("error");
    let _ = writeln!(io::stderr(), "{}{text}", if plain { "" } else { "error: " });
    code
}

/// Seconds since 1970, from which the seed of a run is made where none is given.
fn seconds_now() -> u64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(now.as_micros()).unwrap_or(u64::MAX)
}
