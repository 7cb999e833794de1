//! `cargo xtask ci`: everything that CI asks for, in the order of the cheapest first.

use std::process::ExitCode;

use anyhow::Context;
use contract::git::{GitError, Repository};

use crate::{process, workspace};

/// Run what CI runs: format, lint, changes of the contract, generated code, clippy, licences, tests, certify on each database.
///
/// `DATABASE_URL` names a database of PostgreSQL that may be written to.
/// Exit code: 0 all passed, else that of the first that did not.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// What the contract has become, judged against where the work left the default branch.
const DIFF: &[&str] = &["xtask", "diff"];

/// Each step as it is typed after `cargo`.
const STEPS: &[&[&str]] = &[
    &["fmt", "--all", "--check"],
    &["xtask", "lint"],
    &["xtask", "lint", "--spec", "sandbox/admin.yaml"],
    DIFF,
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

/// The commit to compare with; a checkout without history has none.
fn base() -> Result<String, GitError> {
    Repository::around(&workspace::root())?.merge_base()
}

pub(crate) fn run(_: &Arguments) -> anyhow::Result<ExitCode> {
    for step in STEPS {
        println!("\n— cargo {}", step.join(" "));
        if *step == DIFF
            && let Err(reason) = base()
        {
            println!("skipped: {reason}");
            continue;
        }
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
