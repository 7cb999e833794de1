//! Measures resident memory after the start, and after many transactions.

use super::Arguments;
use crate::load::{End, load};
use crate::request::Request;
use crate::server::Program;
use crate::table::{Row, Table};

/// The number of transactions.
const TRANSACTIONS: u64 = 100_000;
const CONNECTIONS: usize = 64;
/// Targets in kilobytes.
const IDLE: u64 = 30 << 10;
const AFTER: u64 = 64 << 10;

pub(super) fn measure(_: &Arguments, program: &Program, table: &mut Table) -> anyhow::Result<()> {
    let sandbox = program.on_file(&[])?;
    let idle = sandbox.memory()?;
    add(table, "idle", idle, IDLE);
    let mut creates = Request::create("memory");
    load(
        sandbox.address,
        CONNECTIONS,
        End::Requests(TRANSACTIONS),
        &mut creates,
    )?;
    let after = sandbox.memory()?;
    add(
        table,
        &format!("after {TRANSACTIONS} purchases"),
        after,
        AFTER,
    );
    load(
        sandbox.address,
        CONNECTIONS,
        End::Requests(TRANSACTIONS),
        &mut creates,
    )?;
    let again = sandbox.memory()?;
    add(
        table,
        &format!("after {} purchases", 2 * TRANSACTIONS),
        again,
        AFTER,
    );
    Ok(())
}

fn add(table: &mut Table, when: &str, kilobytes: u64, most: u64) {
    table.add(Row {
        target: "T2",
        what: format!("resident memory, {when}"),
        measured: format!("{} MiB", kilobytes >> 10),
        wanted: format!("≤ {} MiB", most >> 10),
        met: kilobytes <= most,
    });
}
