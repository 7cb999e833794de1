//! Measures the cost of a command with all its child processes.
//!
//! The system reports the cost of all children of a process together. So a process without other
//! children runs each command, and prints its cost.

use std::ffi::OsString;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, bail};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

/// Run a command, and print the cost of it and its children: microseconds of CPU, microseconds of
/// user CPU, kilobytes at the peak, microseconds of wall time.
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

/// The cost of a command.
pub(crate) struct Cost {
    /// Seconds of CPU.
    pub(crate) seconds: f64,
    /// Seconds of CPU in user mode.
    pub(crate) user: f64,
    /// Seconds of wall time.
    pub(crate) wall: f64,
    /// Megabytes at the peak of the largest process.
    pub(crate) megabytes: u64,
    /// The last error message of a failed command.
    pub(crate) complaint: Option<String>,
    /// Everything on standard error.
    pub(crate) output: String,
}

/// Runs a command and measures its cost.
pub(crate) fn of(command: &mut Command) -> anyhow::Result<Cost> {
    let mut measured = Command::new(std::env::current_exe()?);
    measured.args(["cost", "--"]);
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
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let numbers: Result<Vec<u32>, _> = printed.split_whitespace().map(str::parse).collect();
    let Ok([cpu, user, kilobytes, wall]) = numbers.as_deref() else {
        bail!("{}", errors.trim());
    };
    let complaint = (!output.status.success()).then(|| complaint(&errors));
    let seconds = |microseconds: u32| f64::from(microseconds) / 1_000_000.0;
    Ok(Cost {
        seconds: seconds(*cpu),
        user: seconds(*user),
        wall: seconds(*wall),
        megabytes: u64::from(kilobytes / 1024),
        complaint,
        output: errors,
    })
}

/// The most informative line of an output, short enough for a table.
fn complaint(output: &str) -> String {
    const LONGEST: usize = 90;
    let lines = || {
        output
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
    };
    let is_informative = |line: &&str| {
        let line = line.to_lowercase();
        line.contains("error") || line.contains("panicked") || line.contains("not ")
    };
    let line = lines().find(is_informative).or_else(|| lines().next_back());
    let line = line.unwrap_or("no output").replace('|', "\\|");
    let words: Vec<&str> = line.split_whitespace().map(without_folder).collect();
    words.join(" ").chars().take(LONGEST).collect()
}

/// A path reduced to its file name.
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
        let output = "note: x\nthread 'main' panicked at /home/somebody/src/lib.rs:12:5:\nnot here";
        assert_eq!(complaint(output), "thread 'main' panicked at lib.rs:12:5:");
    }
}
