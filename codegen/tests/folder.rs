//! Bringing a folder up to date, and telling how it is not.
#![allow(clippy::unwrap_used, reason = "a test may stop where it cannot go on")]

use std::fs;
use std::path::Path;

use codegen::{File, check, write};

fn file(path: &str, text: &str) -> File {
    File {
        path: path.into(),
        text: text.to_owned(),
    }
}

fn told(files: &[File], folder: &Path) -> Vec<String> {
    let differences = check(files, folder);
    differences.iter().map(ToString::to_string).collect()
}

#[test]
fn what_differs_is_told_and_mended() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let files = [
        file("src/lib.rs", "a"),
        file("src/models/mod.rs", "b"),
        file("openapi.json", "{}"),
    ];
    assert_eq!(write(&files, folder).unwrap().len(), 3);
    assert!(told(&files, folder).is_empty());
    assert!(write(&files, folder).unwrap().is_empty());

    fs::write(folder.join("src/lib.rs"), "by hand").unwrap();
    fs::remove_file(folder.join("openapi.json")).unwrap();
    fs::write(folder.join("src/models/old.rs"), "").unwrap();
    fs::write(folder.join("Cargo.toml"), "kept by hand").unwrap();
    let expected = [
        "openapi.json: missing",
        "src/lib.rs: differs",
        "src/models/old.rs: stale",
    ];
    assert_eq!(told(&files, folder), expected);

    assert_eq!(write(&files, folder).unwrap().len(), 3);
    assert!(told(&files, folder).is_empty());
    assert!(!folder.join("src/models/old.rs").exists());
    assert!(folder.join("Cargo.toml").exists());
}
