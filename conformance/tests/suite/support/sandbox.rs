//! The reference server as a process with a temporary database.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// The key in the sandbox's seed data.
pub(crate) const KEY: &str = "development-key";

/// A running sandbox; it ends when this value is dropped.
pub(crate) struct Sandbox {
    process: Child,
    pub(crate) url: String,
    _folder: TempDir,
}

impl Sandbox {
    /// Starts a sandbox on a free port.
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts a sandbox with further arguments.
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
        // The process may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The sandbox beside the runner, where `cargo test --workspace` builds both.
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

/// Why the program must be built again. `None` when it is up to date.
fn why_stale(program: &Path) -> Option<String> {
    let modified = |path: &Path| path.metadata().and_then(|metadata| metadata.modified());
    let Ok(built) = modified(program) else {
        return Some(format!("{} is not built", program.display()));
    };
    let mut folders: Vec<PathBuf> = [
        "../sandbox/src",
        "../sandbox/templates",
        "../generated/src",
        "../codegen/runtime/src",
    ]
    .map(|item| Path::new(env!("CARGO_MANIFEST_DIR")).join(item))
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
