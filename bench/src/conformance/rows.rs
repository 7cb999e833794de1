//! Writes the results as a table.

use std::fmt;

use super::tool::Tool;
use crate::codegen::cost::Cost;

/// The memory limit of a run, in MB.
const MEMORY: u64 = 40;

/// The limit of the time until the first request, in ms.
const STARTUP: f64 = 50.0;

/// The factor by which another tool should cost more.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    Cpu(f64),
    CpuAndWall(f64),
}

/// Rows of the table, and the lines below it.
#[derive(Default)]
pub(super) struct Rows {
    rows: Vec<String>,
    below: Vec<String>,
}

impl Rows {
    fn add(&mut self, what: &str, cells: [String; 3], wanted: &str, met: Option<bool>) {
        let met = match met {
            Some(true) => "yes",
            Some(false) => "**no**",
            None => "",
        };
        let [cpu, wall, memory] = cells;
        let row = format!("| {what} | {cpu} | {wall} | {memory} | {wanted} | {met} |");
        // Prints the row at once, because the next one may take a while.
        eprintln!("{row}");
        self.rows.push(row);
    }

    /// Adds the time of a start.
    pub(super) fn startup(&mut self, document: &str, measured: &Cost) {
        let wall = measured.wall * 1000.0;
        let wanted = format!("wall at most {STARTUP:.0} ms");
        let what = format!("start, with {document}");
        self.add(&what, cells(measured), &wanted, Some(wall <= STARTUP));
    }

    /// Adds the cost of a whole run, and the failures that it reported for a correct shop.
    pub(super) fn whole(&mut self, tool: Tool, measured: &Cost, failures: usize) {
        let item = tool == Tool::Own;
        let wanted = if item {
            format!("at most {MEMORY} MB")
        } else {
            String::new()
        };
        let met = item.then_some(measured.megabytes <= MEMORY);
        let what = format!("a whole run, {tool}");
        self.add(&what, cells(measured), &wanted, met);
        self.say(format!(
            "On the untouched shop, {tool} reports {failures} failures (an operation and a kind each)."
        ));
    }

    /// Adds the number of faults that a tool found.
    pub(super) fn found(&mut self, tool: Tool, found: usize, of: usize) {
        self.say(format!("Found by {tool}: {found} of {of}."));
    }

    /// Adds the cost of a tool.
    pub(super) fn cost(&mut self, what: &str, measured: &Cost) {
        self.add(what, cells(measured), "", None);
    }

    /// Adds the ratio of another tool's cost: CPU and, if wanted, wall time.
    pub(super) fn times(&mut self, what: &str, other: &Cost, ours: &Cost, wanted: Wanted) {
        let cpu = other.seconds / ours.seconds;
        let wall = other.wall / ours.wall;
        let cells = [format!("{cpu:.1} ×"), format!("{wall:.1} ×"), String::new()];
        let (text, met) = match wanted {
            Wanted::Cpu(times) => (format!("CPU at least {times:.0} ×"), cpu >= times),
            Wanted::CpuAndWall(times) => (
                format!("CPU and wall at least {times:.0} ×"),
                cpu.min(wall) >= times,
            ),
        };
        self.add(what, cells, &text, Some(met));
    }

    /// Adds a line below the table.
    pub(super) fn say(&mut self, line: String) {
        eprintln!("{line}");
        self.below.push(line);
    }

    /// Adds a line about a missing measurement.
    pub(super) fn left_out(&mut self, line: &str) {
        self.say(format!("Left out: {line}."));
    }
}

fn cells(measured: &Cost) -> [String; 3] {
    [
        format!("{:.0} ms", measured.seconds * 1000.0),
        format!("{:.0} ms", measured.wall * 1000.0),
        format!("{} MB", measured.megabytes),
    ]
}

impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| what | CPU | wall | memory | wanted | met |")?;
        writeln!(f, "|---|---|---|---|---|---|")?;
        for row in &self.rows {
            writeln!(f, "{row}")?;
        }
        for line in &self.below {
            writeln!(f, "\n{line}")?;
        }
        Ok(())
    }
}
