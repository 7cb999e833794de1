//! `cargo xtask ci`: everything that CI asks for, in the order of the cheapest first.

use std::process::ExitCode;

use crate::process;

/// Run what CI runs: format, generated code, lint, clippy, licences, tests, certify.
///
/// Exit code: 0 all passed, else that of the first that did not.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Each step as it is typed after `cargo`.
const STEPS: &[&[&str]] = &[
    &["fmt", "--all", "--check"],
    &["xtask", "lint"],
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
    println!("\neverything passed");
    Ok(ExitCode::SUCCESS)
}
