//! The runner as one file that needs nothing of the machine it is copied to.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use super::{build, process};

/// What is told to the compiler on Linux: everything is linked into the program, which stands at a fixed place.
const STATIC: &str =
    r#"rustflags = ["-C", "target-feature=+crt-static", "-C", "relocation-model=static"]"#;

/// What is told to the compiler of the allocator: a program that ends need not give its memory back piece by piece.
const ENDS: &str = "-DMI_SKIP_COLLECT_ON_EXIT=1";

/// Builds the runner for release as one file, which is linked statically on Linux; gives its path.
///
/// # Errors
/// It cannot be built.
pub fn build() -> anyhow::Result<PathBuf> {
    let host = host()?;
    if !host.ends_with("-linux-gnu") {
        build::build_release(&["conformance"])?;
        return Ok(build::release("conformance"));
    }
    // What runs while it is built has to be linked as ever, which is so where the target is named.
    let mut command = process::cargo();
    command.args(["build", "--release", "--package", "conformance"]);
    command.args(["--bin", "conformance", "--target", &host]);
    command
        .arg("--config")
        .arg(format!("target.{host}.{STATIC}"));
    let flags = std::env::var("CFLAGS").unwrap_or_default();
    command.env("CFLAGS", format!("{flags} {ENDS}").trim());
    process::run(&mut command)?;
    // Beside the folder of the programs of this target by itself, wherever that is.
    let plain = build::release("conformance");
    let target = plain.parent().and_then(Path::parent);
    let target = target.context("the folder of the programs is not known")?;
    Ok(target.join(&host).join("release").join("conformance"))
}

/// The target that programs are built for by themselves.
fn host() -> anyhow::Result<String> {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let told = Command::new(compiler)
        .arg("-vV")
        .output()
        .context("failed to start the compiler")?;
    let told = String::from_utf8_lossy(&told.stdout);
    let host = told.lines().find_map(|own| own.strip_prefix("host: "));
    ensure!(host.is_some(), "the compiler does not tell its target");
    Ok(host.unwrap_or_default().to_owned())
}
