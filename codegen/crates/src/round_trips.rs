//! The generated client calls the generated server with every example of
//! the given documents.

use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};

use codegen_crates::nested;
use codegen_crates::write::write;
use programs::{process, workspace};

/// Generate a crate for each document, and let its client call its server, over a socket, with every
/// documented example; what has no example is made up.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The documents, YAML or JSON; of a folder all that it holds.
    #[arg(required = true, value_name = "FILE|DIR")]
    documents: Vec<PathBuf>,
    /// Where the crates are written.
    #[arg(long, value_name = "DIR", default_value = "target/round-trips")]
    out: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let out = std::path::absolute(&arguments.out)?;
    let mut tried = Vec::new();
    let mut good = true;
    for document in workspace::documents(&arguments.documents)? {
        let folder = nested::member(&document, &out)?;
        match write(&document, &folder, true)? {
            Some(left_out) => {
                nested::adopt(&folder)?;
                tried.push((folder, left_out));
            }
            None => good = false,
        }
    }
    nested::write(&out, tried.iter().map(|(folder, _)| &**folder))?;
    println!("| document | exchanges | of them both made up | examples left out | passed |");
    println!("|---|---|---|---|---|");
    for (folder, left_out) in &tried {
        good &= try_crate(folder, *left_out, &out)?;
    }
    Ok(if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn try_crate(folder: &Path, left_out: usize, out: &Path) -> anyhow::Result<bool> {
    let package = workspace::package(folder)?;
    let path = folder.join("tests/suite/exchanges.json");
    // Where no operation has a body there is nothing to exchange.
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mut cargo = nested::cargo(out);
    cargo.args(["test", "--quiet", "--offline", "--test", "suite"]);
    // Our features turn TLS on, for which a client has to have the feature that brings a provider.
    cargo.arg("--all-features");
    cargo.args(nested::packages(&package)).arg("round_trips");
    cargo.stdout(Stdio::null());
    let passed = text.is_empty() || process::succeeds(&mut cargo)?;
    let names = text.lines().filter_map(|line| {
        line.trim_start()
            .strip_prefix("{\"name\": \"")?
            .split('"')
            .next()
    });
    let (made_up, all): (Vec<_>, Vec<_>) = names.partition(|line| !line.contains('`'));
    let (made_up, all) = (made_up.len(), made_up.len() + all.len());
    let word = if passed { "yes" } else { "**no**" };
    println!("| {package} | {all} | {made_up} | {left_out} | {word} |");
    Ok(passed)
}
