//! The reference implementation as a process of its own, on a temporary database.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

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

/// The sandbox that stands beside the runner, where `cargo test --workspace` builds both.
fn executable() -> PathBuf {
    let runner = Path::new(env!("CARGO_BIN_EXE_conformance"));
    let sandbox = runner.with_file_name("sandbox");
    let why = why_stale(&sandbox);
    assert!(
        why.is_none(),
        "{}; run `cargo build --package sandbox`",
        why.unwrap_or_default()
    );
    sandbox
}

/// Says what has changed since the sandbox was built.
fn why_stale(program: &Path) -> Option<String> {
    let modified = |path: &Path| path.metadata().and_then(|own| own.modified());
    let Ok(built) = modified(program) else {
        return Some(format!("{} is not built", program.display()));
    };
    let mut folders: Vec<PathBuf> = ["../sandbox/src", "../sandbox/templates", "../generated/src"]
        .map(|own| Path::new(env!("CARGO_MANIFEST_DIR")).join(own))
        .to_vec();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if modified(&path).unwrap() > built {
                let path = path.display();
                return Some(format!("{path} is newer than {}", program.display()));
            }
        }
    }
    None
}
