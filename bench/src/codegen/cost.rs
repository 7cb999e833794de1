//! What a command costs, with everything it starts.
//!
//! The system tells a process what its children cost together. So each command is run by a process
//! of its own, which has no other child and prints what it was told.

use std::ffi::OsString;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, bail};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

/// One command, and what it and all it started cost: microseconds of CPU,
/// those of them in user mode, kilobytes at the peak, microseconds from its start to its end.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The command.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<OsString>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let Some((program, rest)) = arguments.command.split_first() else {
        bail!("no command");
    };
    let begun = Instant::now();
    let status = Command::new(program)
        .args(rest)
        .stdout(Stdio::null())
        .status()
        .with_context(|| format!("failed to start `{}`", program.display()))?;
    let wall = begun.elapsed().as_micros();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let user = usage.user_time().num_microseconds();
    let cpu = user + usage.system_time().num_microseconds();
    println!("{cpu} {user} {} {wall}", usage.max_rss());
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// What a command cost.
pub(crate) struct Cost {
    /// Seconds of CPU.
    pub(crate) seconds: f64,
    /// Those of them in user mode.
    pub(crate) user: f64,
    /// Seconds from its start to its end.
    pub(crate) wall: f64,
    /// At the peak, of the largest of its processes.
    pub(crate) megabytes: u64,
    /// What it said last, where it failed.
    pub(crate) complaint: Option<String>,
    /// Everything it said on standard error.
    pub(crate) said: String,
}

/// Runs a command and tells its cost.
pub(crate) fn of(command: &mut Command) -> anyhow::Result<Cost> {
    let mut measured = Command::new(std::env::current_exe()?);
    measured.args(["bench", "cost", "--"]);
    measured.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            measured.env(name, value);
        }
    }
    if let Some(folder) = command.get_current_dir() {
        measured.current_dir(folder);
    }
    let output = measured.output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let numbers: Result<Vec<u32>, _> = told.split_whitespace().map(str::parse).collect();
    let Ok([cpu, user, kilobytes, wall]) = numbers.as_deref() else {
        bail!("{}", said.trim());
    };
    let complaint = (!output.status.success()).then(|| complaint(&said));
    let seconds = |microseconds: u32| f64::from(microseconds) / 1_000_000.0;
    Ok(Cost {
        seconds: seconds(*cpu),
        user: seconds(*user),
        wall: seconds(*wall),
        megabytes: u64::from(kilobytes / 1024),
        complaint,
        said,
    })
}

/// The line that says most, short enough for a table.
fn complaint(said: &str) -> String {
    const LONGEST: usize = 90;
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
    let telling = |line: &&str| {
        let line = line.to_lowercase();
        line.contains("error") || line.contains("panicked") || line.contains("not ")
    };
    let line = lines().find(telling).or_else(|| lines().next_back());
    let line = line.unwrap_or("it said nothing").replace('|', "\\|");
    let words: Vec<&str> = line.split_whitespace().map(without_folder).collect();
    words.join(" ").chars().take(LONGEST).collect()
}

/// A path of this machine as the name of its file.
fn without_folder(word: &str) -> &str {
    if word.starts_with('/') {
        word.rsplit_once('/').map_or(word, |(_, name)| name)
    } else {
        word
    }
}

#[cfg(test)]
mod tests {
    use super::complaint;

    #[test]
    fn a_complaint_names_no_folder_of_this_machine() {
        let said = "note: x\nthread 'main' panicked at /home/somebody/src/lib.rs:12:5:\nnot here";
        assert_eq!(complaint(said), "thread 'main' panicked at lib.rs:12:5:");
    }
}
