//! The command `conformance`.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::panic::resume_unwind;
use std::path::Path;
use std::process::ExitCode;
use std::thread::{self, ScopedJoinHandle};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use clap::{CommandFactory, Parser};
use conformance::checks;
use conformance::deviations;
use conformance::event::{Consumer, Wants};
use conformance::explain;
use conformance::level::Verdict;
use conformance::report::ndjson::{self, Ndjson};
use conformance::report::{
    Format, Record, certificate, github, json, snapshots, terminal::Terminal,
};
use conformance::run::{self, RunError, list};
use conformance::source::BUILT_IN;
use mimalloc::MiMalloc;
use openapi_document::spelling::nearest;

mod built_in;
mod cli;
mod freeze;
mod merge;
mod rulings;
mod watch;

use cli::{Cli, Command, FailOn, RunArguments, SchemaName};

/// Suits many small values that live until the program ends.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const CONFORMS: u8 = 0;
const DIFFERS: u8 = 1;
const USAGE: u8 = 2;
const HARNESS: u8 = 3;

fn main() -> ExitCode {
    let code = match Cli::parse().command {
        Command::Run(arguments) if arguments.dry_run => dry(&arguments),
        Command::Run(arguments) if arguments.watch => watch::watch(&arguments),
        Command::Run(arguments) => certify(&arguments),
        Command::Merge { reports, out } => merge::merge(&reports, &out),
        Command::Replay { id, from, options } => match replay(&id, &from, options) {
            Ok(arguments) => certify(&arguments),
            Err(error) => complain(&format!("{error:#}"), USAGE),
        },
        Command::Explain { id: None, .. } => done(Ok(explain::index().trim_end().to_owned())),
        Command::Explain { id: Some(id), from } => {
            match (explain::explain(&id), explain_case(&from, &id)) {
                (None, None) => complain(&unexplained(&id, &from), USAGE),
                (Some(law), None) if id.contains('/') => {
                    done(Ok(format!("{law}\n{}.", no_case(&from))))
                }
                (law, case) => {
                    let parts: Vec<String> = law.into_iter().chain(case).collect();
                    done(Ok(parts.join("\n").trim_end().to_owned()))
                }
            }
        }
        Command::Facts(arguments) => rulings::run(&arguments),
        Command::List(arguments) => match arguments
            .without_server()
            .options(0)
            .map(|options| list(&options))
        {
            Ok(Ok(cases)) => done(Ok(cases.join("\n"))),
            Ok(Err(error)) => complain(&error.to_string(), USAGE),
            Err(error) => complain(&format!("{error:#}"), USAGE),
        },
        Command::Requirements {
            from,
            folder,
            check,
        } => freeze::freeze(&from, &folder, check),
        Command::Init { file } => done(init(&file)),
        Command::Contract { folder } => done(built_in::write(&folder)),
        Command::Completions { shell } => {
            let mut command = Cli::command();
            clap_complete::generate(shell, &mut command, "conformance", &mut io::stdout());
            CONFORMS
        }
        Command::Accept { snapshots } => done(
            snapshots::accept(&snapshots)
                .map(|count| format!("accepted {count} snapshots"))
                .with_context(|| format!("failed to accept {}", snapshots.display())),
        ),
        Command::Schema { of } => {
            let schema = match of {
                SchemaName::Report => Ok(json::SCHEMA.to_owned()),
                SchemaName::Certificate => Ok(certificate::SCHEMA.to_owned()),
                SchemaName::Events => ndjson::schema(),
            };
            done(
                schema
                    .map(|schema| schema.trim_end().to_owned())
                    .map_err(Into::into),
            )
        }
        Command::RecordSnapshots => done(
            snapshots::execute_order(io::stdin().lock())
                .map(|()| String::new())
                .map_err(Into::into),
        ),
    };
    ExitCode::from(code)
}

fn dry(arguments: &RunArguments) -> u8 {
    let options = match arguments.options(seconds_now()) {
        Ok(options) => options,
        Err(error) => return complain(&format!("{error:#}"), USAGE),
    };
    match run::dry(&options) {
        Ok(lines) => done(Ok(lines.join("\n"))),
        Err(error) => complain(&error.to_string(), code_of(&error)),
    }
}

