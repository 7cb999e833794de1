//! `cargo xtask ci`: everything that CI asks for, in the order of the cheapest first.

use std::process::ExitCode;

use anyhow::Context;

use crate::process;

/// Run what CI runs: format, generated code, lint, clippy, licences, tests, certify on each database.
///
/// `DATABASE_URL` names a database of PostgreSQL that may be written to.
/// Exit code: 0 all passed, else that of the first that did not.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Each step as it is typed after `cargo`.
const STEPS: &[&[&str]] = &[
    &["fmt", "--all", "--check"],
    &["xtask", "lint"],
    &["xtask", "lint", "--spec", "sandbox/admin.yaml"],
    &["xtask", "generate", "--check"],
    &[
        "clippy",
        "--quiet",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--",
        "-D",
        "warnings",
    ],
    &[
        "deny",
        "--log-level",
        "error",
        "check",
        "bans",
        "licenses",
        "sources",
    ],
    &["test", "--workspace"],
    &["xtask", "certify"],
];

pub(crate) fn run(_: &Arguments) -> anyhow::Result<ExitCode> {
    for step in STEPS {
        println!("\n— cargo {}", step.join(" "));
        process::run(process::cargo().args(*step))?;
    }
    let database = std::env::var("DATABASE_URL")
        .context("DATABASE_URL has to name a database of PostgreSQL that may be written to")?;
    println!("\n— cargo xtask certify --database $DATABASE_URL");
    let certify = ["xtask", "certify", "--database", &database];
    process::run(process::cargo().args(certify))?;
    println!("\neverything passed");
    Ok(ExitCode::SUCCESS)
}
