//! The crates of foreign documents compile, without a warning: of one that shows every feature, of
//! those that are hostile, and of those that are written as tricky as published ones.
#![allow(clippy::unwrap_used, reason = "a test may stop where it cannot go on")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use codegen::{Options, generate, write};

/// Every document of a folder, in the order of their names.
fn documents(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

/// Writes the crate of a document as a member of the workspace; its name.
fn member(document: &Path, workspace: &Path) -> String {
    let name = document.file_stem().unwrap().to_str().unwrap().to_owned();
    let loaded = spec::loader::load(document).unwrap_or_else(|error| {
        let told = error.render(false);
        unreachable!("{}: {told}", document.display())
    });
    let options = Options {
        crate_name: name.clone(),
        complete_crate: true,
        round_trips: true,
        source_label: format!("{name}.yaml"),
        behaviour: None,
    };
    let output = generate(&loaded, &options).unwrap();
    let mut told = output.diagnostics.iter();
    assert!(told.all(|one| one.primary.is_some()), "{name}");
    let folder = workspace.join(&name);
    // Otherwise the crate would be written anew each time, and compiled anew.
    let mut files = output.files;
    for file in &mut files {
        if file.path == Path::new("Cargo.toml") {
            let alone = file.text.find("# A workspace of its own").unwrap();
            file.text.truncate(alone);
        }
    }
    write(&files, &folder).unwrap();
    name
}

#[test]
fn the_crates_of_foreign_documents_compile() {
    let codegen = Path::new(env!("CARGO_MANIFEST_DIR"));
    // It stays there, so that its dependencies are compiled once.
    let workspace = Path::new(env!("CARGO_TARGET_TMPDIR")).join("foreign");
    let mut paths = vec![codegen.join("tests/sample.yaml")];
    paths.extend(documents("tests/hostile"));
    paths.extend(documents("tests/tricky"));
    let members: Vec<String> = paths.iter().map(|path| member(path, &workspace)).collect();
    let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n");
    fs::write(workspace.join("Cargo.toml"), manifest).unwrap();
    // The same versions as here, so that nothing is downloaded.
    fs::copy(codegen.join("../Cargo.lock"), workspace.join("Cargo.lock")).unwrap();
    let cargo = Command::new(env!("CARGO"))
        .args([
            "check",
            "--quiet",
            "--offline",
            "--workspace",
            "--all-features",
            "--tests",
        ])
        .current_dir(&workspace)
        .env("CARGO_TARGET_DIR", workspace.join("target"))
        // Nobody looks at the symbols, and they take time.
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_PROFILE_TEST_DEBUG", "0")
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&cargo.stderr);
    assert!(cargo.status.success() && told.is_empty(), "{told}");
}
