//! The project's verbs. Each is a file of its name; the logic lives in the crates.

#![allow(clippy::print_stdout, reason = "the verbs answer on standard output")]

mod bench;
mod certify;
mod ci;
mod crates;
mod diff;
mod fuzz;
mod generate;
mod lint;
mod nested;
mod nightly;
mod process;
mod published;
mod round_trips;
mod standalone;
mod steps;
mod wire;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use mimalloc::MiMalloc;

/// Many small values live as long as the program, which this one is made for.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Regenerate bindings, lint the contract, certify a server, run what CI runs.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Generate(generate::Arguments),
    Lint(lint::Arguments),
    Diff(diff::Arguments),
    Certify(certify::Arguments),
    Ci(ci::Arguments),
    Nightly(nightly::Arguments),
    Published(published::Arguments),
    Crates(crates::Arguments),
    RoundTrips(round_trips::Arguments),
    Standalone(standalone::Arguments),
    Bench(bench::Arguments),
    Wire(wire::Arguments),
    Fuzz(fuzz::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().verb {
        Verb::Generate(arguments) => generate::run(&arguments),
        Verb::Lint(arguments) => Ok(lint::run(&arguments)),
        Verb::Diff(arguments) => Ok(diff::run(&arguments)),
        Verb::Certify(arguments) => certify::run(&arguments),
        Verb::Ci(arguments) => ci::run(&arguments),
        Verb::Nightly(arguments) => nightly::run(&arguments),
        Verb::Published(arguments) => published::run(&arguments),
        Verb::Crates(arguments) => crates::run(&arguments),
        Verb::RoundTrips(arguments) => round_trips::run(&arguments),
        Verb::Standalone(arguments) => standalone::run(&arguments),
        Verb::Bench(arguments) => bench::run(&arguments),
        Verb::Wire(arguments) => wire::run(&arguments),
        Verb::Fuzz(arguments) => fuzz::run(&arguments),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(3)
    })
}
