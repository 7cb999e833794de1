//! Measures sandboxes within another program: the sandbox's example `spawn` measures itself.

use std::time::Duration;

use anyhow::{Context, ensure};

use super::Arguments;
use crate::numbers::milliseconds;
use crate::server::Program;
use crate::table::{Row, Table};
use programs::{process, workspace};

const TARGET: Duration = Duration::from_millis(10);

pub(super) fn measure(_: &Arguments, _: &Program, table: &mut Table) -> anyhow::Result<()> {
    let mut command = process::cargo();
    command.args([
        "run",
        "--quiet",
        "--release",
        "--package",
        "sandbox",
        "--example",
        "spawn",
    ]);
    let output = command.current_dir(workspace::root()).output()?;
    let shown = process::describe(&command);
    ensure!(
        output.status.success(),
        "`{shown}`: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout)?;
    for line in text.lines() {
        let (what, micros) = line.rsplit_once('\t').context("expected a tab")?;
        let time = Duration::from_micros(micros.parse()?);
        table.add(Row {
            target: "T17",
            what: format!("`Sandbox::spawn()`, {what}"),
            measured: milliseconds(time),
            wanted: format!("≤ {}", milliseconds(TARGET)),
            met: time <= TARGET,
        });
    }
    Ok(())
}
