//! Runs a release build of the sandbox, and measures it from outside.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use nix::unistd::{SysconfVar, sysconf};
use serde_json::Value;
use tempfile::TempDir;

use super::request::{ADMIN_KEY, KEY};
use programs::build;
use programs::process::{self, Server};

/// How long the sandbox may take to become ready.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running sandbox; its database is deleted with it.
pub(crate) struct Watched {
    server: Server,
    pub(crate) address: SocketAddr,
    _folder: Option<TempDir>,
}

/// The measured program.
#[derive(Clone, Debug)]
pub(crate) struct Program(pub(crate) PathBuf);

impl Program {
    /// The given program, or a release build.
    pub(crate) fn find(given: Option<&Path>) -> anyhow::Result<Self> {
        if let Some(path) = given {
            return Ok(Self(path.to_owned()));
        }
        build::build_release(&["sandbox"])?;
        Ok(Self(build::release("sandbox")))
    }

    /// Starts the program on a new file.
    pub(crate) fn on_file(&self, more: &[&str]) -> anyhow::Result<Watched> {
        let folder = tempfile::tempdir().context("failed to make a folder for the database")?;
        let database = format!("sqlite://{}", folder.path().join("sandbox.db").display());
        let started = self.start(&database, more)?;
        Ok(Watched {
            _folder: Some(folder),
            ..started
        })
    }

    /// Starts the program on a database, and waits until it is ready.
    pub(crate) fn start(&self, database: &str, more: &[&str]) -> anyhow::Result<Watched> {
        start(&mut Command::new(&self.0), database, more)
    }
}

/// Starts a command whose last argument is the program, and waits until it is ready.
pub(crate) fn start(
    command: &mut Command,
    database: &str,
    more: &[&str],
) -> anyhow::Result<Watched> {
    command
        .args(["--listen", "127.0.0.1:0", "--api-key", KEY])
        .args(["--admin-key", ADMIN_KEY])
        .args(["--database", database])
        .args(more)
        .env("SANDBOX_LOG", "error");
    let server = Server::start(command)?;
    let address = server.url.trim_start_matches("http://").parse()?;
    let watched = Watched {
        server,
        address,
        _folder: None,
    };
    watched.until_ready(&process::describe(command))?;
    Ok(watched)
}

impl Watched {
    fn until_ready(&self, shown: &str) -> anyhow::Result<()> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if get(self.address, "/readyz")?.starts_with("HTTP/1.1 204 ") {
                return Ok(());
            }
            ensure!(Instant::now() < deadline, "`{shown}` does not become ready");
        }
    }

    /// Kills it with SIGKILL.
    pub(crate) fn kill(&mut self) -> anyhow::Result<()> {
        self.server.kill()
    }

    /// User and system time so far.
    pub(crate) fn cpu(&self) -> anyhow::Result<Duration> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.server.id()))?;
        // The name in parentheses may contain any character; numbers follow it.
        let (_, numbers) = stat.rsplit_once(')').context("no statistics")?;
        let ticks = numbers.split_whitespace().skip(11).take(2);
        let ticks = ticks.map(str::parse::<u64>).sum::<Result<u64, _>>()?;
        let second = sysconf(SysconfVar::CLK_TCK)?.unwrap_or(100);
        let second = u64::try_from(second)?;
        Ok(Duration::from_millis(ticks * 1_000 / second))
    }

    /// Resident memory in kilobytes.
    pub(crate) fn memory(&self) -> anyhow::Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.server.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().next());
        Ok(number.context("no memory")?.parse()?)
    }
}

/// Sends a GET request on a new connection.
pub(crate) fn get(address: SocketAddr, path: &str) -> anyhow::Result<String> {
    talk(address, KEY, &format!("GET {path}"), "")
}

pub(crate) fn post(address: SocketAddr, path: &str, body: &str) -> anyhow::Result<String> {
    talk(address, KEY, &format!("POST {path}"), body)
}

/// Sends a request to the control interface on a new connection.
pub(crate) fn order(address: SocketAddr, line: &str, body: &str) -> anyhow::Result<String> {
    talk(address, ADMIN_KEY, line, body)
}

/// Status and body of a complete answer.
pub(crate) fn parts(answer: &str) -> anyhow::Result<(u16, Value)> {
    let status = answer.split(' ').nth(1).context("no status")?;
    let (_, body) = answer.split_once("\r\n\r\n").context("no body")?;
    Ok((status.parse()?, serde_json::from_str(body)?))
}

fn talk(address: SocketAddr, key: &str, line: &str, body: &str) -> anyhow::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    write!(
        stream,
        "{line} HTTP/1.1\r\nhost: bench\r\nauthorization: {key}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}