/// The exit code of a run without a verdict.
fn code_of(error: &RunError) -> u8 {
    match error {
        RunError::Usage(_) => USAGE,
        RunError::Contract(_) | RunError::Target(_) | RunError::Output(_) => HARNESS,
    }
}

fn certify(arguments: &RunArguments) -> u8 {
    let options = match arguments.options(seconds_now()) {
        Ok(options) => options,
        Err(error) => return complain(&format!("{error:#}"), USAGE),
    };
    let stdout = io::stdout();
    let is_watched = stdout.is_terminal();
    let color = is_watched && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty());
    let account = Terminal::new(BufWriter::new(stdout.lock()), color);
    let account = if is_watched { account } else { account.paced() };
    let mut terminal = if arguments.quiet {
        account.quiet()
    } else {
        account
    };
    let formats = arguments.formats();
    let wants = formats.iter().map(|format| format.wants());
    let mut record = Record::keeping(wants.fold(Wants::default(), Wants::or));
    let mut events = match formats.contains(&Format::Ndjson).then(|| events(arguments)) {
        Some(Err(error)) => return complain(&format!("{error:#}"), HARNESS),
        Some(Ok(events)) => Some(events),
        None => None,
    };
    let mut consumers: Vec<&mut dyn Consumer> = vec![&mut terminal, &mut record];
    if let Some(events) = &mut events {
        consumers.push(events);
    }
    let runtime = match tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return complain(&format!("failed to start: {error}"), HARNESS),
    };
    let outcome = runtime.block_on(run::run(&options, &mut consumers));
    if let Err(error) = outcome {
        return complain(&error.to_string(), code_of(&error));
    }
    if let Err(error) = write_outputs(arguments, &options.name, &record, &formats) {
        return complain(&format!("{error:#}"), HARNESS);
    }
    if arguments.accept
        && let Err(error) = accept(arguments, &record)
    {
        return complain(&format!("{error:#}"), HARNESS);
    }
    let fails_on = |what: FailOn| arguments.fail_on.contains(&what);
    let is_short = fails_on(FailOn::Warn) && record.counts.warn > 0
        || fails_on(FailOn::Unreached) && record.unreached().next().is_some();
    match record.counts.verdict() {
        Verdict::Pass if is_short => DIFFERS,
        Verdict::Pass => CONFORMS,
        Verdict::Error => HARNESS,
        _ => DIFFERS,
    }
}

/// Writes a configuration file that explains every setting.
fn init(file: &Path) -> anyhow::Result<String> {
    let mut to =
        File::create_new(file).with_context(|| format!("failed to write {}", file.display()))?;
    to.write_all(include_bytes!("../conformance.example.toml"))?;
    Ok(format!("wrote {}", file.display()))
}

/// The options of a run that repeats one case of another run.
fn replay(id: &str, from: &Path, options: Vec<String>) -> anyhow::Result<Box<RunArguments>> {
    let text = std::fs::read(from).with_context(|| format!("failed to read {}", from.display()))?;
    let report: serde_json::Value = serde_json::from_slice(&text)
        .with_context(|| format!("{} is no report", from.display()))?;
    let has = |case: &serde_json::Value| case["id"] == id;
    let known = report["cases"]
        .as_array()
        .is_some_and(|all| all.iter().any(has));
    anyhow::ensure!(known, "{} has no case `{id}`", from.display());
    let run = &report["run"];
    let text = |key: &str| run[key].as_str().unwrap_or_default().to_owned();
    let mut words = vec!["conformance".to_owned(), "run".to_owned()];
    let options_of_run = [
        ("--spec", text("spec")),
        ("--url", text("url")),
        ("--profile", text("profile")),
        ("--name", text("name")),
        ("--seed", run["seed"].to_string()),
        ("--case", id.to_owned()),
        // Keeps the report of the earlier run.
        ("--out", "target/replay".to_owned()),
    ];
    for (name, value) in options_of_run {
        // New options override those of the earlier run. The contract within the program needs no
        // option.
        let is_built_in = name == "--spec" && value == BUILT_IN;
        if !is_built_in && !options.iter().any(|option| option == name) {
            words.extend([name.to_owned(), value]);
        }
    }
    words.extend(options);
    match Cli::try_parse_from(words)?.command {
        Command::Run(arguments) => Ok(arguments),
        _ => anyhow::bail!("only options of `run` can follow"),
    }
}

