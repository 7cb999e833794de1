//! Builds and finds programs of this workspace.

use std::path::{Path, PathBuf};

use super::process;

/// Builds programs of this workspace. Names no package, so that dependencies have the features of
/// the tests and are built once.
pub fn build(programs: &[&str]) -> anyhow::Result<()> {
    let mut command = process::cargo();
    command.arg("build");
    for program in programs {
        command.args(["--bin", program]);
    }
    process::run(&mut command)
}

/// Builds programs for release.
pub fn build_release(programs: &[&str]) -> anyhow::Result<()> {
    let mut command = process::cargo();
    command.args(["build", "--release"]);
    for program in programs {
        command.args(["--package", package_of(program), "--bin", program]);
    }
    process::run(&mut command)
}

/// The package of a program. Both have the same name, unless the registry has another package of that name.
pub fn package_of(program: &str) -> &str {
    match program {
        "conformance" => "openapi-conformance",
        name => name,
    }
}

/// A program of this workspace, built for tests.
pub fn built(name: &str) -> PathBuf {
    of_profile("debug", name)
}

/// A program of this workspace, built for release.
pub fn release(name: &str) -> PathBuf {
    of_profile("release", name)
}

/// A program of this workspace in a profile's folder beside the current program.
fn of_profile(profile: &str, name: &str) -> PathBuf {
    let here = std::env::current_exe().unwrap_or_default();
    let target = here.parent().and_then(Path::parent).map(Path::to_owned);
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    target.unwrap_or_default().join(profile).join(name)
}
