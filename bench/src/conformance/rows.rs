//! What came out, as a table.

use std::fmt;

use super::tool::Tool;
use crate::codegen::cost::Cost;

/// The largest amount of memory that a run may take, in MB.
const MEMORY: u64 = 40;

/// How long it may take until the first request could be sent, in ms.
const STARTUP: f64 = 50.0;

/// How many times as much another tool has to cost.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    Cpu(f64),
    CpuAndWall(f64),
}

/// Rows of the table, and what is said below it.
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
        // The next may take a while.
        eprintln!("{row}");
        self.rows.push(row);
    }

    /// How long a start took.
    pub(super) fn startup(&mut self, document: &str, measured: &Cost) {
        let wall = measured.wall * 1000.0;
        let wanted = format!("wall at most {STARTUP:.0} ms");
        let what = format!("start, with {document}");
        self.add(&what, cells(measured), &wanted, Some(wall <= STARTUP));
    }

    /// What a whole run cost, and how many failures it told of a shop that has none.
    pub(super) fn whole(&mut self, tool: Tool, measured: &Cost, failures: usize) {
        let own = tool == Tool::Own;
        let wanted = if own {
            format!("at most {MEMORY} MB")
        } else {
            String::new()
        };
        let met = own.then_some(measured.megabytes <= MEMORY);
        let what = format!("a whole run, {tool}");
        self.add(&what, cells(measured), &wanted, met);
        self.say(format!(
            "On the untouched shop, {tool} reports {failures} failures (an operation and a kind each)."
        ));
    }

    /// How many faults a tool has found.
    pub(super) fn found(&mut self, tool: Tool, found: usize, of: usize) {
        self.say(format!("Found by {tool}: {found} of {of}."));
    }

    /// What a tool cost.
    pub(super) fn cost(&mut self, what: &str, measured: &Cost) {
        self.add(what, cells(measured), "", None);
    }

    /// How much more another tool cost: its CPU and, where that is wanted, the time it took.
    pub(super) fn times(&mut self, what: &str, other: &Cost, own: &Cost, wanted: Wanted) {
        let cpu = other.seconds / own.seconds;
        let wall = other.wall / own.wall;
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

    /// What is said below the table.
    pub(super) fn say(&mut self, line: String) {
        eprintln!("{line}");
        self.below.push(line);
    }

    /// What could not be measured.
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
