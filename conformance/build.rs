//! Puts the contract beside this package into the program. A package without one beside it, such as
//! that of a registry, has none.

#![allow(
    clippy::print_stdout,
    reason = "cargo is told by lines on standard output"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The document, from the root of the repository; it comes first.
const MAIN: &str = "spec/openapi.yaml";

/// What else belongs to it, in the same folder.
const PARTS: [&str; 6] = [
    "behaviour.yaml",
    "examples",
    "paths",
    "requirements",
    "scenarios",
    "schemas",
];

fn main() -> io::Result<()> {
    position();
    let own = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let out = env::var_os("OUT_DIR").unwrap_or_default();
    let root = Path::new(&own).join("..").canonicalize()?;
    let main = root.join(MAIN);
    let mut files = Vec::new();
    if main.is_file() {
        for part in PARTS {
            collect(&main.with_file_name(part), &mut files)?;
        }
        files.sort();
        files.insert(0, main);
    } else {
        println!("cargo::rerun-if-changed=build.rs");
    }
    let mut text = String::from("&[\n");
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.strip_prefix(&root).unwrap_or(&file);
        let name = name.display().to_string().replace('\\', "/");
        let file = file.display().to_string();
        // Writing to a string does not fail.
        let _ = writeln!(text, "    ({name:?}, include_str!({file:?})),");
    }
    text.push_str("]\n");
    fs::write(Path::new(&out).join("contract.rs"), text)
}

/// Every file of a folder and its folders, or the file itself, where there is one.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    // A file that comes later changes its folder.
    println!("cargo::rerun-if-changed={}", path.display());
    if path.is_file() {
        files.push(path.to_owned());
    }
    if !path.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        collect(&entry?.path(), files)?;
    }
    Ok(())
}

/// A program at a fixed place need not be put together when it is started: of tens of thousands of addresses none
/// is written, and no page is copied for it. What that gives up is the chance that decides where its own code lies;
/// heap, stack and libraries still lie anywhere.
fn position() {
    let target = env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let vendor = env::var("CARGO_CFG_TARGET_ENV").unwrap_or_default();
    if (target.as_str(), vendor.as_str()) == ("linux", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
