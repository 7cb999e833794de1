//! Compares one commit for many writes with one commit for each write, in turns, so that both run
//! on the same machine.

use super::{Arguments, rates};
use crate::load::{End, load};
use crate::request::Request;
use crate::server::Program;
use crate::table::{Row, Table};

/// The number of connections, and the target ratio.
const TARGETS: [(usize, f64); 2] = [(16, 2.5), (64, 6.0)];

pub(super) fn measure(
    arguments: &Arguments,
    program: &Program,
    table: &mut Table,
) -> anyhow::Result<()> {
    for (connections, target) in TARGETS {
        let (grouped, alone) = (
            program.on_file(&[])?,
            program.on_file(&["--commit-group", "1"])?,
        );
        let [grouped, alone] = rates(arguments.rounds, [&grouped, &alone], |sandbox, round| {
            let mut request = Request::create(format!("commit-{round}"));
            let end = End::Time(arguments.time());
            Ok(load(sandbox.address, connections, end, &mut request)?.rate())
        })?;
        let ratio = grouped / alone;
        table.add(Row {
            target: "T5",
            what: format!("group commit : commit for each, {connections} connections"),
            measured: format!("**{ratio:.1}** ({grouped:.0} : {alone:.0}/s)"),
            wanted: format!("≥ {target:.1}"),
            met: ratio >= target,
        });
    }
    Ok(())
}
