//! Measures reads of transactions by id.

use anyhow::Context;

use super::Arguments;
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
    let ids = (0..TRANSACTIONS).map(|number| purchase(&sandbox, number));
    let ids = ids.collect::<anyhow::Result<Vec<_>>>()?;
    let mut request = Request::Read { ids, next: 0 };
    let before = sandbox.cpu()?;
    let end = End::Time(arguments.time());
    let report = load(sandbox.address, CONNECTIONS, end, &mut request)?;
    let micros = (sandbox.cpu()?.saturating_sub(before)).as_secs_f64() * 1e6;
    let cpu = micros_each(micros, report.answered);
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

/// Creates a purchase. Returns its id.
fn purchase(sandbox: &Watched, number: usize) -> anyhow::Result<String> {
    let body =
        format!(r#"{{"merchantTransactionId":"read-{number}","amount":"12.50","currency":"EUR"}}"#);
    let answer = post(sandbox.address, "/v1/transactions", &body)?;
    let (_, created) = parts(&answer)?;
    Ok(created["id"].as_str().context("no id")?.to_owned())
}
