//! `cargo xtask generate`: write the bindings of a document, or check that they are current.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use codegen::{Difference, File, Options, Output};
use spec::Document;

use crate::fingerprint::Fingerprint;
use crate::{lint, workspace};

/// Write the bindings of the contract, or of another document as a crate of its own.
///
/// Exit code: 0 done or current, 1 not current or the document has errors.
#[derive(clap::Args, Default)]
pub(crate) struct Arguments {
    /// The document, YAML or JSON; the contract where it is left out.
    #[arg(long, value_name = "FILE", requires = "out")]
    spec: Option<PathBuf>,
    /// The folder of the crate; generated/ where it is left out.
    #[arg(long, value_name = "DIR", requires = "spec")]
    out: Option<PathBuf>,
    /// Write a test, too, in which the client calls the server with every documented example.
    #[arg(long, requires = "spec")]
    pub(crate) round_trips: bool,
    /// Write nothing; fail where what is there is not what would be written.
    #[arg(long)]
    check: bool,
    /// Fail on parts of the document that cannot be expressed, which else are warnings.
    #[arg(long)]
    pub(crate) strict: bool,
    /// How the code is laid out; it is the same but for that.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) layout: Layout,
}

/// Who lays the code out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, clap::ValueEnum)]
pub(crate) enum Layout {
    /// rustfmt has the last word.
    #[default]
    Rustfmt,
    /// As it is printed, which is faster.
    Printed,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let target = match (&arguments.spec, &arguments.out) {
        (Some(spec), Some(out)) => Target::foreign(spec, out, arguments.round_trips),
        _ => Target::contract(),
    };
    let mut fingerprint = Fingerprint::of(&target, arguments);
    if arguments.check && fingerprint.is_known(&target) {
        println!("{}: current", target.folder.display());
        return Ok(ExitCode::SUCCESS);
    }
    let Some(made) = make(&target, arguments, &mut fingerprint)? else {
        return Ok(ExitCode::FAILURE);
    };
    if arguments.check {
        let outcome = check(&target, &made);
        if outcome == ExitCode::SUCCESS {
            fingerprint.keep(&target);
        }
        return Ok(outcome);
    }
    let mut written = codegen::write(&made.files, &target.folder)?.len();
    if let Some(page) = made.page.filter(|page| !is_current(&target.page, page)) {
        if let Some(folder) = target.page.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&target.page, page)?;
        written += 1;
    }
    let (all, folder) = (made.files.len(), target.folder.display());
    println!("{folder}: {all} files, {written} of them changed");
    fingerprint.keep(&target);
    Ok(ExitCode::SUCCESS)
}

/// Demands that the checked-in bindings are those of the contract.
pub(crate) fn check_contract() -> anyhow::Result<()> {
    let target = Target::contract();
    let arguments = Arguments::default();
    let mut fingerprint = Fingerprint::of(&target, &arguments);
    let current = make(&target, &arguments, &mut fingerprint)?.map(|made| check(&target, &made));
    anyhow::ensure!(
        current == Some(ExitCode::SUCCESS),
        "the generated code is not current"
    );
    Ok(())
}

/// Writes the crate of a document with the test of its examples; says how many examples are left
/// out of it. `None` where the document has errors, which are printed.
pub(crate) fn with_round_trips(spec: &Path, folder: &Path) -> anyhow::Result<Option<usize>> {
    let target = Target::foreign(spec, folder, true);
    let arguments = Arguments::default();
    let mut fingerprint = Fingerprint::of(&target, &arguments);
    let Some(made) = make(&target, &arguments, &mut fingerprint)? else {
        return Ok(None);
    };
    codegen::write(&made.files, folder)?;
    Ok(Some(made.left_out))
}

/// Writes the crate of a document as it is printed; whether that could be done.
pub(crate) fn as_printed(spec: &Path, folder: &Path) -> anyhow::Result<bool> {
    let target = Target::foreign(spec, folder, false);
    let arguments = Arguments {
        layout: Layout::Printed,
        ..Arguments::default()
    };
    let mut fingerprint = Fingerprint::of(&target, &arguments);
    let Some(made) = make(&target, &arguments, &mut fingerprint)? else {
        return Ok(false);
    };
    codegen::write(&made.files, folder)?;
    Ok(true)
}

