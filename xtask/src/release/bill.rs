//! Writes the bill of materials of a program with `cargo cyclonedx`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use programs::{process, workspace};
use serde_json::Value;

/// Writes the bill of a program for a target. Returns its path.
pub(super) fn write(root: &Path, program: &str, target: &str) -> anyhow::Result<PathBuf> {
    let name = format!("{program}.release");
    let mut command = process::cargo();
    command.args(["cyclonedx", "--format", "json", "--quiet"]);
    command.args([
        "--spec-version",
        "1.5",
        "--no-build-deps",
        "--target",
        target,
    ]);
    command.args(["--override-filename", &name, "--manifest-path"]);
    command.arg(root.join(program).join("Cargo.toml"));
    process::run(&mut command).context(
        "failed to write a bill of materials; install the tool with \
         `cargo install cargo-cyclonedx --locked`, or pass --without-bill",
    )?;
    let folder = root.join("target/release-bills");
    fs::create_dir_all(&folder)?;
    let bill = folder.join(format!("{program}.cdx.json"));
    let text = fs::read_to_string(root.join(program).join(format!("{name}.json")))?;
    fs::write(&bill, without_folder(&text, root))?;
    for folder in packages()? {
        // The tool writes one for each package of the workspace.
        fs::remove_file(folder.join(format!("{name}.json")))?;
    }
    let value: Value = serde_json::from_slice(&fs::read(&bill)?)?;
    let components = value["components"].as_array().map_or(0, Vec::len);
    ensure!(components > 0, "the bill of {program} lists no component");
    println!("bill of materials: {program}, {components} components");
    Ok(bill)
}

/// Removes the folder of the checkout from the names of packages.
fn without_folder(text: &str, root: &Path) -> String {
    text.replace(&root.display().to_string(), "")
}

/// The folders of all packages of the workspace.
fn packages() -> anyhow::Result<Vec<PathBuf>> {
    let mut command = process::cargo();
    command.args(["metadata", "--no-deps", "--format-version", "1"]);
    command.current_dir(workspace::root());
    let output = command.output().context("failed to start cargo")?;
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let manifests = packages.filter_map(|package| package["manifest_path"].as_str());
    let folders = manifests.filter_map(|manifest| Path::new(manifest).parent());
    Ok(folders.map(Path::to_owned).collect())
}
