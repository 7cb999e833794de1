//! The command `contract`.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use contract::bundle::Format;
use contract::cli::{Cli, Command};
use contract::input::Overlays;
use contract::output::json;
use contract::streams::{CANNOT, Streams, USAGE, in_color};
use contract::{bundle, explain, generate, run};
use mimalloc::MiMalloc;

/// This allocator is fast for many small values that live as long as the program.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let (mut out, mut err) = (io::stdout(), io::stderr());
    let color = in_color(&out);
    let mut streams = Streams {
        out: &mut out,
        err: &mut err,
        color,
    };
    ExitCode::from(execute(Cli::parse().command, &mut streams))
}

fn execute(command: Command, streams: &mut Streams<'_>) -> u8 {
    match command {
        Command::Lint(arguments) => run::lint(&arguments, streams),
        Command::Diff(arguments) => run::diff(&arguments, streams),
        Command::Generate(arguments) => generate::generate(&arguments, streams),
        Command::Bundle {
            document,
            out,
            format,
            overlays,
        } => bundle(&document, &overlays, out.as_deref(), format, streams),
        Command::Overlay {
            document,
            overlays: files,
            out,
            format,
        } => {
            let overlays = Overlays { files };
            bundle(&document, &overlays, out.as_deref(), format, streams)
        }
        Command::Explain { id: None } => say(&explain::index(), streams),
        Command::Explain { id: Some(id) } => {
            if let Some(text) = explain::explain(&id) {
                return say(&text, streams);
            }
            let _ = writeln!(streams.err, "error: {}", explain::unknown(&id));
            USAGE
        }
        Command::Schema => say(json::SCHEMA, streams),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "contract", &mut script);
            say(&String::from_utf8_lossy(&script), streams)
        }
    }
}

fn bundle(
    document: &str,
    overlays: &Overlays,
    out: Option<&Path>,
    format: Option<Format>,
    streams: &mut Streams<'_>,
) -> u8 {
    let format = format.unwrap_or_else(|| Format::of(out));
    let text = match bundle::text(document, overlays, format) {
        Ok(bundle) => {
            let _ = streams.err.write_all(bundle.warnings.as_bytes());
            bundle.text
        }
        Err(message) => {
            let _ = streams.err.write_all(message.as_bytes());
            return CANNOT;
        }
    };
    match out.map(|path| (path, std::fs::write(path, &text))) {
        None => say(&text, streams),
        Some((_, Ok(()))) => 0,
        Some((path, Err(error))) => {
            let _ = writeln!(
                streams.err,
                "error: failed to write {}: {error}",
                path.display()
            );
            CANNOT
        }
    }
}

/// A closed pipe is not an error.
fn say(text: &str, streams: &mut Streams<'_>) -> u8 {
    let _ = streams.out.write_all(text.as_bytes());
    0
}