/// What is generated from what.
pub(crate) struct Target {
    pub(crate) spec: PathBuf,
    pub(crate) folder: PathBuf,
    /// The page that tells people how the records behave.
    pub(crate) page: PathBuf,
    options: Options,
    /// What to type to bring it up to date.
    command: String,
}

impl Target {
    fn contract() -> Self {
        let options = Options {
            crate_name: "merchant-payments".to_owned(),
            complete_crate: false,
            round_trips: true,
            source_label: "spec/openapi.yaml".to_owned(),
            behaviour: None,
        };
        let folder = workspace::shown(&workspace::root().join("generated"));
        Self {
            spec: workspace::contract(),
            folder,
            page: workspace::shown(&workspace::root().join("docs/behaviour.md")),
            options,
            command: "cargo xtask generate".to_owned(),
        }
    }

    fn foreign(spec: &Path, folder: &Path, round_trips: bool) -> Self {
        let name = |path: &Path| {
            path.file_name()
                .map(|name| name.to_string_lossy().into_owned())
        };
        let options = Options {
            crate_name: name(folder).unwrap_or_else(|| "generated".to_owned()),
            complete_crate: true,
            round_trips,
            source_label: name(spec).unwrap_or_default(),
            behaviour: None,
        };
        let (from, to) = (spec.display(), folder.display());
        Self {
            spec: spec.to_owned(),
            folder: folder.to_owned(),
            page: folder.join("behaviour.md"),
            options,
            command: format!("cargo xtask generate --spec {from} --out {to}"),
        }
    }
}

/// What is made of a document.
struct Made {
    files: Vec<File>,
    /// The page on behaviour, where the document has any beside it.
    page: Option<String>,
    /// How many examples no type holds, or break their schema.
    left_out: usize,
}

/// What is made for a target; `None` where the document has errors, which are printed.
fn make(
    target: &Target,
    arguments: &Arguments,
    fingerprint: &mut Fingerprint,
) -> anyhow::Result<Option<Made>> {
    let document = match spec::loader::load(&target.spec) {
        Ok(document) => document,
        Err(error) => {
            lint::show(&error.diagnostics, &error.sources);
            return Ok(None);
        }
    };
    let Ok(behaviour) = lint::behaviour(&target.spec, &document) else {
        return Ok(None);
    };
    fingerprint.reads(&document, behaviour.as_ref());
    let page = behaviour.as_ref().map(codegen::page);
    let options = Options {
        behaviour,
        ..target.options.clone()
    };
    let Some(output) = generate(&document, &options) else {
        return Ok(None);
    };
    if arguments.strict && !output.diagnostics.is_empty() {
        return Ok(None);
    }
    let left_out = output.diagnostics.iter();
    let left_out = left_out.filter(|found| found.rule.starts_with("example-"));
    let left_out = left_out.count();
    let files = match arguments.layout {
        Layout::Rustfmt => codegen::format(output.files)?,
        Layout::Printed => output.files,
    };
    Ok(Some(Made {
        files,
        page,
        left_out,
    }))
}

fn generate(document: &Document, options: &Options) -> Option<Output> {
    match codegen::generate(document, options) {
        Ok(output) => {
            lint::show(&output.diagnostics, &document.sources);
            Some(output)
        }
        Err(diagnostics) => {
            lint::show(&diagnostics, &document.sources);
            None
        }
    }
}

/// Whether a file has this text.
fn is_current(path: &Path, text: &str) -> bool {
    fs::read(path).is_ok_and(|bytes| bytes == text.as_bytes())
}

fn check(target: &Target, made: &Made) -> ExitCode {
    let differences = codegen::check(&made.files, &target.folder);
    let page = made.page.as_ref();
    let stale = page.is_some_and(|page| !is_current(&target.page, page));
    if differences.is_empty() && !stale {
        println!("{}: current", target.folder.display());
        return ExitCode::SUCCESS;
    }
    for Difference { path, what } in &differences {
        eprintln!("{}: {what}", target.folder.join(path).display());
    }
    if stale {
        eprintln!("{}: missing or differs", target.page.display());
    }
    eprintln!(
        "error: the generated code is not that of {}",
        target.spec.display()
    );
    eprintln!("run `{}`, and commit what it writes", target.command);
    ExitCode::FAILURE
}
