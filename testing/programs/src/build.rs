//! Programs of this workspace, built and found.

use std::path::{Path, PathBuf};

use super::process;

/// Builds programs of this workspace. No package is named, so that what they depend on has the features that the
/// tests ask for, and is built once.
pub fn build(programs: &[&str]) -> anyhow::Result<()> {
    let mut command = process::cargo();
    command.arg("build");
    for program in programs {
        command.args(["--bin", program]);
    }
    process::run(&mut command)
}

/// Builds programs as they ship.
pub fn build_release(programs: &[&str]) -> anyhow::Result<()> {
    let mut command = process::cargo();
    command.args(["build", "--release"]);
    for program in programs {
        command.args(["--package", package_of(program), "--bin", program]);
    }
    process::run(&mut command)
}

/// The package of a program. They share a name, except where a registry has another package of it.
pub fn package_of(program: &str) -> &str {
    match program {
        "conformance" => "openapi-conformance",
        name => name,
    }
}

/// A binary of this workspace, built for certifying.
pub fn built(name: &str) -> PathBuf {
    of_profile("debug", name)
}

/// A binary of this workspace, built for release.
pub fn release(name: &str) -> PathBuf {
    of_profile("release", name)
}

/// A binary of this workspace, beside the profile that this one was built with.
fn of_profile(profile: &str, name: &str) -> PathBuf {
    let here = std::env::current_exe().unwrap_or_default();
    let target = here.parent().and_then(Path::parent).map(Path::to_owned);
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    target.unwrap_or_default().join(profile).join(name)
}
