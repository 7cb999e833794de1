//! The reference implementation as a process of its own, on a temporary database.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

/// The key that the sandbox is seeded with.
pub(crate) const KEY: &str = "development-key";

/// A running sandbox; it ends with this value.
pub(crate) struct Sandbox {
    process: Child,
    pub(crate) url: String,
    _folder: TempDir,
}

impl Sandbox {
    /// Starts one on a free port.
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts one with further arguments.
    pub(crate) fn start_with(more: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = format!("sqlite://{}", folder.path().join("sandbox.db").display());
        let mut process = Command::new(executable())
            .args(["--listen", "127.0.0.1:0", "--database", &database])
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut url = String::new();
        let stdout = process.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut url).unwrap();
        assert!(url.starts_with("http://"), "the sandbox said `{url}`");
        Self {
            process,
            url: url.trim_end().to_owned(),
            _folder: folder,
        }
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Builds the sandbox, once; the runner knows it only as a program.
fn executable() -> &'static PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let output = Command::new(env!("CARGO"))
            .args([
                "build",
                "--quiet",
                "--package",
                "sandbox",
                "--bin",
                "sandbox",
            ])
            .args(["--message-format", "json"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let lines = output.stdout.split(|byte| *byte == b'\n');
        let messages = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
        let executable = |message: Value| message["executable"].as_str().map(PathBuf::from);
        messages.filter_map(executable).next_back().unwrap()
    })
}
