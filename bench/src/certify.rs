//! Measures time and CPU of whole runs of the runner against the sandbox.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

use programs::build;
use programs::process;
use programs::sandbox::{ALL, COMPLETE, Sandbox};

/// The runner against the sandbox: time and CPU of whole runs.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The number of counted runs, after one that is not counted.
    #[arg(long, default_value_t = 10)]
    runs: usize,
}

/// One run of the runner.
struct Run {
    wall: Duration,
    cpu: Duration,
    cases: u64,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    build::build_release(&["sandbox", "conformance"])?;
    let folder = tempfile::tempdir()?;
    let sandbox = Sandbox::start(&build::release("sandbox"))?;
    let out = folder.path().join("report");
    measure(&sandbox, &out)?;
    let mut all = (0..arguments.runs)
        .map(|_| measure(&sandbox, &out))
        .collect::<anyhow::Result<Vec<_>>>()?;
    all.sort_by_key(|run| run.wall);
    print_table(&all);
    Ok(ExitCode::SUCCESS)
}

fn measure(sandbox: &Sandbox, out: &Path) -> anyhow::Result<Run> {
    let mut command = Command::new(build::release("conformance"));
    sandbox.certify(&mut command, ALL, out);
    command.args(COMPLETE);
    command.stdout(Stdio::null());
    let before = cpu_of_children()?;
    let begin = Instant::now();
    let status = command.status().context("failed to start the runner")?;
    let wall = begin.elapsed();
    let cpu = cpu_of_children()?.saturating_sub(before);
    ensure!(
        status.success(),
        "`{}` ended with {status}",
        process::describe(&command)
    );
    let report = std::fs::read(out.join("report.json"))?;
    let report: serde_json::Value = serde_json::from_slice(&report)?;
    let cases = report["cases"].as_array().map_or(0, Vec::len) as u64;
    Ok(Run { wall, cpu, cases })
}

/// User and system time of all children that have ended.
fn cpu_of_children() -> anyhow::Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let microseconds = (usage.user_time() + usage.system_time()).num_microseconds();
    Ok(Duration::from_micros(
        microseconds.try_into().unwrap_or_default(),
    ))
}

#[expect(clippy::cast_precision_loss, reason = "a rate with one digit")]
fn print_table(runs: &[Run]) {
    let (Some(first), Some(last)) = (runs.first(), runs.last()) else {
        return;
    };
    let middle = &runs[runs.len() / 2];
    let milliseconds = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1_000.0);
    let rate = |run: &Run| format!("{:.0}", run.cases as f64 / run.wall.as_secs_f64());
    println!(
        "{} runs of {} cases against the sandbox",
        runs.len(),
        middle.cases
    );
    println!("| | fastest run | median run | slowest run |\n|---|---|---|---|");
    let row = |name: &str, value: &dyn Fn(&Run) -> String| {
        println!(
            "| {name} | {} | {} | {} |",
            value(first),
            value(middle),
            value(last)
        );
    };
    row("wall, ms", &|run| milliseconds(run.wall));
    row("CPU of the runner, ms", &|run| milliseconds(run.cpu));
    row("cases per second", &rate);
}
