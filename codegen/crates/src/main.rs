//! `crates`: documents are generated, compiled and tried.

#![allow(clippy::print_stdout, reason = "the verbs answer on standard output")]

mod compile;
mod ledger;
mod published;
mod round_trips;
mod semver;
mod suite;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Generate the crates of documents, and try them.
#[derive(Parser)]
#[command(name = "crates", version)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Compile(compile::Arguments),
    RoundTrips(round_trips::Arguments),
    Published(published::Arguments),
    Semver(semver::Arguments),
    Suite(suite::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().verb {
        Verb::Compile(arguments) => compile::run(&arguments),
        Verb::RoundTrips(arguments) => round_trips::run(&arguments),
        Verb::Published(arguments) => published::run(&arguments),
        Verb::Semver(arguments) => semver::run(&arguments),
        Verb::Suite(arguments) => suite::run(&arguments),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(3)
    })
}
