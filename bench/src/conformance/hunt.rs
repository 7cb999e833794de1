//! Counts the faults of the catalogue that each tool finds.

use std::process::Command;

use anyhow::Context;

use super::findings::Findings;
use super::rows::Rows;
use super::tool::Tool;
use super::{Bench, is_there};

/// Tries every Nth fault with each tool. A fault is found when a run reports something that no run
/// on the correct shop reported.
pub(super) fn measure(bench: &Bench<'_>, rows: &mut Rows) -> anyhow::Result<()> {
    let every = bench.arguments.one_of;
    if every == 0 {
        rows.left_out("no fault was tried, as requested");
        return Ok(());
    }
    let listed = Command::new(&bench.shop).arg("--rows").output()?;
    let listed = String::from_utf8(listed.stdout).context("the shop names its faults")?;
    let faults: Vec<(usize, &str)> = listed.lines().enumerate().step_by(every).collect();
    let of = listed.lines().count();
    let all = faults.len();
    rows.say(format!(
        "Each tool tries one in {every} of the {of} faults of the catalogue, {all} in all. A fault counts when a run reports an \
         operation and a kind of failure that no run on the untouched shop reports."
    ));
    for tool in [Tool::Own, Tool::Schemathesis] {
        if tool == Tool::Schemathesis && !is_there(&bench.arguments.schemathesis) {
            continue;
        }
        let found = hunt(bench, tool, &faults)?;
        rows.found(tool, found, all);
    }
    Ok(())
}

/// The number of faults that a tool finds.
fn hunt(bench: &Bench<'_>, tool: Tool, faults: &[(usize, &str)]) -> anyhow::Result<usize> {
    let mut before = Findings::default();
    for _ in 0..bench.arguments.runs.max(1) {
        before.extend(findings(bench, tool, None)?);
    }
    eprintln!("{tool} reports for the correct shop: {before:?}");
    let mut found = 0;
    for (number, name) in faults {
        let reported = findings(bench, tool, Some(*number))?;
        let new: Vec<_> = reported.difference(&before).collect();
        eprintln!("{tool}, {name}: {new:?}");
        found += usize::from(!new.is_empty());
    }
    Ok(found)
}

/// The findings of a tool for a shop.
fn findings(bench: &Bench<'_>, tool: Tool, fault: Option<usize>) -> anyhow::Result<Findings> {
    let server = bench.open(fault)?;
    let mut command = bench.command(tool, &server.url)?;
    let output = command
        .output()
        .with_context(|| format!("failed to start {tool}"))?;
    bench
        .findings(tool)
        .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())
}
