//! `bench`: measures costs, and prints the tables of docs/benchmarks.md.
//!
//! One measurement per file, each with its `Arguments` and its `run`.

#![allow(
    clippy::print_stdout,
    reason = "the benchmarks answer on standard output"
)]

mod calls;
mod certify;
mod codegen;
mod conformance;
mod connection;
mod contract;
mod crates;
mod kills;
mod load;
mod machine;
mod marks;
mod notifications;
mod numbers;
mod races;
mod request;
mod sandbox;
mod server;
mod side_by_side;
mod soak;
mod syncs;
mod table;

use std::process::ExitCode;

use clap::Parser;
use mimalloc::MiMalloc;

/// The allocator of `contract`, whose generator is measured.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Measure release builds, and print a table.
#[derive(Parser)]
#[command(name = "bench", version)]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Calls(calls::Arguments),
    Certify(certify::Arguments),
    Codegen(codegen::Arguments),
    Conformance(conformance::Arguments),
    Contract(contract::Arguments),
    Crates(crates::Arguments),
    #[command(hide = true)]
    Cost(codegen::CostArguments),
    Sandbox(sandbox::Arguments),
    SideBySide(side_by_side::Arguments),
    Races(races::Arguments),
    Kills(kills::Arguments),
    Soak(soak::Arguments),
    Syncs(syncs::Arguments),
    Notifications(notifications::Arguments),
}

fn main() -> ExitCode {
    let outcome = run(&Arguments::parse());
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(3)
    })
}

fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.what {
        What::Calls(arguments) => calls::run(arguments),
        What::Certify(arguments) => certify::run(arguments),
        What::Codegen(arguments) => codegen::run(arguments),
        What::Conformance(arguments) => conformance::run(arguments),
        What::Contract(arguments) => contract::run(arguments),
        What::Crates(arguments) => crates::run(arguments),
        What::Cost(arguments) => codegen::run_cost(arguments),
        What::Sandbox(arguments) => sandbox::run(arguments),
        What::SideBySide(arguments) => side_by_side::run(arguments),
        What::Races(arguments) => races::run(arguments),
        What::Kills(arguments) => kills::run(arguments),
        What::Soak(arguments) => soak::run(arguments),
        What::Syncs(arguments) => syncs::run(arguments),
        What::Notifications(arguments) => notifications::run(arguments),
    }
}
