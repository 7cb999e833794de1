//! `cargo xtask contract-change`: tests which places the compiler names when an operation is added
//! to the contract.
//!
//! It works on a copy of the checkout, and tests the transcript in `docs/contract-change.md`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, ensure};
use programs::{process, workspace};

/// Add an operation to a copy of the contract, and require that the compiler names each place that
/// must implement it.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// The new operation, below the path of a report.
const OPERATION: &str = "
  delete:
    operationId: removeReport
    tags: [reports]
    summary: Remove a report
    parameters:
      - $ref: ../openapi.yaml#/components/parameters/RequestId
      - {name: id, in: path, required: true, schema: {type: string, format: uuid}}
    responses:
      '204': {description: It is gone.}
      '400': {$ref: ../openapi.yaml#/components/responses/UnreadableParameter}
      '401': {$ref: ../openapi.yaml#/components/responses/Unauthenticated}
      '404': {$ref: ../openapi.yaml#/components/responses/RecordNotFound}
      '409':
        description: The file is still being made.
        content:
          application/problem+json:
            schema: {$ref: ../schemas/problem.yaml#/Problem}

file:
";

/// The method that implements it.
const METHOD: &str = "impl Reports for Operations {
    async fn remove_report(
        &self,
        context: Context,
        parameters: merchant_payments::operations::reports::RemoveReportParameters,
    ) -> merchant_payments::server::reports::RemoveReportResponse {
        match self.report(&context, parameters.id.into()).await {
            Ok(_) => merchant_payments::server::reports::RemoveReportResponse::NoContent,
            Err(failure) => failure.into(),
        }
    }
";

/// Its row in the table of refusals without 409, and the complete one.
const ROW: &str = "    // Reports.
    RemoveReportResponse: NoContent, Unauthorized, BadRequest, NotFound;
";
const COMPLETE_ROW: &str = "    // Reports.
    RemoveReportResponse: NoContent, Unauthorized, BadRequest, NotFound, Conflict;
";

/// An edit of one file, and the expected words of the compiler. Empty when the build must succeed.
struct Step {
    title: &'static str,
    file: &'static str,
    /// The replaced text, once each, and its replacement.
    edits: &'static [(&'static str, &'static str)],
    expected_words: &'static [&'static str],
}

const STEPS: [Step; 4] = [
    Step {
        title: "the contract has a new operation",
        file: "spec/paths/reports.yaml",
        edits: &[("\n\nfile:\n", OPERATION)],
        expected_words: &[
            "missing trait method provided by default: `remove_report`",
            "sandbox/src/routes/reports.rs",
        ],
    },
    Step {
        title: "the sandbox has a method for it",
        file: "sandbox/src/routes/reports.rs",
        edits: &[("impl Reports for Operations {\n", METHOD)],
        expected_words: &[
            "the trait bound `RemoveReportResponse: From<Failure>` is not satisfied",
            "sandbox/src/routes/reports.rs",
        ],
    },
    Step {
        title: "it has a row in the table of refusals, without 409",
        file: "sandbox/src/routes/refusals.rs",
        edits: &[
            ("    // Reports.\n", ROW),
            (
                "ListReportsResponse,\n};",
                "ListReportsResponse, RemoveReportResponse,\n};",
            ),
        ],
        expected_words: &[
            "RemoveReportResponse::Conflict(_)` not covered",
            "sandbox/src/routes/refusals.rs",
        ],
    },
    Step {
        title: "the row has 409",
        file: "sandbox/src/routes/refusals.rs",
        edits: &[(ROW, COMPLETE_ROW)],
        expected_words: &[],
    },
];

pub(crate) fn run(_: &Arguments) -> anyhow::Result<ExitCode> {
    let copy = workspace::root().join("target/contract-change/checkout");
    copy_checkout(&copy)?;
    for step in &STEPS {
        println!("\n— {}: {}", step.file, step.title);
        apply(&copy, step)?;
        if step.file.starts_with("spec/") {
            let output = cargo(&copy, &["run", "--quiet", "-p", "xtask", "--", "generate"])?;
            ensure!(output.0, "cargo xtask generate: {}", output.1);
        }
        let (passed, output) = cargo(
            &copy,
            &[
                "clippy", "--quiet", "-p", "sandbox", "--lib", "--", "-D", "warnings",
            ],
        )?;
        let found = output
            .lines()
            .filter(|line| line.starts_with("error") || line.contains("-->"));
        found.for_each(|line| println!("{line}"));
        ensure!(
            passed == step.expected_words.is_empty(),
            "unexpected:\n{output}"
        );
        for words in step.expected_words {
            ensure!(
                output.contains(words),
                "the compiler does not say “{words}”:\n{output}"
            );
        }
    }
    println!("\nThe compiler named each place.");
    Ok(ExitCode::SUCCESS)
}

fn apply(copy: &Path, step: &Step) -> anyhow::Result<()> {
    let path = copy.join(step.file);
    let mut text = fs::read_to_string(&path)?;
    for (before, after) in step.edits {
        ensure!(
            text.contains(before),
            "{}: there is no {before:?}",
            step.file
        );
        text = text.replacen(before, after, 1);
    }
    Ok(fs::write(&path, text)?)
}

/// Copies the files that git knows, as they are in the work tree. Skips unchanged files, because a
/// new time would build everything again.
fn copy_checkout(copy: &Path) -> anyhow::Result<()> {
    let listed = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(workspace::root())
        .output()
        .context("git cannot be started")?;
    ensure!(listed.status.success(), "git ls-files failed");
    let names = String::from_utf8(listed.stdout)?;
    for name in names.split('\0').filter(|name| !name.is_empty()) {
        let (from, to) = (workspace::root().join(name), copy.join(name));
        // Deleted in the work tree.
        let Ok(bytes) = fs::read(&from) else { continue };
        if fs::read(&to).is_ok_and(|known| known == bytes) {
            continue;
        }
        fs::create_dir_all(to.parent().map(PathBuf::from).unwrap_or_default())?;
        fs::write(to, bytes)?;
    }
    Ok(())
}

/// Runs cargo in the copy. Returns whether it succeeded, and its output.
fn cargo(copy: &Path, arguments: &[&str]) -> anyhow::Result<(bool, String)> {
    let output = process::cargo()
        .args(arguments)
        .current_dir(copy)
        .env(
            "CARGO_TARGET_DIR",
            workspace::root().join("target/contract-change/target"),
        )
        .env("CARGO_TERM_COLOR", "never")
        .output()
        .context("cargo cannot be started")?;
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok((output.status.success(), errors))
}
