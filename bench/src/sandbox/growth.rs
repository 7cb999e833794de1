//! Compares purchases on a large database with those on a small one, in turns.

use super::{Arguments, rates};
use crate::load::{End, load};
use crate::request::Request;
use crate::server::Program;
use crate::table::{Row, Table};

const CONNECTIONS: usize = 64;
const TARGET: f64 = 0.8;

pub(super) fn measure(
    arguments: &Arguments,
    program: &Program,
    table: &mut Table,
) -> anyhow::Result<()> {
    let (large, small) = (program.on_file(&[])?, program.on_file(&[])?);
    let fill = End::Requests(arguments.rows);
    load(
        large.address,
        CONNECTIONS,
        fill,
        &mut Request::create("fill"),
    )?;
    let [large, small] = rates(arguments.rounds, [&large, &small], |sandbox, round| {
        let mut request = Request::create(format!("growth-{round}"));
        let end = End::Time(arguments.time());
        Ok(load(sandbox.address, CONNECTIONS, end, &mut request)?.rate())
    })?;
    let ratio = large / small;
    table.add(Row {
        target: "T7",
        what: format!(
            "purchases with {} there already : with none",
            arguments.rows
        ),
        measured: format!("**{:.0} %** ({large:.0} : {small:.0}/s)", ratio * 100.0),
        wanted: format!("≥ {:.0} % at 1,000,000", TARGET * 100.0),
        met: ratio >= TARGET,
    });
    Ok(())
}
