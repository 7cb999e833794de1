//! Runs other programs: cargo, and servers that must be stopped again.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};

use crate::workspace;

/// Runs a command in the workspace's top folder, and requires that it succeeds.
pub fn run(command: &mut Command) -> anyhow::Result<()> {
    let shown = describe(command);
    let status = command
        .current_dir(workspace::root())
        .status()
        .with_context(|| format!("failed to start `{shown}`"))?;
    ensure!(status.success(), "`{shown}` ended with {status}");
    Ok(())
}

/// Whether a command succeeds. Fails when the command cannot be started.
pub fn succeeds(command: &mut Command) -> anyhow::Result<bool> {
    let status = command.status();
    let status = status.with_context(|| format!("failed to start `{}`", describe(command)))?;
    Ok(status.success())
}

/// The cargo that runs this program, without the variables that cargo set for this package. Build
/// scripts depend on them, and would run again.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for (name, _) in std::env::vars_os() {
        let name_text = name.to_string_lossy();
        let of_package = [
            "CARGO_PKG_",
            "CARGO_MANIFEST_",
            "CARGO_CRATE_NAME",
            "CARGO_BIN_NAME",
        ];
        if of_package.iter().any(|start| name_text.starts_with(start)) {
            cargo.env_remove(&name);
        }
    }
    cargo
}

/// The command as a user would type it.
pub fn describe(command: &Command) -> String {
    let program = Path::new(command.get_program())
        .file_name()
        .unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words
        .map(OsStr::to_string_lossy)
        .collect::<Vec<_>>()
        .join(" ")
}

/// A server that this process started; it ends with this value.
#[derive(Debug)]
pub struct Server {
    child: Child,
    /// The base address that the server printed.
    pub url: String,
}

impl Server {
    /// Starts a server that prints its base address in its first line.
    pub fn start(command: &mut Command) -> anyhow::Result<Self> {
        let shown = describe(command);
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("failed to start `{shown}`"))?;
        let mut first = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout).read_line(&mut first)?;
        }
        let server = Self {
            child,
            url: first.trim().to_owned(),
        };
        if !server.url.starts_with("http://") {
            bail!("`{shown}` ended without an address; its output is above");
        }
        Ok(server)
    }

    /// The id of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills it with SIGKILL.
    pub fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Sends SIGTERM, and waits until the server has ended.
    fn stop(&mut self) -> std::io::Result<()> {
        if self.child.try_wait()?.is_some() {
            return Ok(());
        }
        let id = self.child.id().to_string();
        let sent = Command::new("kill")
            .args(["-TERM", &id])
            .stderr(Stdio::null())
            .status();
        let deadline = Instant::now() + Duration::from_secs(10);
        while sent.is_ok() && Instant::now() < deadline {
            if self.child.try_wait()?.is_some() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        self.child.kill()?;
        self.child.wait().map(drop)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Err(error) = self.stop() {
            eprintln!("warning: failed to stop the server: {error}");
        }
    }
}
