//! Builds the programs for release: each is one file that needs no library of the machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use super::{build, process};

/// Programs that were built for release.
#[derive(Debug)]
pub struct Built {
    /// The target triple.
    pub target: String,
    /// Their files, in the order of their names in the call.
    pub files: Vec<PathBuf>,
}

/// Compiler flags on Linux: static linking, and a fixed address. The program
/// asks the kernel for random bytes: a static program does not find the C library's function at run
/// time and would need `/dev/urandom`, which an empty folder lacks.
const STATIC: &str = r#"rustflags = ["-C", "target-feature=+crt-static", "-C", "relocation-model=static", "--cfg", 'getrandom_backend="linux_getrandom"']"#;

/// Compiler flags on Windows: static linking of the C library.
const WITH_C_LIBRARY: &str = r#"rustflags = ["-C", "target-feature=+crt-static"]"#;

/// A flag for the allocator: a program that ends does not free its memory first.
const SKIP_COLLECT: &str = "-DMI_SKIP_COLLECT_ON_EXIT=1";

/// Builds programs for release. On Linux they are linked statically.
///
/// # Errors
/// The build fails.
pub fn build(programs: &[&str]) -> anyhow::Result<Built> {
    let target = host()?;
    let flags = if target.ends_with("-linux-gnu") {
        Some(STATIC)
    } else if target.ends_with("-windows-msvc") {
        Some(WITH_C_LIBRARY)
    } else {
        None
    };
    // With an explicit target, the flags do not apply to build scripts and macros.
    let mut command = process::cargo();
    command.args(["build", "--release", "--target", &target]);
    for program in programs {
        command.args(["--package", build::package_of(program), "--bin", program]);
    }
    if let Some(flags) = flags {
        command
            .arg("--config")
            .arg(format!("target.{target}.{flags}"));
    }
    let c_flags = std::env::var("CFLAGS").unwrap_or_default();
    command.env("CFLAGS", format!("{c_flags} {SKIP_COLLECT}").trim());
    process::run(&mut command)?;
    let file = |program| -> anyhow::Result<PathBuf> {
        let plain = build::release(program);
        let folder = plain.parent().and_then(Path::parent);
        let folder = folder.context("the folder of the programs is not known")?;
        let name = plain.file_name().context("the program has no name")?;
        Ok(folder.join(&target).join("release").join(name))
    };
    let files = programs.iter().map(|program| file(program));
    Ok(Built {
        files: files.collect::<anyhow::Result<_>>()?,
        target,
    })
}

/// The default target of the compiler.
fn host() -> anyhow::Result<String> {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler)
        .arg("-vV")
        .output()
        .context("failed to start the compiler")?;
    let output = String::from_utf8_lossy(&output.stdout);
    let host = output.lines().find_map(|line| line.strip_prefix("host: "));
    ensure!(host.is_some(), "the compiler does not name its target");
    Ok(host.unwrap_or_default().to_owned())
}
