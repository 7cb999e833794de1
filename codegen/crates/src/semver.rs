//! Changes of a small document: the gate and cargo-semver-checks must ask for the same version.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, bail, ensure};
use codegen::Options;
use codegen_crates::nested;
use codegen_crates::write::runtime_package;
use contract::crate_version;
use contract::release::Step;
use contract::rust_api::RustApi;
use openapi_document::loader;
use programs::{process, workspace};
use serde::Deserialize;

/// The release of cargo-semver-checks, which must read the JSON of this toolchain's rustdoc.
const RELEASE: &str = "0.51.0";
/// The crate that is generated again and again, because paths in the JSON begin with its name.
const CRATE: &str = "orders";

/// Compare the version that the gate demands of a generated crate with what cargo-semver-checks finds.
///
/// Exit code: 0 both say whether callers break, 1 they disagree.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder of the document and its changes.
    #[arg(default_value = "codegen/crates/semver", value_name = "DIR")]
    folder: PathBuf,
    /// Where the crates are written.
    #[arg(long, value_name = "DIR", default_value = "target/crates-semver")]
    out: PathBuf,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Changes {
    change: Vec<Change>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    what: String,
    from: String,
    to: String,
    /// Why cargo-semver-checks does not see that callers break.
    unseen: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let out = std::path::absolute(&arguments.out)?;
    let tool = install()?;
    let base = read(&arguments.folder.join("openapi.yaml"))?;
    let changes: Changes = toml::from_str(&read(&arguments.folder.join("changes.toml"))?)?;
    let before = Build::of(&base, &out, "base")?;
    println!("| change | gate | cargo-semver-checks | agree |");
    println!("|---|---|---|---|");
    let mut good = true;
    for (number, change) in changes.change.iter().enumerate() {
        let what = &change.what;
        let text = base.replacen(&change.from, &change.to, 1);
        ensure!(text != base, "the document does not change: {what}");
        let after = Build::of(&text, &out, &number.to_string())?;
        let gate = before.api.step(&after.api);
        let theirs = breaks(&tool, &before.rustdoc, &after.rustdoc)?;
        let agree = (gate == Step::Major) == theirs;
        let expected = agree != change.unseen.is_some();
        let shown = match (&change.unseen, expected) {
            (Some(reason), true) => format!("no: {reason}"),
            (_, true) => "yes".to_owned(),
            (_, false) => "**unexpected**".to_owned(),
        };
        let theirs = if theirs { "major" } else { "not major" };
        println!("| {what} | {} | {theirs} | {shown} |", gate.as_str());
        good &= expected;
    }
    Ok(if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The crate of one state of the document.
struct Build {
    /// What the gate compares.
    api: RustApi,
    /// What cargo-semver-checks compares.
    rustdoc: PathBuf,
}

impl Build {
    fn of(text: &str, out: &Path, name: &str) -> anyhow::Result<Self> {
        let document = loader::load_text("openapi.yaml", text)
            .map_err(|error| anyhow::anyhow!(error.render(false)))?;
        let member = out.join(CRATE);
        let options = Options {
            crate_name: CRATE.to_owned(),
            complete_crate: true,
            source_label: "openapi.yaml".to_owned(),
            runtime: runtime_package(),
            ..Options::default()
        };
        let output = codegen::generate(&document, &options)
            .map_err(|errors| anyhow::anyhow!(errors.render(&document.sources, false)))?;
        codegen::write(&output.files, &member)?;
        nested::adopt(&member)?;
        nested::write(out, std::iter::once(&*member))?;
        let mut cargo = nested::cargo(out);
        cargo.args(["rustdoc", "--quiet", "--offline", "--package", CRATE]);
        cargo.args(["--", "-Zunstable-options", "--output-format=json"]);
        // The JSON is not stable, and cargo-semver-checks asks for it in the same way.
        cargo.env("RUSTC_BOOTSTRAP", "1");
        ensure!(process::succeeds(&mut cargo)?, "rustdoc fails: {name}");
        let rustdoc = out.join(name).with_extension("json");
        let written = nested::target().join("doc").join(format!("{CRATE}.json"));
        fs::copy(&written, &rustdoc)
            .with_context(|| format!("rustdoc did not write {}", written.display()))?;
        let api = crate_version::api(&document).context("the gate generates no crate")?;
        Ok(Self { api, rustdoc })
    }
}

/// Whether cargo-semver-checks demands a major version.
fn breaks(tool: &Path, before: &Path, after: &Path) -> anyhow::Result<bool> {
    let mut check = Command::new(tool);
    check.args(["semver-checks", "check-release"]);
    check.arg("--baseline-rustdoc").arg(before);
    check.arg("--current-rustdoc").arg(after);
    let output = check.output().context("cargo-semver-checks cannot start")?;
    let text = String::from_utf8_lossy(&output.stderr);
    if text.contains("semver requires new major version") {
        return Ok(true);
    }
    if output.status.success() || text.contains("semver requires new minor version") {
        return Ok(false);
    }
    bail!("cargo-semver-checks fails: {text}")
}

/// Installs cargo-semver-checks, unless it is installed. Returns its path.
fn install() -> anyhow::Result<PathBuf> {
    let root = workspace::root().join("target/tools");
    let path = root.join("bin/cargo-semver-checks");
    if !path.exists() {
        let mut install = process::cargo();
        install.args(["install", "--quiet", "--locked", "--version", RELEASE]);
        install.arg("cargo-semver-checks").arg("--root").arg(&root);
        install.arg("--target-dir").arg(root.join("build"));
        process::run(&mut install)?;
    }
    Ok(path)
}

fn read(path: &Path) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| format!("failed to read {}", path.display()))
}
