//! The crate of each document compiles without a warning, and stands alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

use anyhow::{Context, ensure};
use codegen::Runtime;
use codegen_crates::nested;
use codegen_crates::write::{runtime_package, write_with};
use programs::{process, workspace};

use crate::ledger::{self, Ledger};

/// Generate a crate for each document, and demand that it compiles with all features and without a warning.
///
/// Exit code: 0 all do, 1 some do not.
#[derive(clap::Args)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an option of the command"
)]
pub(crate) struct Arguments {
    /// The documents, YAML or JSON; of a folder all that it holds.
    #[arg(required = true, value_name = "FILE|DIR")]
    documents: Vec<PathBuf>,
    /// Where the crates are written.
    #[arg(long, value_name = "DIR", default_value = "target/crates")]
    out: PathBuf,
    /// Compile the tests of the examples, too.
    #[arg(long)]
    tests: bool,
    /// Compile each area alone, too.
    #[arg(long)]
    areas: bool,
    /// Run the examples in the documentation, too.
    #[arg(long)]
    doc_tests: bool,
    /// Package each crate, and demand that its documentation has no warning, too.
    #[arg(long)]
    package: bool,
    /// Let the crates depend on the package of the runtime, instead of copying it.
    #[arg(long)]
    runtime_crate: bool,
    /// Compile one crate after the other, and keep nothing that was built. A run that was stopped goes
    /// on where it was: a crate that compiled and is the same is passed over.
    #[arg(long)]
    resume: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let out = std::path::absolute(&arguments.out)?;
    if arguments.resume {
        return resume(arguments, &out);
    }
    let mut written = Vec::new();
    for document in workspace::documents(&arguments.documents)? {
        written.push(Crate::write(&document, &out, arguments)?);
    }
    ensure!(!written.is_empty(), "there are no documents");
    nested::write(&out, written.iter().map(|own| &*own.member))?;
    println!("| document | lines | compiles | its own workspace |");
    println!("|---|---|---|---|");
    let mut good = true;
    let all_compile = check_all(arguments, &out)?;
    for own in &written {
        let complaints = own.complaints(arguments, &out, all_compile)?;
        let compiles = match complaints {
            0 => "without a warning".to_owned(),
            count => format!("**no**: {count} warnings and errors"),
        };
        let alone = if own.alone { "yes" } else { "**no**" };
        println!("| {} | {} | {compiles} | {alone} |", own.name, own.lines);
        good &= complaints == 0 && own.alone;
    }
    Ok(if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Compiles one crate after the other.
fn resume(arguments: &Arguments, out: &Path) -> anyhow::Result<ExitCode> {
    fs::create_dir_all(out)?;
    let mut ledger = Ledger::read(out);
    let documents = workspace::documents(&arguments.documents)?;
    let (mut good, mut known) = (0, 0);
    for document in &documents {
        let own = match Crate::write(document, out, arguments) {
            Ok(own) => own,
            Err(error) => {
                println!("{}: {error:#}", document.display());
                continue;
            }
        };
        let print = ledger::print(&own.member)?;
        if ledger.has(&own.name, print) {
            known += 1;
            continue;
        }
        nested::write(out, std::iter::once(&*own.member))?;
        let complaints = own.complaints(arguments, out, false)?;
        clean(&own.name, out)?;
        println!("{}: {} lines, {complaints} complaints", own.name, own.lines);
        if complaints == 0 && own.alone {
            good += 1;
            ledger.note(&own.name, print)?;
        }
    }
    let count = documents.len();
    println!(
        "{} of {count} compile without a warning, {known} of them before",
        good + known
    );
    Ok(if good + known == count {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Removes what was built of a crate: that of hundreds would fill a disk.
fn clean(name: &str, out: &Path) -> anyhow::Result<()> {
    let mut cargo = nested::cargo(out);
    cargo.args(["clean", "--quiet", "--offline", "--package", name]);
    let output = output(&mut cargo)?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "cargo clean: {errors}");
    Ok(())
}

/// The crate of a document.
struct Crate {
    name: String,
    member: PathBuf,
    lines: usize,
    /// Whether cargo takes it for a workspace, as it was generated.
    alone: bool,
    areas: Vec<String>,
}

impl Crate {
    /// Writes it as a member of the workspace in a folder.
    fn write(document: &Path, out: &Path, arguments: &Arguments) -> anyhow::Result<Self> {
        let folder = nested::member(document, out)?;
        let written = write_with(document, &folder, arguments.tests, arguments.runtime())?;
        ensure!(written.is_some(), "{} has errors", document.display());
        let path = folder.join("Cargo.toml");
        let manifest = fs::read_to_string(&path)?;
        let alone = workspace_of(&folder)? == folder.canonicalize()?;
        nested::adopt(&folder)?;
        let areas = manifest.lines().filter(|line| line.starts_with("area-"));
        let areas = areas.filter_map(|line| line.split(' ').next());
        Ok(Self {
            lines: workspace::lines(&folder.join("src"))?,
            areas: areas.map(str::to_owned).collect(),
            name: workspace::package(&folder)?,
            member: folder,
            alone,
        })
    }

    /// How many warnings and errors the compiler has.
    fn complaints(
        &self,
        arguments: &Arguments,
        out: &Path,
        all_compile: bool,
    ) -> anyhow::Result<usize> {
        let targets = arguments.targets();
        let check = |features: &[&str]| {
            let mut cargo = nested::cargo(out);
            cargo.args(["check", "--quiet", "--offline"]);
            cargo.args(nested::packages(&self.name)).args(targets);
            count(cargo.args(features))
        };
        let mut complaints = 0;
        if !all_compile {
            complaints += check(&["--all-features"])?;
        }
        for area in self.areas.iter().filter(|_| arguments.areas) {
            let features = format!("{0}/client,{0}/server,{0}/{area}", self.name);
            complaints += check(&["--no-default-features", "--features", &features])?;
        }
        if arguments.package {
            let mut cargo = nested::cargo(out);
            cargo.args([
                "package",
                "--quiet",
                "--offline",
                "--allow-dirty",
                "--no-verify",
            ]);
            complaints += count(cargo.args(["--package", &self.name]))?;
            let mut cargo = nested::cargo(out);
            cargo.args(["doc", "--quiet", "--offline", "--no-deps", "--all-features"]);
            complaints += count(cargo.args(["--package", &self.name]))?;
        }
        if arguments.doc_tests {
            let mut cargo = nested::cargo(out);
            cargo.args(["test", "--quiet", "--offline", "--doc", "--all-features"]);
            complaints += count(cargo.args(nested::packages(&self.name)))?;
        }
        Ok(complaints)
    }
}

impl Arguments {
    fn runtime(&self) -> Runtime {
        if !self.runtime_crate {
            return Runtime::Copied;
        }
        runtime_package()
    }

    fn targets(&self) -> &'static [&'static str] {
        if self.tests { &["--all-targets"] } else { &[] }
    }
}

/// Whether all compile without a warning, which is quicker to say of all at once than of each.
fn check_all(arguments: &Arguments, out: &Path) -> anyhow::Result<bool> {
    let mut cargo = nested::cargo(out);
    cargo.args(["check", "--quiet", "--offline", "--workspace"]);
    cargo.arg("--all-features").args(arguments.targets());
    let output = output(&mut cargo)?;
    Ok(output.status.success() && output.stderr.is_empty())
}

/// The warnings and errors of a cargo command, which are shown.
fn count(cargo: &mut Command) -> anyhow::Result<usize> {
    let output = output(cargo)?;
    let errors = String::from_utf8_lossy(&output.stderr);
    eprint!("{errors}");
    if !output.status.success() {
        eprint!("{}", String::from_utf8_lossy(&output.stdout));
    }
    let complaints = errors
        .lines()
        .filter(|line| line.starts_with("warning") || line.starts_with("error"));
    Ok(complaints
        .count()
        .max(usize::from(!output.status.success())))
}

/// The folder of the workspace that cargo finds for a crate.
fn workspace_of(folder: &Path) -> anyhow::Result<PathBuf> {
    let mut cargo = process::cargo();
    cargo.args(["locate-project", "--workspace", "--message-format", "plain"]);
    let output = output(cargo.current_dir(folder))?;
    ensure!(output.status.success(), "cargo finds no workspace");
    let manifest = PathBuf::from(String::from_utf8(output.stdout)?.trim());
    let found = manifest.parent().context("a manifest lies in a folder")?;
    Ok(found.canonicalize()?)
}

fn output(cargo: &mut Command) -> anyhow::Result<Output> {
    cargo.output().context("cargo cannot be started")
}
