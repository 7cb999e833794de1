//! The reference server, started for a run.

use std::path::Path;
use std::process::Command;

use anyhow::Context;
use tempfile::TempDir;

use super::process::Server;
use super::workspace;

/// Every area.
pub const ALL: &str = "all";

/// The key of the sandbox that is started for the run; it lives as long as its database.
pub const KEY: &str = "certify-key";

/// All of the contract binds.
pub const COMPLETE: [&str; 2] = ["--profile", "complete"];

/// What the sandbox signs notifications with; it lives as long as its database, too.
const SIGNING_SECRET: &str = "whsec_Y2VydGlmeS1ub3RpZmljYXRpb25zLTAwMQ==";

/// A sandbox on a free port, with a database that lives as long as it does.
#[derive(Debug)]
pub struct Sandbox {
    /// Its process.
    pub server: Server,
    /// The address of its database.
    pub database: String,
    _folder: TempDir,
}

impl Sandbox {
    /// Starts it on a fresh file of SQLite.
    ///
    /// # Errors
    /// It does not start.
    pub fn start(binary: &Path) -> anyhow::Result<Self> {
        Self::start_on(binary, None)
    }

    /// Starts it on the given database, or on a fresh file.
    pub fn start_on(binary: &Path, database: Option<&str>) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir().context("failed to make a folder for the database")?;
        let file = format!("sqlite://{}", folder.path().join("sandbox.db").display());
        let database = database.unwrap_or(&file);
        let mut command = Command::new(binary);
        command.args([
            "--listen",
            "127.0.0.1:0",
            "--database",
            database,
            "--api-key",
            KEY,
            "--signing-secret",
            SIGNING_SECRET,
        ]);
        command.env(
            "SANDBOX_LOG",
            std::env::var("SANDBOX_LOG").unwrap_or_else(|_| "warn".to_owned()),
        );
        Ok(Self {
            server: Server::start(&mut command)?,
            database: database.to_owned(),
            _folder: folder,
        })
    }

    /// The runner's arguments to certify it.
    pub fn certify(&self, command: &mut Command, area: &str, out: &Path) {
        runner(command, &self.server.url, "sandbox", area, out);
        let credentials = format!("Authorization: {KEY}");
        command.args(["--header", &credentials]);
        command.args(["--signing-secret", SIGNING_SECRET]);
        // The sandbox is started for the run: its seeded records are there to be changed.
        command.arg("--allow-destructive");
    }
}

/// The arguments with which the runner certifies a server.
pub fn runner(command: &mut Command, url: &str, name: &str, area: &str, out: &Path) {
    command.arg("run").arg("--spec").arg(workspace::contract());
    command
        .args(["--url", url, "--name", name])
        .arg("--out")
        .arg(out);
    if area != ALL {
        command.args(["--area", area]);
    }
}
