//! `cargo xtask wire`: what generated clients put on the socket, against what the specification
//! demands.
//!
//! For each document: its crate is generated, and beside it a program that calls every method of the
//! client with values made from the schemas; a server keeps the bytes, and they are compared with
//! those of an encoder that shares nothing with the generator. What is not generated has to be told
//! in a diagnostic.

mod case;
mod description;
mod driver;
mod encoding;
mod recorder;
mod sample;
mod verdict;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use codegen::Options;
use serde_json::json;
use spec::source::Span;
use spec::{Diagnostics, Document};

use crate::{process, workspace};
use case::{Cases, Subject};
use description::Description;
use recorder::Recorder;

/// Compare the bytes of generated clients with those that the specification demands.
///
/// Exit code: 0 all are the same or refused with a diagnostic, 1 some are not.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The documents, YAML or JSON.
    #[arg(required = true)]
    documents: Vec<PathBuf>,
    /// Where the crates are written and built; below the target folder where it is left out.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let target = || {
        let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
        target
            .unwrap_or_else(|| workspace::root().join("target"))
            .join("wire")
    };
    let out = std::path::absolute(arguments.out.clone().unwrap_or_else(target))?;
    let recorder = Recorder::start()?;
    let mut faults = 0;
    for document in &arguments.documents {
        faults += check(document, &out, &recorder)?;
    }
    Ok(if faults == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Checks a document; gives the number of subjects that are at fault.
fn check(path: &Path, out: &Path, recorder: &Recorder) -> anyhow::Result<usize> {
    let document = spec::loader::load(path)
        .map_err(|error| anyhow::anyhow!("{}", error.diagnostics.render(&error.sources, false)))?;
    let description = Description::of(&document)?;
    let (api, diagnostics) = codegen::lower::lower(&document, None);
    let names = codegen::names::assign(&api);
    let Cases {
        mut subjects,
        calls: cases,
        ..
    } = Cases::of(&description, &api, &names);
    let stem = path
        .file_stem()
        .and_then(|stem| stem.to_str())
        .context("the document has no name")?;
    let folder = out.join(stem);
    generate(&document, stem, &folder)?;
    let driver = folder.join("driver");
    fs::create_dir_all(driver.join("src"))?;
    let package = package_of(&folder)?;
    let source = format!(
        "{}{}",
        driver::source(&api, &names, &package),
        driver::parted(&api, &names)
    );
    fs::write(driver.join("Cargo.toml"), driver::manifest(&package))?;
    fs::write(driver.join("src/main.rs"), source)?;
    fs::copy(
        workspace::root().join("Cargo.lock"),
        driver.join("Cargo.lock"),
    )?;
    let listed: Vec<_> = cases
        .iter()
        .enumerate()
        .map(|(number, case)| {
            json!({
                "number": number, "operation": case.operation, "request_id": case.request_id,
                "parameters": json!(case.parameters).to_string(), "content": case.content,
                "body": case.body,
            })
        })
        .collect();
    let file = driver.join("cases.json");
    fs::write(&file, serde_json::to_string(&listed)?)?;
    let errors = drive(&driver, &out.join("build"), &file, &recorder.address)?;
    let received = recorder.take();
    for (number, case) in cases.iter().enumerate() {
        let found = match (errors.get(&number), received.get(&number)) {
            (Some(error), _) => case
                .pieces
                .iter()
                .map(|piece| (piece.subject, error.clone()))
                .collect(),
            (None, None) => case
                .pieces
                .iter()
                .map(|piece| (piece.subject, "not sent".to_owned()))
                .collect(),
            (None, Some(received)) => verdict::judge(case, received),
        };
        for piece in &case.pieces {
            subjects[piece.subject].sent += 1;
        }
        for (subject, fault) in found {
            subjects[subject].fault.get_or_insert(fault);
        }
    }
    Ok(report(
        stem,
        &document,
        &diagnostics,
        &subjects,
        cases.len(),
    ))
}

fn generate(document: &Document, stem: &str, folder: &Path) -> anyhow::Result<()> {
    let options = Options {
        crate_name: stem.to_owned(),
        complete_crate: true,
        round_trips: false,
        source_label: stem.to_owned(),
        behaviour: None,
    };
    let output = codegen::generate(document, &options)
        .map_err(|errors| anyhow::anyhow!("{}", errors.render(&document.sources, false)))?;
    codegen::write(&output.files, folder)?;
    Ok(())
}

/// The name of the package in a folder.
fn package_of(folder: &Path) -> anyhow::Result<String> {
    let manifest = fs::read_to_string(folder.join("Cargo.toml"))?;
    let name = manifest
        .lines()
        .find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    Ok(name.context("the manifest names no package")?.to_owned())
}

/// Builds the driver and lets it make its calls; gives those that could not be made.
fn drive(
    driver: &Path,
    target: &Path,
    cases: &Path,
    address: &str,
) -> anyhow::Result<BTreeMap<usize, String>> {
    let mut build = process::cargo();
    build
        .args(["build", "--quiet", "--offline"])
        .current_dir(driver)
        .env("CARGO_TARGET_DIR", target);
    ensure!(
        build.status()?.success(),
        "the driver in {} does not compile",
        driver.display()
    );
    let output = std::process::Command::new(target.join("debug/driver"))
        .arg(cases)
        .arg(address)
        .output()?;
    let told = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success(),
        "the driver ended with {}: {told}",
        output.status
    );
    let lines = String::from_utf8(output.stdout)?;
    let errors = lines.lines().filter_map(|line| line.split_once('\t'));
    Ok(errors
        .filter_map(|(number, error)| Some((number.parse().ok()?, error.to_owned())))
        .collect())
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
        .flat_map(spec::document::RequestBody::content)
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
