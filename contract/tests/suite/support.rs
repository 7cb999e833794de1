//! Support: the binary, a repository to run it in, and a document to change.
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// The date of every run, so that nothing expires.
pub(crate) const TODAY: &str = "2026-06-01";

/// A document without findings.
pub(crate) const CLEAN: &str = include_str!("../documents/clean.yaml");

/// A temporary folder with a repository, in which the command runs.
pub(crate) struct Bench {
    folder: TempDir,
}

/// The result of a run.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    pub(crate) fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self {
            code: output.status.code().unwrap(),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }

    /// Both streams.
    pub(crate) fn all(&self) -> String {
        format!("{}{}", self.out, self.err)
    }

    /// Checks the exit code, and that nothing panicked.
    #[track_caller]
    pub(crate) fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}", self.all());
        assert!(!self.all().contains("panicked"), "{}", self.all());
        self
    }

    /// Checks that the output contains all parts.
    #[track_caller]
    pub(crate) fn tells(self, parts: &[&str]) -> Self {
        let all = self.all();
        for part in parts {
            assert!(all.contains(part), "`{part}` is not in {all}");
        }
        self
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.all()))
    }
}

impl Bench {
    /// A folder without a repository.
    pub(crate) fn bare() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// A repository whose branch `main` has the document as `openapi.yaml`.
    pub(crate) fn new() -> Self {
        let bench = Self::bare();
        bench.git(&["init", "--quiet", "--initial-branch=main"]);
        bench.write("openapi.yaml", CLEAN);
        bench.commit();
        bench
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// Replaces a part of a file, which must exist.
    pub(crate) fn replace(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{from} is not in {name}");
        self.write(name, &text.replacen(from, to, 1));
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=T", "-c", "user.email=t@example.com"]);
        let output = git
            .args(arguments)
            .current_dir(self.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    pub(crate) fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", "a state"]);
    }

    /// The command with the date of the tests.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_contract"));
        command.args(arguments).current_dir(self.path());
        for name in ["GITHUB_BASE_REF", "GITHUB_STEP_SUMMARY", "GITHUB_ACTIONS"] {
            command.env_remove(name);
        }
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        let judges = matches!(arguments.first(), Some(&"lint" | &"diff"));
        let mut command = self.command(arguments);
        if judges {
            command.args(["--today", TODAY]);
        }
        Run::of(&command.output().unwrap())
    }
}
