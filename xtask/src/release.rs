//! `cargo xtask release`: builds archives of the programs, with checksums and bills of materials.

mod archive;
mod bill;
mod checksums;
mod guides;
#[cfg(target_os = "linux")]
mod image;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use programs::{process, standalone, workspace};

/// The programs of a release. Each is in the folder with its name.
const PROGRAMS: [&str; 3] = ["contract", "conformance", "sandbox"];

/// The largest size of the sandbox, in bytes.
const LARGEST_SANDBOX: u64 = 15_000_000;

/// Build the archives of a release for this machine's system, in target/release-files.
///
/// Each archive contains one program, its licences, and its bill of materials in CycloneDX form,
/// which needs `cargo install cargo-cyclonedx --locked`. On Linux the programs need no library of
/// the machine.
#[derive(clap::Args)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an option of the command line"
)]
pub(crate) struct Arguments {
    /// Omit the bills of materials.
    #[arg(long)]
    without_bill: bool,
    /// Build nothing: test the archives in target/release-files.
    #[arg(long)]
    existing: bool,
    /// Then follow the guides in an empty folder, with only the programs of the archives.
    #[arg(long)]
    follow_guides: bool,
    /// Then build the image with Buildah and run it in a chroot, as root on Linux.
    #[arg(long)]
    image: bool,
    /// A PostgreSQL database at 127.0.0.1, which the sandbox in the chroot has to reach.
    #[arg(long, value_name = "URL", requires = "image")]
    postgres: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let root = workspace::root();
    let folder = root.join("target/release-files");
    if !arguments.existing {
        build(&root, &folder, arguments.without_bill)?;
    }
    if arguments.follow_guides {
        guides::follow(&root, &folder)?;
    }
    if arguments.image {
        build_image(&root, &folder, arguments.postgres.as_deref())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Builds the programs and writes their archives and checksums into a folder.
fn build(root: &Path, folder: &Path, without_bill: bool) -> anyhow::Result<()> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder)?;
    let built = standalone::build(&PROGRAMS)?;
    for (program, file) in PROGRAMS.iter().zip(&built.files) {
        check_version(file)?;
        check_size(program, file)?;
        let bill = if without_bill {
            None
        } else {
            Some(bill::write(root, program, &built.target)?)
        };
        let name = format!("{program}-{VERSION}-{}", built.target);
        let archive = folder.join(format!("{name}.tar.gz"));
        archive::write(
            &archive,
            &name,
            &content(root, program, file, bill.as_deref()),
        )?;
        println!("archive: {}", workspace::shown(&archive).display());
    }
    let sums = checksums::write(folder)?;
    println!("checksums: {}", workspace::shown(&sums).display());
    Ok(())
}

/// The version of the workspace, which all programs share.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Starts a program once, so that no untested program is released.
fn check_version(file: &Path) -> anyhow::Result<()> {
    let mut program = std::process::Command::new(file);
    let output = program.arg("--version").output();
    let output = output.with_context(|| format!("failed to start {}", file.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    ensure!(
        output.status.success() && text.trim().ends_with(VERSION),
        "`{}` printed {text:?}, not the version {VERSION}",
        process::describe(&program)
    );
    print!("{text}");
    Ok(())
}

/// Prints the size of a program, and refuses a sandbox that is too large.
fn check_size(program: &str, file: &Path) -> anyhow::Result<()> {
    let size = fs::metadata(file)?.len();
    println!("{program}: {size} bytes");
    ensure!(
        program != "sandbox" || size <= LARGEST_SANDBOX,
        "the sandbox has more than {LARGEST_SANDBOX} bytes: see `cargo bloat --release --crates`"
    );
    Ok(())
}

/// The files of an archive: the path of each, and its name in the archive.
fn content(root: &Path, program: &str, file: &Path, bill: Option<&Path>) -> Vec<(PathBuf, String)> {
    let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    let mut content = vec![
        (file.to_owned(), name),
        (root.join(program).join("README.md"), "README.md".to_owned()),
    ];
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        content.push((root.join(licence), licence.to_owned()));
    }
    if let Some(bill) = bill {
        content.push((bill.to_owned(), format!("{program}.cdx.json")));
    }
    content
}

#[cfg(target_os = "linux")]
fn build_image(root: &Path, folder: &Path, postgres: Option<&str>) -> anyhow::Result<()> {
    image::run(root, folder, postgres)
}

#[cfg(not(target_os = "linux"))]
fn build_image(_: &Path, _: &Path, _: Option<&str>) -> anyhow::Result<()> {
    anyhow::bail!("images are built on Linux only")
}
