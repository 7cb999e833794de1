//! `wire`: what generated clients put on the socket, against what the specification
//! demands.
//!
//! For each document: its crate is generated, and beside it a program that calls every method of the
//! client with values made from the schemas. A recorder keeps the bytes, and they are compared with
//! those of an encoder that shares nothing with the generator. The program also sends the bytes of
//! that encoder to the generated server, and what it decodes is compared with the values. What is not
//! generated has to be reported by a diagnostic.

#![allow(
    clippy::print_stdout,
    reason = "the program answers on standard output"
)]

mod case;
mod description;
mod driver;
mod encoding;
mod loose;
mod recorder;
mod request;
mod sample;
mod verdict;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::ensure;
use codegen::Options;
use openapi_document::source::Span;
use openapi_document::{Diagnostics, Document};
use serde::Deserialize;
use serde_json::{Value, json};

use codegen_crates::nested;
use programs::{process, workspace};

use case::{Case, Cases, Subject};
use description::Description;
use recorder::{Received, Recorder};

/// Compare the bytes of generated clients with those that the specification demands.
///
/// Exit code: 0 all are the same or refused with a diagnostic, 1 some are not.
#[derive(clap::Parser)]
#[command(name = "wire", version)]
struct Arguments {
    /// The documents, YAML or JSON; of a folder all that it holds.
    #[arg(required = true, value_name = "FILE|DIR")]
    documents: Vec<PathBuf>,
    /// Where the crates are written.
    #[arg(long, value_name = "DIR", default_value = "target/wire")]
    out: PathBuf,
}

fn main() -> ExitCode {
    let outcome = run(&<Arguments as clap::Parser>::parse());
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(3)
    })
}

fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let out = std::path::absolute(&arguments.out)?;
    let mut trials = Vec::new();
    for path in workspace::documents(&arguments.documents)? {
        let document = loose::without_constraints(&load(&path)?);
        if document.operations().is_empty() {
            println!("{}: no operation is called", path.display());
        } else {
            trials.push(Trial::write(&path, document, &out)?);
        }
    }
    let members = trials
        .iter()
        .flat_map(|own| [&*own.folder, &*own.driver_folder]);
    nested::write(&out, members)?;
    build(&trials, &out)?;
    let recorder = Recorder::start()?;
    let mut faults = 0;
    for trial in &trials {
        faults += trial.check(&recorder)?;
    }
    Ok(if faults == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// A document, its crate, and the program that calls its client.
struct Trial {
    stem: String,
    document: Document,
    folder: PathBuf,
    /// The package of the driver, and its folder.
    driver: String,
    driver_folder: PathBuf,
}

impl Trial {
    /// Writes the crate and its driver as members of the workspace in a folder.
    fn write(path: &Path, document: Document, out: &Path) -> anyhow::Result<Self> {
        let folder = nested::member(path, out)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        generate(&document, &stem, &folder)?;
        nested::adopt(&folder)?;
        let (api, _) = codegen::lower::lower(&document, &codegen::Options::default());
        let names = codegen::names::assign(&api);
        let package = workspace::package(&folder)?;
        let driver = format!("{package}-driver");

        let driver_folder = folder.join("driver");
        fs::create_dir_all(driver_folder.join("src"))?;
        let source = format!(
            "{}{}",
            driver::source(&api, &names, &package),
            driver::parted(&api, &names)
        );
        fs::write(
            driver_folder.join("Cargo.toml"),
            driver::manifest(&driver, &package),
        )?;
        fs::write(driver_folder.join("src/main.rs"), source)?;
        let suite = folder.join("tests/suite");
        let tests = fs::read_to_string(suite.join("round_trips.rs")).ok();
        // Without tests, the driver has no use for their helpers.
        for helper in ["canonical.rs", "exchanges.json"] {
            let text = fs::read_to_string(suite.join(helper)).unwrap_or_default();
            fs::write(driver_folder.join("src").join(helper), text)?;
        }
        fs::write(
            driver_folder.join("src/heard.rs"),
            driver::heard(tests.as_deref(), &api, &names),
        )?;
        Ok(Self {
            stem: stem.into_owned(),
            document,
            folder,
            driver,
            driver_folder,
        })
    }

    /// Builds and runs the driver; gives the number of subjects that are at fault.
    fn check(&self, recorder: &Recorder) -> anyhow::Result<usize> {
        let description = Description::of(&self.document)?;
        let (api, diagnostics) =
            codegen::lower::lower(&self.document, &codegen::Options::default());
        let names = codegen::names::assign(&api);
        let Cases {
            mut subjects,
            calls: cases,
            ..
        } = Cases::of(&description, &api, &names);
        let file = self.driver_folder.join("cases.json");
        fs::write(&file, serde_json::to_string(&listed(&cases))?)?;
        let driven = drive(&self.driver, &file, &recorder.address)?;
        let received = recorder.take();
        judge(&cases, &driven, &received, &mut subjects);
        Ok(report(
            &self.stem,
            &self.document,
            &diagnostics,
            &subjects,
            cases.len(),
        ))
    }
}

fn load(path: &Path) -> anyhow::Result<Document> {
    openapi_document::loader::load(path)
        .map_err(|error| anyhow::anyhow!("{}", error.diagnostics.render(&error.sources, false)))
}

/// The cases as the driver reads them.
fn listed(cases: &[Case]) -> Vec<Value> {
    let cases = cases.iter().enumerate();
    cases
        .map(|(number, case)| {
            json!({
                "number": number, "operation": case.operation, "request_id": case.request_id,
                "parameters": json!(case.parameters).to_string(), "content": case.content,
                "body": case.body, "raw": request::raw(case),
            })
        })
        .collect()
}

/// Notes what was wrong with each subject first.
fn judge(
    cases: &[Case],
    driven: &Driven,
    received: &BTreeMap<usize, Received>,
    subjects: &mut [Subject],
) {
    for (number, case) in cases.iter().enumerate() {
        let all = |fault: &str| {
            let pieces = case.pieces.iter();
            pieces
                .map(|piece| (piece.subject, fault.to_owned()))
                .collect()
        };
        let sent = (driven.errors.get(&number), received.get(&number));
        let mut found: Vec<(usize, String)> = match sent {
            (Some(error), _) => all(error),
            (None, None) => all("not sent"),
            (None, Some(received)) => verdict::judge(case, received),
        };
        match driven.heard.get(&number) {
            Some(heard) => found.extend(verdict::judge_heard(case, heard)),
            // A document without exchanges has no server to send to.
            None if driven.heard.is_empty() => {}
            None => found.extend(all("not sent to the server")),
        }
        for piece in &case.pieces {
            subjects[piece.subject].sent += 1;
        }
        for (subject, fault) in found {
            subjects[subject].fault.get_or_insert(fault);
        }
    }
}

fn generate(document: &Document, stem: &str, folder: &Path) -> anyhow::Result<()> {
    let options = Options {
        crate_name: stem.to_owned(),
        complete_crate: true,
        round_trips: true,
        source_label: stem.to_owned(),
        behaviour: None,
        command: String::new(),
        exact: false,
        ..Options::default()
    };
    let output = codegen::generate(document, &options)
        .map_err(|errors| anyhow::anyhow!("{}", errors.render(&document.sources, false)))?;
    codegen::write(&output.files, folder)?;
    Ok(())
}

/// What a driver printed.
#[derive(Default)]
struct Driven {
    /// The calls that could not be made.
    errors: BTreeMap<usize, String>,
    /// What the server decoded of each request.
    heard: BTreeMap<usize, Heard>,
}

/// What the server decoded of a request.
#[derive(Deserialize)]
struct Heard {
    case: usize,
    /// The whole answer.
    answer: String,
    /// JSON texts; empty where there is nothing, or what is no JSON.
    parameters: String,
    body: String,
}

/// Builds all drivers.
fn build(trials: &[Trial], out: &Path) -> anyhow::Result<()> {
    let mut build = nested::cargo(out);
    build.args(["build", "--quiet", "--offline"]);
    for trial in trials {
        build.args(nested::packages(&trial.driver));
    }
    ensure!(process::succeeds(&mut build)?, "a driver does not compile");
    Ok(())
}

/// Lets a driver make its calls.
fn drive(driver: &str, cases: &Path, address: &str) -> anyhow::Result<Driven> {
    let program = nested::target().join("debug").join(driver);
    let output = std::process::Command::new(program)
        .arg(cases)
        .arg(address)
        .output()?;
    let told = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success(),
        "the driver ended with {}: {told}",
        output.status
    );
    let mut driven = Driven::default();
    for line in String::from_utf8(output.stdout)?.lines() {
        match line.split_once('\t') {
            Some(("heard", heard)) => {
                let heard: Heard = serde_json::from_str(heard)?;
                driven.heard.insert(heard.case, heard);
            }
            Some((number, error)) => {
                driven.errors.insert(number.parse()?, error.to_owned());
            }
            None => {}
        }
    }
    Ok(driven)
}

