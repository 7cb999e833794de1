//! Measures generated crates, of this generator and of an earlier one: lines, CPU of `cargo check`,
//! the size of a program with one call.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, ensure};

use crate::codegen::{compilation, cost};
use crate::machine;
use programs::{build, process, workspace};

/// Lines of generated crates, CPU of `cargo check`, and the size of a program with one call.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The documents.
    #[arg(required = true, value_name = "FILE")]
    documents: Vec<PathBuf>,
    /// An earlier `contract` program, to compare with.
    #[arg(long, value_name = "PATH")]
    before: Option<PathBuf>,
    /// Only count lines; compile nothing.
    #[arg(long)]
    uncompiled: bool,
    /// The program with one call, for the crate of the first document.
    #[arg(long, value_name = "FILE")]
    call: Option<PathBuf>,
}

/// The features whose code is checked.
const CLIENT: &[&str] = &["--no-default-features", "--features", "areas,client"];
const ALL: &[&str] = &["--all-features"];

/// The manifest of the program with one call.
const MANIFEST: &str = "[package]\nname = \"call\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
[dependencies]\nservice = { path = \"../service\", default-features = false, features = [\"areas\", \"client\"] }\n\
tokio = { version = \"1\", default-features = false, features = [\"macros\", \"rt\"] }\n\n\
[profile.release]\nstrip = true\n\n[workspace]\n";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    build::build(&["contract"])?;
    let now = build::built("contract");
    let mut programs = vec![
        ("now", now.clone(), &[][..]),
        ("now-client", now, &["--only", "client"]),
    ];
    if let Some(before) = &arguments.before {
        programs.push(("before", std::path::absolute(before)?, &[]));
    }
    println!("{}\n", machine::facts()?);
    println!(
        "| document | generator | lines | `cargo check` of the client, CPU s | of all | program with one call |"
    );
    println!("|---|---|---|---|---|---|");
    for (index, document) in arguments.documents.iter().enumerate() {
        for (name, program, options) in &programs {
            let trial = Trial::new(name, program, options, document)?;
            let call = arguments.call.as_ref().filter(|_| index == 0);
            println!(
                "{}",
                trial.row(call.map(PathBuf::as_path), arguments.uncompiled)?
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The crate of one generator and one document.
struct Trial {
    head: String,
    service: PathBuf,
    target: PathBuf,
}

impl Trial {
    fn new(name: &str, program: &Path, options: &[&str], document: &Path) -> anyhow::Result<Self> {
        let folder = workspace::root().join("target/bench-crates");
        let stem = document.file_stem().context("a document has a name")?;
        let stem = stem.to_string_lossy();
        let service = folder.join(name).join(&*stem).join("service");
        if service.exists() {
            fs::remove_dir_all(&service)?;
        }
        let mut generate = Command::new(program);
        generate.arg("generate").arg(document).arg("--unformatted");
        generate.args(options);
        generate.arg("--out").arg(&service);
        generate.stdout(Stdio::null()).stderr(Stdio::null());
        ensure!(process::succeeds(&mut generate)?, "{name} refuses {stem}");
        Ok(Self {
            head: format!("| {stem} | {name} |"),
            service,
            target: folder.join("check"),
        })
    }

    fn row(&self, call: Option<&Path>, uncompiled: bool) -> anyhow::Result<String> {
        let lines = workspace::lines(&self.service.join("src"))?;
        if uncompiled {
            return Ok(format!("{} {lines} | | | |", self.head));
        }
        let check = |features| -> anyhow::Result<String> {
            Ok(
                match compilation::of(&self.service, features, &self.target)? {
                    Ok((seconds, _)) => format!("{seconds:.2}"),
                    Err(complaint) => complaint,
                },
            )
        };
        let (client, all) = (check(CLIENT)?, check(ALL)?);
        let size = call.map(|source| self.size(source)).transpose()?;
        let size = size.map_or_else(String::new, |bytes| format!("{} kB", bytes / 1000));
        Ok(format!(
            "{} {lines} | {client} | {all} | {size} |",
            self.head
        ))
    }

    /// The bytes of a release build of the program with one call.
    fn size(&self, source: &Path) -> anyhow::Result<u64> {
        let package = self.service.with_file_name("call");
        fs::create_dir_all(package.join("src"))?;
        fs::write(package.join("Cargo.toml"), MANIFEST)?;
        fs::copy(source, package.join("src/main.rs"))?;
        let mut cargo = process::cargo();
        cargo.args(["build", "--release", "--quiet"]);
        let build = cost::of(
            cargo
                .current_dir(&package)
                .env("CARGO_TARGET_DIR", &self.target),
        )?;
        ensure!(build.complaint.is_none(), "{}", build.output);
        let program = self
            .target
            .join("release")
            .join(format!("call{}", std::env::consts::EXE_SUFFIX));
        Ok(fs::metadata(program)?.len())
    }
}
