//! Measures resident memory after many connections have been opened and closed.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::Arguments;
use crate::server::{Program, Watched};
use crate::table::{Row, Table};

const CONNECTIONS: usize = 9_500;
const REQUEST: &[u8] = b"GET /healthz HTTP/1.1\r\nhost: sandbox\r\n\r\n";
/// How long the sandbox may take to return memory, and the pause between two measurements.
const PATIENCE: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(200);

pub(super) fn measure(_: &Arguments, program: &Program, table: &mut Table) -> anyhow::Result<()> {
    let sandbox = program.on_file(&[])?;
    let idle = sandbox.memory()?;
    let open = (0..CONNECTIONS).map(|_| ask(&sandbox));
    let open = open
        .collect::<anyhow::Result<Vec<_>>>()
        .context("`ulimit -n` has to allow 10,000 open files")?;
    let busy = sandbox.memory()?;
    drop(open);
    let begun = Instant::now();
    let mut after = sandbox.memory()?;
    while after >= 2 * idle && begun.elapsed() < PATIENCE {
        // A request makes the allocator return free memory.
        drop(ask(&sandbox)?);
        sleep(PAUSE);
        after = sandbox.memory()?;
    }
    table.add(Row {
        target: "T2",
        what: format!("resident memory, {CONNECTIONS} connections: idle, during, after"),
        measured: format!("{}, {}, {} MiB", idle >> 10, busy >> 10, after >> 10),
        wanted: "after < 2 × idle".to_owned(),
        met: after < 2 * idle,
    });
    Ok(())
}

/// Opens a connection and sends a request on it.
fn ask(sandbox: &Watched) -> anyhow::Result<TcpStream> {
    let mut stream = TcpStream::connect(sandbox.address)?;
    stream.write_all(REQUEST)?;
    let mut answer = [0; 512];
    let read = stream.read(&mut answer)?;
    anyhow::ensure!(
        answer[..read].starts_with(b"HTTP/1.1 204"),
        "no answer on a connection"
    );
    Ok(stream)
}
