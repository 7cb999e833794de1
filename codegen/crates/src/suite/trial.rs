//! Generates a type for each schema of the suite and tries its instances against that type.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, ensure};
use codegen::Options;
use codegen_crates::nested;
use codegen_crates::write::runtime_package;
use openapi_document::loader;
use serde_json::json;

use super::case::{Case, Instance};
use super::document::Version;

/// The results of all cases of a version.
#[derive(Debug)]
pub(super) struct Trial<'c> {
    /// The cases.
    pub tried: Vec<Tried<'c>>,
    /// How many further cases were left out, because they refer to missing documents.
    pub left_out: usize,
}

/// A case and the results of its instances.
#[derive(Debug)]
pub(super) struct Tried<'c> {
    /// The case.
    pub case: &'c Case,
    /// The ids of the rules reported for its schema; an error when nothing could be generated.
    pub reported: Result<Vec<String>, String>,
    /// One outcome for each instance.
    pub outcomes: Vec<Outcome>,
}

/// How a generated type handled an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The type read the instance, found no broken constraint, and wrote the same value.
    Accepted,
    /// The type read the instance, but wrote a different value.
    Changed,
    /// The type could not read the instance.
    Unread,
    /// The type read the instance, and found a broken constraint.
    Broken,
    /// No type was generated.
    Untried,
}

impl Tried<'_> {
    /// Whether the type handles all instances as expected. It must accept every valid instance, and
    /// refuse every invalid one, unless the generator reported the schema.
    pub(super) fn is_good(&self) -> bool {
        self.pairs()
            .all(|(instance, outcome)| match (instance.valid, outcome) {
                (true, outcome) => outcome == Outcome::Accepted,
                (false, outcome) => outcome.refuses() || self.is_reported(),
            })
    }

    /// Whether the schema refers to another document.
    fn needs_more(&self) -> bool {
        let error = self.reported.as_ref().err();
        let rules = ["error[unreadable-file]", "error[remote-reference]"];
        error.is_some_and(|error| rules.iter().any(|rule| error.contains(rule)))
    }

    /// Whether the generator reported something for the schema.
    pub(super) fn is_reported(&self) -> bool {
        self.reported.as_ref().map_or(true, |own| !own.is_empty())
    }

    /// The instances with their outcomes.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&Instance, Outcome)> {
        let outcomes = self.outcomes.iter().copied();
        self.case.instances.iter().zip(outcomes)
    }
}

impl Outcome {
    /// Whether the instance is refused.
    pub(super) fn refuses(self) -> bool {
        matches!(self, Self::Unread | Self::Broken)
    }

    fn parse(word: &str) -> Self {
        match word {
            "accepted" => Self::Accepted,
            "changed" => Self::Changed,
            "broken" => Self::Broken,
            _ => Self::Unread,
        }
    }
}

/// Generates the types of all cases that a version has, and tries their instances.
pub(super) fn run<'c>(
    version: &Version,
    cases: &'c [Case],
    out: &Path,
    exact: bool,
) -> anyhow::Result<Trial<'c>> {
    let cases = cases.iter().filter(|case| version.has(case));
    let mut tried: Vec<Tried<'c>> = cases
        .map(|case| Tried {
            case,
            reported: reported(version, case, exact),
            outcomes: vec![Outcome::Untried; case.instances.len()],
        })
        .collect();
    let all = tried.len();
    tried.retain(|own| !own.needs_more());
    let left_out = all - tried.len();
    let member = out.join(format!("cases-{}", version.label.replace('.', "-")));
    let names: Vec<String> = (0..tried.len()).map(|one| format!("Case{one}")).collect();
    let generated = || {
        let good = names
            .iter()
            .zip(&tried)
            .filter(|(_, own)| own.reported.is_ok());
        good.map(|(name, own)| (name.as_str(), own.case))
    };
    let document = version.document(generated()).to_string();
    write(&document, exact, &member, generated())?;
    nested::write(out, std::iter::once(&*member))?;
    let outcomes = call(&member, out)?;
    for (name, own) in names.iter().zip(&mut tried) {
        if let Some(outcomes) = outcomes.get(name) {
            own.outcomes.clone_from(outcomes);
        }
    }
    Ok(Trial { tried, left_out })
}

/// What the generator reports of the schema of a case.
fn reported(version: &Version, case: &Case, exact: bool) -> Result<Vec<String>, String> {
    let text = version
        .document(std::iter::once(("Case", case)))
        .to_string();
    let document = loader::load_text("case.json", &text).map_err(|error| error.render(false))?;
    let output = codegen::generate(&document, &options("case", exact));
    let output = output.map_err(|errors| errors.render(&document.sources, false))?;
    let found = output.diagnostics.iter();
    Ok(found.map(|own| own.title.clone()).collect())
}

fn options(name: &str, exact: bool) -> Options {
    Options {
        crate_name: name.to_owned(),
        complete_crate: true,
        round_trips: false,
        source_label: "the test suite".to_owned(),
        behaviour: None,
        command: String::new(),
        exact,
        runtime: runtime_package(),
        ..Options::default()
    }
}

/// Writes the crate, its program, and the instances that the program reads.
fn write<'c>(
    document: &str,
    exact: bool,
    member: &Path,
    cases: impl Iterator<Item = (&'c str, &'c Case)>,
) -> anyhow::Result<()> {
    let document = loader::load_text("cases.json", document);
    let document = document.map_err(|error| anyhow::anyhow!(error.render(false)))?;
    let name = member.file_name().unwrap_or_default().to_string_lossy();
    let output = codegen::generate(&document, &options(&name, exact));
    let output =
        output.map_err(|errors| anyhow::anyhow!(errors.render(&document.sources, false)))?;
    codegen::write(&output.files, member)?;
    nested::adopt(member)?;
    let (mut rows, mut lines) = (String::new(), String::new());
    for (name, case) in cases {
        let _ = write!(rows, "\n    \"{name}\" => {name},");
        for instance in &case.instances {
            let value = json!({"value": instance.value});
            let _ = writeln!(lines, "{name}\t{value}");
        }
    }
    let program = include_str!("program.rs.txt");
    let program = program.replace("CRATE", &name.replace('-', "_"));
    fs::create_dir_all(member.join("examples"))?;
    fs::write(
        member.join("examples/instances.rs"),
        program.replace("ROWS", &rows),
    )?;
    Ok(fs::write(member.join("instances.txt"), lines)?)
}

/// Runs the program; gives the outcomes of each case.
fn call(member: &Path, out: &Path) -> anyhow::Result<BTreeMap<String, Vec<Outcome>>> {
    let name = member.file_name().unwrap_or_default().to_string_lossy();
    let mut cargo = nested::cargo(out);
    cargo.args(["run", "--quiet", "--offline", "--package", &name]);
    cargo.args(["--example", "instances"]);
    cargo.stdin(File::open(member.join("instances.txt"))?);
    cargo.stderr(Stdio::inherit());
    let output = cargo.output().context("cargo cannot be started")?;
    ensure!(output.status.success(), "the program of the cases failed");
    let mut outcomes: BTreeMap<String, Vec<Outcome>> = BTreeMap::new();
    for line in String::from_utf8(output.stdout)?.lines() {
        let (name, word) = line.split_once('\t').context("a line has two words")?;
        let own = outcomes.entry(name.to_owned()).or_default();
        own.push(Outcome::parse(word));
    }
    Ok(outcomes)
}