/// Prints what was found; gives the number of subjects that are at fault.
fn report(
    stem: &str,
    document: &Document,
    diagnostics: &Diagnostics,
    subjects: &[Subject],
    calls: usize,
) -> usize {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let (mut deep, mut told, mut faults) = (0, 0, 0);
    for subject in subjects {
        let what = format!(
            "{} {} {} {}",
            subject.method, subject.path, subject.place, subject.name
        );
        let place = counts.entry(&subject.place).or_default();
        place.0 += 1;
        let good = subject.generated && subject.fault.is_none() && subject.sent > 0;
        if good {
            place.1 += 1;
            deep += subject.deep;
            continue;
        }
        if let Some(diagnostic) = diagnostic_of(document, diagnostics, subject) {
            told += 1;
            println!("  refused: {what}: {diagnostic}");
        } else {
            faults += 1;
            let silent = if subject.generated {
                "no sample was sent"
            } else {
                "silently left out"
            };
            println!(
                "  FAULT: {what}: {}",
                subject.fault.as_deref().unwrap_or(silent)
            );
        }
    }
    let places: Vec<String> = counts
        .iter()
        .map(|(place, (all, good))| format!("{place} {good}/{all}"))
        .collect();
    let good = subjects.len() - told - faults;
    println!(
        "{stem}: {} parameters and bodies: {good} as demanded, {told} refused, {faults} at fault; {deep} deepObject; {calls} calls ({})",
        subjects.len(),
        places.join(", ")
    );
    faults
}

/// What the generator tells of a parameter or a body, or of its operation.
fn diagnostic_of(
    document: &Document,
    diagnostics: &Diagnostics,
    subject: &Subject,
) -> Option<String> {
    let operations = document.operations();
    let operation = operations.iter().find(|operation| {
        operation.path == subject.path && operation.method.as_str() == subject.method
    })?;
    let mut spans: Vec<Span> = Vec::new();
    for parameter in operation.parameters() {
        if parameter.name == subject.name && parameter.location.as_str() == subject.place {
            spans.push(parameter.at.node.span);
        }
    }
    for media_type in operation
        .request_body()
        .iter()
        .flat_map(openapi_document::view::RequestBody::content)
    {
        if subject.name.is_empty() && media_type.name == subject.place {
            spans.push(media_type.at.node.span);
        }
    }
    let found = diagnostics.iter().find(|diagnostic| {
        let Some((span, _)) = &diagnostic.primary else {
            return false;
        };
        let within = |outer: &Span| {
            outer.file == span.file && outer.start <= span.start && span.end <= outer.end
        };
        let whole = ["path-not-supported", "path-parameter-undeclared"].contains(&diagnostic.rule);
        // A lost example says nothing of what is sent.
        let telling = !diagnostic.rule.starts_with("example-");
        (telling && spans.iter().any(within)) || (whole && *span == operation.at.node.span)
    });
    found.map(|diagnostic| diagnostic.one_line(&document.sources))
}
