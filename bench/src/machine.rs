//! Describes the machine and its load.

use std::fs::{self, File};
use std::io::Write;
use std::time::{Duration, Instant};

/// The number of disk syncs to measure.
const SYNCS: usize = 200;

/// One line about the machine and its current load.
pub(crate) fn facts() -> anyhow::Result<String> {
    let cores = std::thread::available_parallelism()?;
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map_or("unknown processor", |(_, name)| name.trim());
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().next().unwrap_or("unknown");
    let sync = sync()?;
    Ok(format!(
        "{cores} cores ({model}), load average {load} at the start, fdatasync of 4 KiB {:.2} ms (median)",
        sync.as_secs_f64() * 1_000.0
    ))
}

/// The median time of a disk sync of one page.
fn sync() -> anyhow::Result<Duration> {
    let mut file: File = tempfile::tempfile()?;
    let mut times = Vec::new();
    for _ in 0..SYNCS {
        file.write_all(&[7; 4096])?;
        let begun = Instant::now();
        file.sync_data()?;
        times.push(begun.elapsed());
    }
    times.sort_unstable();
    Ok(times[SYNCS / 2])
}
