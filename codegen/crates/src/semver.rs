//! The gate's verdict on a generated crate beside that of `cargo semver-checks`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, ensure};
use codegen_crates::nested;
use codegen_crates::write::{runtime_package, write_with};
use contract::release::Step;
use contract::rust_api::RustApi;
use programs::process;

/// Generate a crate before and after each of ten changes of a document, and compare the version
/// step that the gate requires with the verdict of `cargo semver-checks`.
///
/// Exit code: 0 both agree on each change, 1 they do not.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Where crates are written, and the tool is installed unless it is there.
    #[arg(long, value_name = "DIR", default_value = "target/semver")]
    out: PathBuf,
}

const TOOL: &str = "cargo-semver-checks";
const VERSION: &str = "0.51.0";
const PACKAGE: &str = "things";

const DOCUMENT: &str = r"
openapi: 3.0.4
info: {title: Things, version: '1'}
paths:
  /things:
    get:
      operationId: listThings
      tags: [things]
      responses:
        '200':
          description: The things.
          content: {application/json: {schema: {$ref: '#/components/schemas/Things'}}}
    post:
      operationId: addThing
      tags: [things]
      parameters:
        - {name: dry, in: query, schema: {type: boolean}}
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewThing'}}}
      responses:
        '201':
          description: The thing.
          content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}
        '404': {description: There is none.}
        '409': {description: It exists.}
components:
  schemas:
    NewThing:
      type: object
      required: [name, kind]
      properties: {name: {type: string}, kind: {type: string}, note: {type: string}}
    Thing:
      type: object
      required: [id]
      properties: {id: {type: string}, state: {$ref: '#/components/schemas/State'}}
    Things: {type: object, required: [all], properties: {all: {type: array, items: {$ref: '#/components/schemas/Thing'}}}}
    State: {type: string, enum: [OPEN, SHUT]}
";

/// The changes: what is replaced, and by what.
const CHANGES: [(&str, &str, &str); 10] = [
    (
        "a property of an answer is new",
        "{id: {type: string},",
        "{id: {type: string}, at: {type: string},",
    ),
    (
        "a property of a request is new",
        "note: {type: string}",
        "note: {type: string}, by: {type: string}",
    ),
    ("a value is new", "[OPEN, SHUT]", "[OPEN, SHUT, LOST]"),
    (
        "a refusal is new",
        "'404': {",
        "'410': {description: It is gone.}\n        '404': {",
    ),
    (
        "a parameter is new",
        "- {name: dry",
        "- {name: wet, in: query, schema: {type: boolean}}\n        - {name: dry",
    ),
    ("a property is gone", ", note: {type: string}}", "}"),
    ("a value is gone", "[OPEN, SHUT]", "[OPEN]"),
    (
        "a refusal is gone",
        "        '409': {description: It exists.}\n",
        "",
    ),
    (
        "a parameter is required",
        "{name: dry, in: query",
        "{name: dry, required: true, in: query",
    ),
    ("an operation has another name", "addThing", "makeThing"),
];

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let out = std::path::absolute(&arguments.out)?;
    let tool = installed(&out)?;
    let (before, base) = described(DOCUMENT, &out, "before")?;
    println!("| change | the gate | {TOOL} |\n|---|---|---|");
    let mut good = true;
    for (what, from, to) in CHANGES {
        let changed = DOCUMENT.replacen(from, to, 1);
        ensure!(changed != DOCUMENT, "`{from}` is not in the document");
        let (after, revision) = described(&changed, &out, "after")?;
        let differences = before.differences(&after);
        let step = differences.iter().map(|difference| difference.step).max();
        let step = step.unwrap_or(Step::None);
        let breaks = is_breaking(&tool, &base, &revision)?;
        let agree = breaks == (step == Step::Major);
        let says = if breaks { "major" } else { "not major" };
        let mark = if agree { "" } else { ", **differs**" };
        println!("| {what} | {} | {says}{mark} |", step.as_str());
        good &= agree;
    }
    Ok(if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The tool, which is built once.
fn installed(out: &Path) -> anyhow::Result<PathBuf> {
    let root = out.join("tool");
    let path = root.join("bin").join(TOOL);
    if !path.exists() {
        let mut install = process::cargo();
        install.args(["install", "--quiet", "--locked", TOOL, "--version", VERSION]);
        install.arg("--root").arg(&root);
        process::run(install.arg("--target-dir").arg(out.join("build")))?;
    }
    Ok(path)
}

/// Generates the crate of a document. Gives its public names as the gate reads them, and the file in
/// which rustdoc describes them.
fn described(document: &str, out: &Path, name: &str) -> anyhow::Result<(RustApi, PathBuf)> {
    let spec = out.join(format!("{name}.yaml"));
    fs::create_dir_all(out)?;
    fs::write(&spec, document)?;
    let folder = out.join("crates").join(PACKAGE);
    let written = write_with(&spec, &folder, false, runtime_package())?;
    written.context("the document has errors")?;
    let api = RustApi::of(&sources(&folder)?);
    nested::adopt(&folder)?;
    nested::write(&out.join("crates"), std::iter::once(&*folder))?;
    let mut rustdoc = nested::cargo(&out.join("crates"));
    rustdoc.args(["rustdoc", "--quiet", "--offline", "--package", PACKAGE]);
    rustdoc.args(["--", "-Zunstable-options", "--output-format", "json"]);
    rustdoc.args(["--document-hidden-items", "--cap-lints", "allow"]);
    // The format is unstable, and the tool reads that of the installed compiler.
    rustdoc.env("RUSTC_BOOTSTRAP", "1");
    let status = rustdoc.status().context("cargo cannot be started")?;
    ensure!(status.success(), "rustdoc cannot describe the crate");
    let described = out.join(format!("{name}.json"));
    fs::copy(
        nested::target().join("doc").join(format!("{PACKAGE}.json")),
        &described,
    )?;
    Ok((api, described))
}

/// The files of a crate, with their paths in it.
fn sources(folder: &Path) -> anyhow::Result<Vec<codegen::File>> {
    let mut files = Vec::new();
    let mut open = vec![folder.join("src")];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else {
                files.push(codegen::File {
                    text: fs::read_to_string(&path)?,
                    path: path.strip_prefix(folder)?.to_owned(),
                });
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// Whether the tool finds that the change needs more than a minor release.
fn is_breaking(tool: &Path, base: &Path, revision: &Path) -> anyhow::Result<bool> {
    let mut command = Command::new(tool);
    command.args(["semver-checks", "check-release", "--release-type", "minor"]);
    command.arg("--baseline-rustdoc").arg(base);
    command.arg("--current-rustdoc").arg(revision);
    let output = command.output().context("the tool cannot be started")?;
    let text = String::from_utf8_lossy(&output.stderr);
    let said = String::from_utf8_lossy(&output.stdout);
    let judged = text.contains("Checked");
    ensure!(judged, "the tool gives no verdict: {text}{said}");
    Ok(!output.status.success())
}
