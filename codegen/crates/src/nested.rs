//! A workspace for generated crates, below the target folder.
//!
//! Its dependencies have the same versions, features and profile as in this workspace, and it
//! shares the target folder. So cargo reuses finished builds.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use programs::{process, workspace};

/// The member that asks for the features.
const FEATURES: &str = "same-features";

/// What is optimised is what others wrote; the members are compiled once and run once.
const MANIFEST: &str = "[profile.dev]\nopt-level = 0\ndebug = false\n";

/// The folder of a document's crate.
pub fn member(document: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    let name = document.file_stem().context("a document has a name")?;
    let name = name.to_string_lossy().to_lowercase();
    Ok(folder.join(name.replace(['_', ' '], "-")))
}

/// Turns a crate that was generated as a standalone one into a member.
pub fn adopt(member: &Path) -> anyhow::Result<()> {
    let path = member.join("Cargo.toml");
    let manifest = fs::read_to_string(&path)?;
    let begin = manifest.find("# A workspace of its own");
    let begin = begin.context("the manifest has no workspace of its own")?;
    Ok(fs::write(&path, &manifest[..begin])?)
}

/// Writes the manifest of a workspace in a folder, with members that lie in it.
pub fn write<'a>(folder: &Path, members: impl Iterator<Item = &'a Path>) -> anyhow::Result<()> {
    fs::create_dir_all(folder.join(FEATURES).join("src"))?;
    let mut all = vec![FEATURES.to_owned()];
    for member in members {
        let relative = member.strip_prefix(folder)?;
        all.push(relative.display().to_string());
    }
    let dependencies = dependency_profile()?;
    let manifest =
        format!("[workspace]\nresolver = \"3\"\nmembers = {all:?}\n\n{MANIFEST}\n{dependencies}");
    // The same bytes are not written again, or everything would be built again.
    write_changed(&folder.join("Cargo.toml"), &manifest)?;
    write_changed(&folder.join(FEATURES).join("Cargo.toml"), &features()?)?;
    write_changed(&folder.join(FEATURES).join("src/lib.rs"), "")?;
    let lock = fs::read_to_string(workspace::root().join("Cargo.lock"))?;
    if !folder.join("Cargo.lock").exists() {
        fs::write(folder.join("Cargo.lock"), lock)?;
    }
    Ok(())
}

/// Cargo for a workspace or a crate in it.
pub fn cargo(folder: &Path) -> Command {
    let mut cargo = process::cargo();
    cargo
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target())
        .env("CARGO_INCREMENTAL", "0");
    cargo
}

/// The target folder that this program was built in.
pub fn target() -> PathBuf {
    let here = std::env::current_exe().unwrap_or_default();
    let target = here.parent().and_then(Path::parent);
    target.map(Path::to_owned).unwrap_or_default()
}

/// The arguments that choose one of its members, with the features of all.
pub fn packages(member: &str) -> [String; 4] {
    let package = || "--package".to_owned();
    [package(), member.to_owned(), package(), FEATURES.to_owned()]
}

fn write_changed(path: &Path, text: &str) -> anyhow::Result<()> {
    if fs::read_to_string(path).is_ok_and(|known| known == text) {
        return Ok(());
    }
    fs::write(path, text).with_context(|| format!("failed to write {}", path.display()))
}

/// The part of our manifest that says how dependencies are compiled.
fn dependency_profile() -> anyhow::Result<String> {
    let manifest = fs::read_to_string(workspace::root().join("Cargo.toml"))?;
    let begin = manifest
        .find("[profile.dev.package.\"*\"]")
        .context("Cargo.toml has no profile of dependencies")?;
    let section = &manifest[begin..];
    let end = section.find("\n\n").unwrap_or(section.len());
    Ok(format!("{}\n", section[..end].trim_end()))
}

/// The manifest of a package with the dependencies of this workspace.
fn features() -> anyhow::Result<String> {
    // Our own generated crate depends on what all of them do.
    let model = workspace::package(&workspace::root().join("generated"))?;
    let wanted: BTreeSet<(String, String)> = tree(&["--package", &model])?.into_keys().collect();
    let ours = tree(&["--workspace"])?;
    let mut text = format!(
        "[package]\nname = \"{FEATURES}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n"
    );
    for (number, ((name, version), features)) in ours.iter().enumerate() {
        if wanted.contains(&(name.clone(), version.clone())) {
            let _ = writeln!(
                text,
                "d{number} = {{ package = \"{name}\", version = \"={version}\", default-features = false, \
                 features = {features:?} }}"
            );
        }
    }
    Ok(text)
}

/// What others wrote in a dependency tree, by name and version, each with its features.
fn tree(packages: &[&str]) -> anyhow::Result<BTreeMap<(String, String), Vec<String>>> {
    let mut cargo = process::cargo();
    cargo.args([
        "tree",
        "--offline",
        "--prefix",
        "none",
        "--format",
        "{p}|{f}",
    ]);
    // Macros run on the host, where features are another matter.
    cargo.args(["--edges", "normal,dev,no-proc-macro"]);
    let output = cargo
        .args(packages)
        .current_dir(workspace::root())
        .output()
        .context("cargo cannot be started")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "cargo tree: {errors}");
    let text = String::from_utf8(output.stdout)?;
    let mut all = BTreeMap::new();
    for line in text.lines().map(|line| line.trim_end_matches(" (*)")) {
        let Some((package, features)) = line.split_once('|') else {
            continue;
        };
        // `name v1.2.3`; one of ours has its folder behind it.
        let mut words = package.split(' ');
        let (Some(name), Some(version), None) = (words.next(), words.next(), words.next()) else {
            continue;
        };
        let features = features.split(',').filter(|own| !own.is_empty());
        let version = version.trim_start_matches('v').to_owned();
        all.insert(
            (name.to_owned(), version),
            features.map(str::to_owned).collect(),
        );
    }
    Ok(all)
}
