//! Commands of the user's, run by a shell within a time.

use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;
use tokio::time::timeout;

use crate::value;

/// Runs a command; what it printed.
///
/// # Errors
/// It cannot be run, takes too long, or fails; says why, with the end of what it complained of.
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
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.trim();
    let reason = if said.is_empty() {
        "nothing was said"
    } else {
        said
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
