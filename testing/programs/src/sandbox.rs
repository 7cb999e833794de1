//! Starts the reference server.

use std::path::Path;
use std::process::Command;

use anyhow::Context;
use tempfile::TempDir;

use super::process::Server;
use super::workspace;

/// The name for all areas.
pub const ALL: &str = "all";

/// The key of a started sandbox; it is valid as long as its database exists.
pub const KEY: &str = "certify-key";

/// The arguments for the profile in which the whole contract binds.
pub const COMPLETE: [&str; 2] = ["--profile", "complete"];

/// The secret with which the sandbox signs notifications.
const SIGNING_SECRET: &str = "whsec_Y2VydGlmeS1ub3RpZmljYXRpb25zLTAwMQ==";

/// A sandbox on a free port; its database is deleted with it.
#[derive(Debug)]
pub struct Sandbox {
    /// The process.
    pub server: Server,
    /// The address of the database.
    pub database: String,
    _folder: TempDir,
}

impl Sandbox {
    /// Starts a sandbox on a new SQLite file.
    ///
    /// # Errors
    /// The sandbox does not start.
    pub fn start(binary: &Path) -> anyhow::Result<Self> {
        Self::start_on(binary, None)
    }

    /// Starts a sandbox on the given database, or on a new file.
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

    /// Adds the runner's arguments for this sandbox.
    pub fn certify(&self, command: &mut Command, area: &str, out: &Path) {
        runner(command, &self.server.url, "sandbox", area, out);
        let credentials = format!("Authorization: {KEY}");
        command.args(["--header", &credentials]);
        command.args(["--signing-secret", SIGNING_SECRET]);
        // The sandbox exists only for this run, so the run may change its seed records.
        command.arg("--allow-destructive");
    }
}

/// Adds the runner's arguments for a server.
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