/// The explanation of a case. `None` when the report lacks it.
fn explain_case(from: &Path, id: &str) -> Option<String> {
    let report = std::fs::read(from).ok()?;
    let report = serde_json::from_slice(&report).ok()?;
    let events = std::fs::read_to_string(from.with_file_name(ndjson::NAME)).ok();
    explain::case::explain(&report, events.as_deref(), id)
}

/// Why a case cannot be explained.
fn no_case(from: &Path) -> String {
    let place = from.display();
    if from.exists() {
        format!("{place} has no case of that name")
    } else {
        format!("to explain a case, name the report of its run with --from; there is no {place}")
    }
}

fn unexplained(id: &str, from: &Path) -> String {
    let report = no_case(from);
    let checks = checks::ALL.iter().map(|check| check.id);
    match nearest(id, checks) {
        Some(near) => format!("there is no check and no law `{id}`; did you mean `{near}`?"),
        None => format!(
            "there is no check and no law `{id}`\n  `conformance explain` lists checks and laws\n  {report}"
        ),
    }
}

/// Adds the differences of a run to the file of known deviations.
fn accept(arguments: &RunArguments, record: &Record) -> anyhow::Result<()> {
    let file = arguments.accepted()?;
    let today = record
        .start
        .as_ref()
        .and_then(|start| start.started.get(..10));
    let text = deviations::accepted(&record.cases, today.unwrap_or_default());
    let mut to = File::options().create(true).append(true).open(&file)?;
    to.write_all(text.as_bytes())?;
    let count = text.matches("[[deviation]]").count();
    say(&format!(
        "accepted {count} deviations in {}: give each its reason",
        file.display()
    ));
    Ok(())
}

/// The output for events while they happen.
fn events(arguments: &RunArguments) -> anyhow::Result<Ndjson<BufWriter<File>>> {
    let path = arguments.out.join(ndjson::NAME);
    let file = std::fs::create_dir_all(&arguments.out).and_then(|()| File::create(&path));
    let file = file.with_context(|| format!("failed to write {}", path.display()))?;
    Ok(Ndjson::new(BufWriter::new(file)))
}

fn write_outputs(
    arguments: &RunArguments,
    name: &str,
    record: &Record,
    formats: &BTreeSet<Format>,
) -> anyhow::Result<()> {
    let out = &arguments.out;
    let failed = || format!("failed to write the report to {}", out.display());
    let mut files = vec![
        json::write(record, out).with_context(failed)?,
        certificate::record(record, out).with_context(failed)?,
    ];
    let written: Vec<_> = thread::scope(|scope| {
        let writers = formats.iter();
        let writers: Vec<_> = writers
            .map(|format| scope.spawn(|| format.write(record, out)))
            .collect();
        writers.into_iter().map(ScopedJoinHandle::join).collect()
    });
    for written in written {
        let written = written.unwrap_or_else(|panic| resume_unwind(panic));
        files.extend(written.with_context(failed)?);
    }
    for file in &files {
        say(&format!("report: {}", file.display()));
    }
    let in_workflow = std::env::var("GITHUB_ACTIONS").is_ok_and(|set| set == "true");
    if formats.contains(&Format::Github) && in_workflow {
        say(github::annotations(record).trim_end());
    }
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

/// A closed pipe cannot show an error, so it is ignored.
fn say(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}

fn complain(text: &str, code: u8) -> u8 {
    let plain = text.starts_with("error");
    let _ = writeln!(io::stderr(), "{}{text}", if plain { "" } else { "error: " });
    code
}

/// Microseconds since 1970, for a random seed.
fn seconds_now() -> u64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(now.as_micros()).unwrap_or(u64::MAX)
}
