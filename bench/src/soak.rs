//! Measures memory over a long time, with purchases and reads at a steady rate.

use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::load::{End, load};
use super::machine;
use super::numbers::median;
use super::request::Request;
use super::server::{Program, Watched, parts, post};
use super::table::{Row, Table};

/// The memory of a sandbox that works at a steady rate for a long time.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The duration in minutes.
    #[arg(long, value_name = "N", default_value_t = 60)]
    minutes: u64,
    /// Purchases per second, and as many reads.
    #[arg(long, value_name = "N", default_value_t = 200)]
    rate: u64,
    /// The seconds between two measurements of memory.
    #[arg(long, value_name = "S", default_value_t = 10)]
    every: u64,
    /// The program to measure; default: a release build.
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
}

/// The number of connections, which are opened again each second.
const CONNECTIONS: usize = 8;
/// The limit at any time, in kilobytes.
const MOST: u64 = 64 << 10;
/// The highest growth from the median of the second quarter to that of the last, in percent.
const GROWTH: u64 = 10;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let facts = machine::facts()?;
    let program = Program::find(arguments.binary.as_deref())?;
    let sandbox = program.on_file(&[])?;
    let (samples, purchases) = watch(arguments, &sandbox)?;
    let quarter = |number: usize| {
        let from = samples.len() * number / 4;
        median(samples[from..samples.len() * (number + 1) / 4].to_vec())
    };
    let (early, late) = (quarter(1), quarter(3));
    let most = samples.iter().max().copied().unwrap_or_default();
    let mut table = Table::default();
    table.add(Row {
        target: "T2",
        what: format!(
            "resident memory over {} minutes, {purchases} purchases and as many reads",
            arguments.minutes
        ),
        measured: format!(
            "{} MiB at most; median of the second quarter {} MiB, of the last {} MiB ({} measurements)",
            most >> 10,
            early >> 10,
            late >> 10,
            samples.len()
        ),
        wanted: format!("≤ {} MiB, growth ≤ {GROWTH} %", MOST >> 10),
        met: most <= MOST && late * 100 <= early * (100 + GROWTH),
    });
    println!("{facts}\n\n{table}");
    Ok(ExitCode::SUCCESS)
}

/// Loads the sandbox. Returns the kilobytes at each measurement, and the number of purchases.
fn watch(arguments: &Arguments, sandbox: &Watched) -> anyhow::Result<(Vec<u64>, u64)> {
    let mut creates = Request::create("soak");
    let mut reads = Request::Read {
        ids: vec![purchase(sandbox)?],
        next: 0,
    };
    let (mut samples, mut purchases) = (Vec::new(), 0);
    let begun = Instant::now();
    for second in 1..=arguments.minutes * 60 {
        for request in [&mut creates, &mut reads] {
            let end = End::Requests(arguments.rate);
            let report = load(sandbox.address, CONNECTIONS, end, request)?;
            if request.expected() == 201 {
                purchases += report.answered;
            }
        }
        if second % arguments.every.max(1) == 0 {
            samples.push(sandbox.memory()?);
            eprintln!(
                "{second} s: {purchases} purchases, {} KiB",
                samples.last().copied().unwrap_or_default()
            );
        }
        thread::sleep(
            (begun + Duration::from_secs(second)).saturating_duration_since(Instant::now()),
        );
    }
    Ok((samples, purchases))
}

/// Creates the purchase to read. Returns its id.
fn purchase(sandbox: &Watched) -> anyhow::Result<String> {
    let body = r#"{"merchantTransactionId":"read","amount":"12.50","currency":"EUR"}"#;
    let answer = post(sandbox.address, "/v1/transactions", body)?;
    let (_, created) = parts(&answer)?;
    Ok(created["id"].as_str().context("no id")?.to_owned())
}
