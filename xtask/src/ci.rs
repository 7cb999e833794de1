//! `cargo xtask ci`: runs the checks that every change must pass.

use std::process::ExitCode;

use anyhow::bail;
use contract::git::Repository;

use crate::steps::{Runner, Step};
use programs::workspace;

/// Run the checks of CI: format, prose, lints, generated code, licences, every test, certification
/// on both databases.
///
/// `DATABASE_URL` names a PostgreSQL database that may be written to. With `CI` set only the skips
/// in the list of prerequisites are allowed. Stops at the first step that fails.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Print the steps as commands, and run none.
    #[arg(long)]
    list: bool,
}

/// The steps; those that fail quickly come first.
fn steps() -> Vec<Step> {
    vec![
        Step::cargo("fmt", &["fmt", "--all", "--check"]),
        Step::xtask("prose", &["prose"]),
        Step::xtask("lint", &["lint"]),
        Step::xtask("lint-admin", &["lint", "--spec", "sandbox/admin.yaml"]),
        Step::xtask(DIFF, &["diff"]),
        Step::xtask("generate", &["generate", "--check"]),
        Step::named(WORKFLOWS, "bash", &[".ci/lint-workflows"]),
        Step::cargo(
            "clippy",
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
        ),
        Step::cargo(
            "deny",
            &[
                "deny",
                "--log-level",
                "error",
                "check",
                "bans",
                "licenses",
                "sources",
            ],
        ),
        Step::cargo("test", &["test", "--workspace"]),
        Step::xtask("certify", &["certify"]),
        Step::xtask(POSTGRES, &["certify", "--database", "$DATABASE_URL"]),
    ]
}

/// Compares the contract with the commit where the work left the default branch, which needs
/// history.
const DIFF: &str = "diff";
/// Lints the workflows with tools that `.ci/run` installs.
const WORKFLOWS: &str = "workflows";
/// Certifies on PostgreSQL.
const POSTGRES: &str = "certify-postgres";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if arguments.list {
        for step in steps() {
            println!("{}", step.shown());
        }
        return Ok(ExitCode::SUCCESS);
    }
    require_prerequisites()?;
    let mut runner = Runner::new(&workspace::root().join("target/ci"), Vec::new())?;
    for step in steps() {
        let missing = match step.name {
            DIFF if has_no_base() => Some(&prerequisites::HISTORY),
            WORKFLOWS if !prerequisites::WORKFLOW_LINTERS.is_found() => {
                Some(&prerequisites::WORKFLOW_LINTERS)
            }
            POSTGRES if std::env::var_os("DATABASE_URL").is_none() => {
                Some(&prerequisites::POSTGRES)
            }
            _ => None,
        };
        match missing {
            Some(missing) => runner.skip(step.name, missing.name),
            None if runner.run(&step)? => {}
            None => break,
        }
    }
    runner.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// Fails at once with everything that is missing, when no test may be skipped.
pub(crate) fn require_prerequisites() -> anyhow::Result<()> {
    let missing = prerequisites::missing_in_ci();
    if prerequisites::is_ci() && !missing.is_empty() {
        bail!("{}", prerequisites::refusal(&missing));
    }
    Ok(())
}

/// Whether there is no commit to compare with, as in a checkout without history.
fn has_no_base() -> bool {
    let repository = Repository::around(&workspace::root());
    repository
        .and_then(|repository| repository.merge_base())
        .is_err()
}
