//! Finds folders and files of the workspace.

use std::path::{Path, PathBuf};

use anyhow::Context;

/// The top folder of the workspace that cargo runs this program for.
pub fn root() -> PathBuf {
    let built_in = || env!("CARGO_MANIFEST_DIR").into();
    let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(built_in));
    let mut above = package.ancestors();
    let root = above.find(|folder| folder.join("Cargo.lock").is_file());
    root.unwrap_or(&package).to_owned()
}

/// The variable that makes tests run every row and seed instead of a sample.
pub const EXHAUSTIVE: &str = "EXHAUSTIVE";

/// The main file of the contract, relative to the current folder if it is below it.
pub fn contract() -> PathBuf {
    shown(&root().join("spec/openapi.yaml"))
}

/// The path relative to the current folder, if it is below it.
pub fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).unwrap_or(path).to_owned()
}

/// The name of the package in a folder.
pub fn package(folder: &Path) -> anyhow::Result<String> {
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml"))?;
    let mut lines = manifest.lines();
    let name = lines.find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    Ok(name.context("the manifest names no package")?.to_owned())
}

/// The documents among paths: files themselves, and all YAML and JSON files in folders.
pub fn documents(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut documents = Vec::new();
    for path in paths {
        if !path.is_dir() {
            documents.push(path.clone());
            continue;
        }
        let mut below = Vec::new();
        for entry in std::fs::read_dir(path)? {
            let path = entry?.path();
            let end = path.extension().and_then(|end| end.to_str());
            if matches!(end, Some("yaml" | "yml" | "json")) {
                below.push(path);
            }
        }
        below.sort();
        documents.extend(below);
    }
    Ok(documents)
}

/// The number of lines of all Rust files below a folder.
pub fn lines(folder: &Path) -> anyhow::Result<usize> {
    let mut count = 0;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            count += lines(&path)?;
        } else if path.extension().is_some_and(|it| it == "rs") {
            count += std::fs::read_to_string(&path)?.lines().count();
        }
    }
    Ok(count)
}
