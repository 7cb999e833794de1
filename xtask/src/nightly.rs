//! `cargo xtask nightly`: runs everything that takes too long for every change.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use serde::{Deserialize, Serialize};

use crate::ci::require_prerequisites;
use crate::steps::{Outcome, Runner, Step};
use programs::workspace;

/// Run every fault, every seed, published documents, the wire, the fuzzer, kills and races, and the
/// documentation.
///
/// Steps that passed on the same sources are not repeated, so a stopped run continues where it was.
/// A failed step does not stop the others.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Print the steps as commands, and run none.
    #[arg(long)]
    list: bool,
    /// Forget which steps passed before.
    #[arg(long)]
    restart: bool,
    /// Run only these steps.
    #[arg(
        long,
        value_name = "STEP,…",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(steps().iter().map(|step| step.name))
    )]
    only: Vec<String>,
}

/// Documents of this project, each with one feature of requests.
const OWN_DOCUMENTS: [&str; 3] = [
    "spec/openapi.yaml",
    "codegen/tests/sample.yaml",
    "codegen/goldens/inputs/operations",
];
/// Published documents, when they are beside the checkout.
const CORPUS: &str = "../shared/corpus";
const WILD: &str = "../shared/wild";
const WILD_LABELLED: &str = "../shared/wild/gold";

fn steps() -> Vec<Step> {
    let mut steps = vec![
        Step::cargo("test", &["test", "--workspace"]).with(workspace::EXHAUSTIVE, "1"),
        Step::cargo("doc", &["doc", "--workspace", "--no-deps"])
            .with("RUSTDOCFLAGS", "-D warnings"),
        Step::xtask(
            "doc-tests",
            &[
                "crates",
                "compile",
                "--doc-tests",
                "--package",
                "codegen/tests/sample.yaml",
                "codegen/tests/tricky",
                "codegen/tests/hostile",
            ],
        ),
    ];
    steps.push(Step::xtask("contract-change", &["contract-change"]));
    steps.push(Step::xtask(
        "release",
        &["release", "--follow-guides", "--without-bill"],
    ));
    let on_samples =
        |name, words: &[&'static str]| Step::xtask(name, &[words, &OWN_DOCUMENTS[..]].concat());
    steps.extend([
        on_samples("wire", &["wire"]),
        on_samples("round-trips", &["crates", "round-trips"]),
        Step::xtask("json-schema-suite", &["crates", "suite"]),
        Step::xtask("semver", &["crates", "semver"]),
        Step::xtask("side-by-side", &["bench", "side-by-side"]),
    ]);
    let fuzz = ["fuzz", "--minutes", "10"];
    let kills = ["bench", "kills", "--rounds", "40"];
    let races = ["bench", "races", "--rounds", "1000"];
    let database = ["--database", "$DATABASE_URL"];
    steps.extend([
        Step::xtask("fuzz", &fuzz),
        Step::xtask("kills", &kills),
        Step::xtask("kills-postgres", &[&kills[..], &database].concat()),
        Step::xtask("races", &races),
        Step::xtask("races-postgres", &[&races[..], &database].concat()),
        Step::xtask(
            "published-generate",
            &["crates", "published", CORPUS, WILD, WILD_LABELLED],
        ),
        Step::xtask(
            "published-crates",
            &["crates", "compile", "--resume", CORPUS, WILD, WILD_LABELLED],
        ),
        Step::xtask("published-wire", &["wire", CORPUS]),
        Step::xtask("published-round-trips", &["crates", "round-trips", CORPUS]),
        Step::xtask("program-chroma", &["real", "chroma", "--program"]),
        Step::xtask("program-wiremock", &["real", "wiremock", "--program"]),
        Step::xtask("real-chroma", &["real", "chroma"]),
        Step::xtask("real-wiremock", &["real", "wiremock"]),
        Step::xtask("real-jupyterhub", &["real", "jupyterhub"]),
        Step::xtask("real-unleash", &["real", "unleash"]),
        Step::xtask("real-directus", &["real", "directus"]),
    ]);
    steps
}

/// The missing prerequisite of a step. `None` when nothing is missing.
fn missing(step: &Step) -> Option<&'static prerequisites::Prerequisite> {
    let root = workspace::root();
    if step.name.starts_with("published") && !root.join(CORPUS).is_dir() {
        return Some(&prerequisites::PUBLISHED_DOCUMENTS);
    }
    let needs_database = step.name.ends_with("-postgres");
    (needs_database && std::env::var_os("DATABASE_URL").is_none())
        .then_some(&prerequisites::POSTGRES)
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut steps = steps();
    if !arguments.only.is_empty() {
        steps.retain(|step| arguments.only.iter().any(|name| name == step.name));
    }
    if arguments.list {
        for step in &steps {
            println!("{:22} {}", step.name, step.shown());
        }
        return Ok(ExitCode::SUCCESS);
    }
    require_prerequisites()?;
    let folder = workspace::root().join("target/nightly");
    let mut state = State::read(&folder, arguments.restart)?;
    let mut runner = Runner::new(&folder, state.outcomes.clone())?;
    for step in &steps {
        if state
            .outcomes
            .iter()
            .any(|outcome| outcome.name == step.name)
        {
            println!("\n— {}: passed before", step.name);
            continue;
        }
        match missing(step) {
            Some(missing) => runner.skip(step.name, missing.name),
            None => {
                runner.run(step)?;
            }
        }
        // A skipped step is tried again, because its prerequisite may be there next time.
        let passed = runner.outcomes().iter();
        let passed = passed.filter(|outcome| outcome.passed && outcome.wall > 0.0);
        state.outcomes = passed.cloned().collect();
        state.write(&folder)?;
    }
    runner.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// The steps that passed, and the sources on which they did.
#[derive(Serialize, Deserialize)]
struct State {
    /// The commit and the changes on top of it.
    sources: String,
    outcomes: Vec<Outcome>,
}

impl State {
    /// The state of an earlier run on the same sources.
    fn read(folder: &Path, restart: bool) -> anyhow::Result<Self> {
        let sources = sources()?;
        let known = std::fs::read(Self::path(folder)).ok();
        let known = known.and_then(|bytes| serde_json::from_slice::<Self>(&bytes).ok());
        Ok(known
            .filter(|state| !restart && state.sources == sources)
            .unwrap_or(Self {
                sources,
                outcomes: Vec::new(),
            }))
    }

    fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let path = Self::path(folder);
        std::fs::write(&path, serde_json::to_vec_pretty(self)?)
            .with_context(|| format!("failed to write {}", path.display()))
    }

    fn path(folder: &Path) -> PathBuf {
        folder.join("state.json")
    }
}

fn sources() -> anyhow::Result<String> {
    let mut all = String::new();
    for arguments in [&["rev-parse", "HEAD"][..], &["diff", "HEAD"]] {
        let output = Command::new("git")
            .args(arguments)
            .current_dir(workspace::root())
            .output()
            .context("git cannot be started")?;
        all.push_str(&String::from_utf8_lossy(&output.stdout));
    }
    Ok(all)
}
