//! Measures reads of transactions by id.

use std::time::Duration;

use anyhow::Context;

use super::Arguments;
use super::creates::Measured;
use crate::load::{End, load};
use crate::numbers::{micros_each, milliseconds};
use crate::request::Request;
use crate::server::{Program, Watched, parts, post};
use crate::table::{Row, Table};

/// The number of transactions.
const TRANSACTIONS: usize = 1_000;
const CONNECTIONS: usize = 16;
const RATE: f64 = 15_000.0;
const CPU: f64 = 30.0;

pub(super) fn measure(
    arguments: &Arguments,
    program: &Program,
    table: &mut Table,
) -> anyhow::Result<()> {
    let sandbox = program.on_file(&[])?;
    let Measured { report, cpu } = reads(&sandbox, "read", arguments.time())?;
    table.add(Row {
        target: "T6",
        what: format!("reads by id, {CONNECTIONS} connections"),
        measured: format!(
            "{:.0}/s, p99 {}, {cpu:.0} µs CPU",
            report.rate(),
            milliseconds(report.percentile(99))
        ),
        wanted: format!("≥ {RATE:.0}/s, ≤ {CPU:.0} µs"),
        met: report.rate() >= RATE && cpu <= CPU,
    });
    Ok(())
}

/// Creates purchases whose ids begin with a prefix, and reads them.
pub(super) fn reads(sandbox: &Watched, prefix: &str, time: Duration) -> anyhow::Result<Measured> {
    let ids = (0..TRANSACTIONS).map(|number| purchase(sandbox, &format!("{prefix}-{number}")));
    let ids = ids.collect::<anyhow::Result<Vec<_>>>()?;
    let mut request = Request::Read { ids, next: 0 };
    let before = sandbox.cpu()?;
    let report = load(sandbox.address, CONNECTIONS, End::Time(time), &mut request)?;
    let micros = (sandbox.cpu()?.saturating_sub(before)).as_secs_f64() * 1e6;
    let cpu = micros_each(micros, report.answered);
    Ok(Measured { report, cpu })
}

/// Creates a purchase with an id of the merchant. Returns the sandbox's id.
fn purchase(sandbox: &Watched, id: &str) -> anyhow::Result<String> {
    let body = format!(r#"{{"merchantTransactionId":"{id}","amount":"12.50","currency":"EUR"}}"#);
    let answer = post(sandbox.address, "/v1/transactions", &body)?;
    let (_, created) = parts(&answer)?;
    Ok(created["id"].as_str().context("no id")?.to_owned())
}
