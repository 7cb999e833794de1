//! Measures purchases, each answered after it is on the disk: rate, latency and CPU.

use std::time::Duration;

use super::Arguments;
use crate::load::{End, Report, load};
use crate::numbers::{micros_each, milliseconds};
use crate::request::Request;
use crate::server::{Program, Watched};
use crate::table::{Row, Table};

/// Connections, requests per second, and the 99th percentile.
const TARGETS: [(usize, f64, Duration); 2] = [
    (16, 2_000.0, Duration::from_millis(30)),
    (64, 5_000.0, Duration::from_millis(50)),
];
/// The target CPU of the server for each request, in microseconds.
const CPU: f64 = 120.0;
const POSTGRES: f64 = 2_000.0;
/// The number of requests before the measurement.
const WARM_UP: u64 = 2_000;

/// A load with the server's CPU for each request, in microseconds.
pub(super) struct Measured {
    pub(super) report: Report,
    pub(super) cpu: f64,
}

pub(super) fn on_file(
    arguments: &Arguments,
    program: &Program,
    table: &mut Table,
) -> anyhow::Result<()> {
    for (connections, rate, slowest) in TARGETS {
        let sandbox = program.on_file(&[])?;
        let measured = creates(&sandbox, "create", connections, arguments.time())?;
        if connections == 64 {
            let item = measured.report.cpu.as_secs_f64() * 1e6;
            let each = micros_each(item, measured.report.answered);
            table.add(Row {
                target: "T3",
                what: format!("CPU of the server for each purchase, {connections} connections"),
                measured: format!("{:.0} µs (the load itself: {each:.0} µs)", measured.cpu),
                wanted: format!("≤ {CPU:.0} µs"),
                met: measured.cpu <= CPU,
            });
        }
        let p99 = measured.report.percentile(99);
        table.add(Row {
            target: "T4",
            what: format!("durable purchases, {connections} connections"),
            measured: shown(&measured.report),
            wanted: format!("≥ {rate:.0}/s, ≤ {}", milliseconds(slowest)),
            met: measured.report.rate() >= rate && p99 <= slowest,
        });
    }
    Ok(())
}

pub(super) fn on_postgres(
    arguments: &Arguments,
    program: &Program,
    table: &mut Table,
) -> anyhow::Result<()> {
    let Some(database) = &arguments.postgres else {
        eprintln!("T8 is left out without --postgres");
        return Ok(());
    };
    let sandbox = program.start(database, &[])?;
    let measured = creates(&sandbox, "create", 64, arguments.time())?;
    table.add(Row {
        target: "T8",
        what: "purchases on PostgreSQL, 64 connections".to_owned(),
        measured: format!(
            "{}, {:.0} µs CPU of the sandbox",
            shown(&measured.report),
            measured.cpu
        ),
        wanted: format!("≥ {POSTGRES:.0}/s"),
        met: measured.report.rate() >= POSTGRES,
    });
    Ok(())
}

/// Creates purchases whose ids begin with a prefix.
pub(super) fn creates(
    sandbox: &Watched,
    prefix: &str,
    connections: usize,
    time: Duration,
) -> anyhow::Result<Measured> {
    let warm_up = End::Requests(WARM_UP);
    // The database may contain ids of an earlier run.
    let mut request = Request::create(format!("{prefix}-{}", std::process::id()));
    load(sandbox.address, connections, warm_up, &mut request)?;
    let before = sandbox.cpu()?;
    let report = load(sandbox.address, connections, End::Time(time), &mut request)?;
    let micros = (sandbox.cpu()?.saturating_sub(before)).as_secs_f64() * 1e6;
    let cpu = micros_each(micros, report.answered);
    Ok(Measured { report, cpu })
}

fn shown(report: &Report) -> String {
    format!(
        "{:.0}/s, p50 {}, p99 {}",
        report.rate(),
        milliseconds(report.percentile(50)),
        milliseconds(report.percentile(99))
    )
}
