//! The project's commands, one file for each; the logic is in the crates.

#![allow(clippy::print_stdout, reason = "the commands print to standard output")]

mod certify;
mod ci;
mod contract_change;
mod diff;
mod forward;
mod generate;
mod lint;
mod nightly;
mod prose;
#[cfg(unix)]
mod real;
mod release;
mod site;
mod steps;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Regenerate bindings, lint the contract, certify a server, run the checks of CI.
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
    Prose(prose::Arguments),
    Site(site::Arguments),
    Diff(diff::Arguments),
    Certify(certify::Arguments),
    Ci(ci::Arguments),
    Nightly(nightly::Arguments),
    ContractChange(contract_change::Arguments),
    Release(release::Arguments),
    #[cfg(unix)]
    Real(real::Arguments),
    /// Measure costs: `cargo xtask bench --help` lists the benchmarks.
    #[command(disable_help_flag = true)]
    Bench(forward::Words),
    /// Generate the crates of documents, and compile or try them.
    #[command(disable_help_flag = true)]
    Crates(forward::Words),
    /// Compare the bytes of generated clients and servers with an independent encoder.
    #[command(disable_help_flag = true)]
    Wire(forward::Words),
    /// Run the generator on randomly broken documents.
    #[command(disable_help_flag = true)]
    Fuzz(forward::Words),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().verb {
        Verb::Generate(arguments) => generate::run(&arguments),
        Verb::Lint(arguments) => Ok(lint::run(&arguments)),
        Verb::Prose(arguments) => prose::run(&arguments),
        Verb::Site(arguments) => site::run(&arguments),
        Verb::Diff(arguments) => Ok(diff::run(&arguments)),
        Verb::Certify(arguments) => certify::run(&arguments),
        Verb::Ci(arguments) => ci::run(&arguments),
        Verb::Nightly(arguments) => nightly::run(&arguments),
        Verb::ContractChange(arguments) => contract_change::run(&arguments),
        #[cfg(unix)]
        Verb::Real(arguments) => real::run(&arguments),
        Verb::Release(arguments) => release::run(&arguments),
        Verb::Bench(words) => forward::run("bench", &words),
        Verb::Crates(words) => forward::run("crates", &words),
        Verb::Wire(words) => forward::run("wire", &words),
        Verb::Fuzz(words) => forward::run("fuzz", &words),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(3)
    })
}
