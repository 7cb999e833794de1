//! How many faults of the catalogue each tool finds.

use std::collections::BTreeSet;
use std::process::Command;

use anyhow::Context;

use super::rows::Rows;
use super::{Bench, is_there};

/// Tries one of some faults with each tool. A fault is found where a run tells of something that one on
/// the untouched shop does not.
pub(super) fn measure(bench: &Bench<'_>, rows: &mut Rows) -> anyhow::Result<()> {
    let every = bench.arguments.one_of;
    if every == 0 {
        rows.left_out("no fault was tried, as asked for");
        return Ok(());
    }
    let listed = Command::new(&bench.shop).arg("--rows").output()?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let numbers = listed
        .lines()
        .enumerate()
        .step_by(every)
        .map(|(number, _)| number);
    let numbers: Vec<usize> = numbers.collect();
    let with_other = is_there(&bench.arguments.schemathesis);
    let before = with_other
        .then(|| other(bench, None))
        .transpose()?
        .unwrap_or_default();
    let (mut found, mut found_by_other) = (0, 0);
    for number in &numbers {
        let server = bench.open(Some(*number))?;
        let output = bench
            .ours(&server.url)
            .output()
            .context("failed to start the runner")?;
        found += usize::from(output.status.code() == Some(1));
        if with_other {
            let told = other(bench, Some(*number))?;
            found_by_other += usize::from(!told.is_subset(&before));
        }
    }
    let all = numbers.len();
    let others = if with_other {
        format!(", Schemathesis {found_by_other}")
    } else {
        String::new()
    };
    let kept = listed.lines().count();
    rows.say(format!(
        "Of {all} faults (one of {every} of the {kept} of the catalogue) this runner found {found}{others}."
    ));
    Ok(())
}

/// What Schemathesis tells of a shop: its failures, by operation and kind.
fn other(bench: &Bench<'_>, fault: Option<usize>) -> anyhow::Result<BTreeSet<String>> {
    let server = bench.open(fault)?;
    let mut command = bench.schemathesis(&server.url);
    let output = command.output().context("failed to start Schemathesis")?;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut operation = String::new();
    let mut failures = BTreeSet::new();
    for line in told.lines() {
        // A heading such as `____ GET /customers ____`, and below it `- Server error`.
        if line.starts_with("__") {
            line.trim_matches(['_', ' ']).clone_into(&mut operation);
        } else if let Some(kind) = line.trim_start().strip_prefix("- ") {
            failures.insert(format!("{operation}: {kind}"));
        }
    }
    Ok(failures)
}
