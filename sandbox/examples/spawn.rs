//! Measures `Sandbox::spawn()`, one at a time and a hundred at once; prints a label and
//! microseconds.
#![allow(clippy::print_stdout, reason = "it answers on standard output")]

use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use sandbox::Sandbox;

/// The number of sandboxes that are spawned one after the other.
const ALONE: usize = 50;
/// The number of sandboxes that are spawned at once.
const TOGETHER: usize = 100;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Initializes shared state, such as the parsed contract.
    Sandbox::spawn().await?.stop().await;
    let mut alone = Vec::new();
    for _ in 0..ALONE {
        let begun = Instant::now();
        let spawned = Sandbox::spawn().await?;
        alone.push(begun.elapsed());
        spawned.stop().await;
    }
    alone.sort_unstable();
    say("median of 50, one after the other", alone[ALONE / 2]);
    let begun = Instant::now();
    let spawned = try_join_all((0..TOGETHER).map(|_| Sandbox::spawn())).await?;
    say("each of 100 that are alive at once", begun.elapsed() / 100);
    drop(spawned);
    Ok(())
}

fn say(what: &str, time: Duration) {
    println!("{what}\t{}", time.as_micros());
}
