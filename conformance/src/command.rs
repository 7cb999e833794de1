//! Runs the user's shell commands with a time limit.

use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;
use tokio::time::timeout;

use crate::value;

/// Runs a command in the shell. Returns what it printed to standard output.
///
/// # Errors
/// The command cannot be started, takes longer than `limit`, or fails. The message ends with its
/// standard error output.
pub(crate) async fn run(
    line: &str,
    environment: &[(&str, &str)],
    limit: Duration,
) -> Result<String, String> {
    let mut command = shell(line);
    command
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let output = match timeout(limit, command.output()).await {
        Err(_) => return Err(format!("it did not end within {} s", limit.as_secs())),
        Ok(Err(error)) => return Err(error.to_string()),
        Ok(Ok(output)) => output,
    };
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    let complaint = complaint.trim();
    let reason = if complaint.is_empty() {
        "it printed no error"
    } else {
        complaint
    };
    Err(format!("{}: {}", output.status, value::excerpt(reason)))
}

#[cfg(not(windows))]
fn shell(line: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", line]);
    command
}

#[cfg(windows)]
fn shell(line: &str) -> Command {
    let mut command = Command::new("cmd");
    command.args(["/C", line]);
    command
}
