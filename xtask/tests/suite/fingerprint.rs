//! `generate --check` generates nothing where nothing has changed, and sees whatever has.
//!
//! The document has a part that cannot be expressed, so that a generation is heard: it warns.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

const DOCUMENT: &str = "\
openapi: 3.0.3
info: {title: Parcels, version: '1'}
paths:
  /parcels:
    get:
      operationId: listParcels
      responses: {'200': {description: All of them.}}
  /parcels/{id:
    get:
      operationId: getParcel
      responses: {'200': {description: One of them.}}
";

/// Held while a program is written, and while one is started: a process that is started meanwhile has the
/// unfinished program open for a moment, and it could not be run.
static WRITING: Mutex<()> = Mutex::new(());

fn writing() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program of its own, since fingerprints lie beside it, and a crate that it has written.
struct Generated(TempDir);

impl Generated {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let held = writing();
        fs::copy(env!("CARGO_BIN_EXE_xtask"), folder.path().join("xtask")).unwrap();
        drop(held);
        fs::write(folder.path().join("parcels.yaml"), DOCUMENT).unwrap();
        let generated = Self(folder);
        let output = generated.generate(&[]);
        assert!(output.status.success(), "{output:?}");
        assert!(
            is_heard(&output),
            "the document warns of nothing: {output:?}"
        );
        generated
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn generate(&self, more: &[&str]) -> Output {
        let mut command = Command::new(self.path("xtask"));
        command
            .args(["generate", "--unformatted", "--spec", "parcels.yaml"])
            .args(["--out", "parcels"])
            .args(more)
            .current_dir(self.0.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let held = writing();
        let started = command.spawn().unwrap();
        drop(held);
        started.wait_with_output().unwrap()
    }

    fn check(&self) -> Output {
        self.generate(&["--check"])
    }

    /// The check generates anew, and has nothing against what it finds.
    fn is_made_anew(&self) {
        let output = self.check();
        assert!(output.status.success() && is_heard(&output), "{output:?}");
    }

    /// The check fails, and fails again.
    fn is_refused(&self) {
        for _ in 0..2 {
            let output = self.check();
            assert_eq!(output.status.code(), Some(1), "{output:?}");
        }
    }
}

fn is_heard(output: &Output) -> bool {
    String::from_utf8_lossy(&output.stderr).contains("warning")
}

#[test]
fn what_is_unchanged_is_not_generated_again() {
    let output = Generated::new().check();
    assert!(output.status.success(), "{output:?}");
    assert!(!is_heard(&output), "it was generated: {output:?}");
}

/// As `contract generate` tells it.
#[test]
fn a_document_that_cannot_be_read_is_told_apart_from_one_with_errors() {
    let generated = Generated::new();
    fs::write(generated.path("parcels.yaml"), "openapi: [").unwrap();
    assert_eq!(generated.check().status.code(), Some(3));
    let text = DOCUMENT.replace("getParcel", "listParcels");
    fs::write(generated.path("parcels.yaml"), text).unwrap();
    assert_eq!(generated.generate(&["--strict"]).status.code(), Some(1));
}

#[test]
fn a_changed_document_is_seen() {
    let generated = Generated::new();
    let text = DOCUMENT.replace("listParcels", "findParcels");
    fs::write(generated.path("parcels.yaml"), text).unwrap();
    generated.is_refused();
}

#[test]
fn a_document_that_says_the_same_is_read_again() {
    let generated = Generated::new();
    let document = generated.path("parcels.yaml");
    fs::write(&document, format!("# The same.\n{DOCUMENT}")).unwrap();
    generated.is_made_anew();
}

#[test]
fn a_changed_file_of_the_crate_is_seen() {
    for name in ["src/lib.rs", "Cargo.toml", "openapi.json"] {
        let generated = Generated::new();
        let path = generated.path("parcels").join(name);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}\n")).unwrap();
        generated.is_refused();
        fs::write(&path, text).unwrap();
        assert!(generated.check().status.success());
    }
}

#[test]
fn a_missing_and_an_added_file_of_the_crate_are_seen() {
    let generated = Generated::new();
    fs::remove_file(generated.path("parcels/src/lib.rs")).unwrap();
    generated.is_refused();
    let generated = Generated::new();
    fs::write(generated.path("parcels/src/more.rs"), "").unwrap();
    generated.is_refused();
}

#[test]
fn another_generator_generates_anew() {
    let generated = Generated::new();
    let held = writing();
    let program = File::options().append(true).open(generated.path("xtask"));
    let later = SystemTime::now() + Duration::from_secs(1);
    program.unwrap().set_modified(later).unwrap();
    drop(held);
    generated.is_made_anew();
}

#[test]
fn other_arguments_generate_anew() {
    let generated = Generated::new();
    let strict = generated.generate(&["--check", "--strict"]);
    assert_eq!(strict.status.code(), Some(1), "{strict:?}");
    let tests = generated.generate(&["--check", "--round-trips"]);
    assert!(is_heard(&tests), "{tests:?}");
}
