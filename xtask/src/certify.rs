//! `cargo xtask certify`: replay the documented examples and scenarios against a server.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::Context;

use crate::process::{self, Server};
use crate::{generate, workspace};

/// What the sandbox implements; the other areas answer 501.
const AREAS: &str = "transactions,payouts";

/// The key of the sandbox that is started for the run; it lives as long as its database.
const KEY: &str = "certify-key";

/// Certify a server: without --url the sandbox, built, started and stopped for the run.
///
/// Exit code: 0 conforms, 1 differs, 2 usage, 3 the target cannot be reached or the harness broke.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The server's base address. Without it, checks that generated code is current, builds the
    /// sandbox and certifies it on a free port with a database of its own.
    #[arg(long)]
    url: Option<String>,
    /// Where report.json goes.
    #[arg(long, value_name = "DIR", default_value = "target/certify")]
    out: PathBuf,
    /// The areas in scope, or `all`.
    #[arg(long, value_name = "A,…", default_value = AREAS)]
    area: String,
    /// Further arguments for the runner, such as --header or --allow-writes.
    #[arg(last = true)]
    runner: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if let Some(url) = &arguments.url {
        build(&["conformance"])?;
        return certify(arguments, url, "target", &[]);
    }
    generate::check_contract()?;
    build(&["sandbox", "conformance"])?;
    let folder = tempfile::tempdir().context("failed to make a folder for the database")?;
    let database = format!("sqlite://{}", folder.path().join("sandbox.db").display());
    let mut command = Command::new(binary("sandbox"));
    command.args([
        "--listen",
        "127.0.0.1:0",
        "--database",
        &database,
        "--api-key",
        KEY,
    ]);
    command.env(
        "RUST_LOG",
        std::env::var("RUST_LOG").unwrap_or_else(|_| "warn".to_owned()),
    );
    let sandbox = Server::start(&mut command)?;
    let credentials = format!("Authorization: {KEY}");
    certify(
        arguments,
        &sandbox.url,
        "sandbox",
        &["--header", &credentials, "--profile", "complete"],
    )
}

fn build(packages: &[&str]) -> anyhow::Result<()> {
    let mut command = process::cargo();
    command.args(["build", "--quiet", "--bins"]);
    for package in packages {
        command.args(["--package", package]);
    }
    process::run(&mut command)
}

fn certify(
    arguments: &Arguments,
    url: &str,
    name: &str,
    more: &[&str],
) -> anyhow::Result<ExitCode> {
    let mut command = Command::new(binary("conformance"));
    command.arg("run").arg("--spec").arg(workspace::contract());
    command
        .args(["--url", url, "--name", name])
        .arg("--out")
        .arg(&arguments.out);
    if arguments.area != "all" {
        command.args(["--area", &arguments.area]);
    }
    command.args(more).args(&arguments.runner);
    let status = command
        .status()
        .context("failed to start the conformance runner")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(3)))
}

/// A binary of this workspace, beside the one that runs.
fn binary(name: &str) -> PathBuf {
    let here = std::env::current_exe().unwrap_or_default();
    here.with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}
