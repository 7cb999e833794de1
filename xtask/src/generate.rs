//! `cargo xtask generate`: write the bindings of a document, or check that they are current.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use codegen::{Difference, File, Options, Output};
use spec::Document;

use crate::{lint, workspace};

/// Write the bindings of the contract, or of another document as a crate of its own.
///
/// Exit code: 0 done or current, 1 not current or the document has errors.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The document, YAML or JSON; the contract where it is left out.
    #[arg(long, value_name = "FILE", requires = "out")]
    spec: Option<PathBuf>,
    /// The folder of the crate; generated/ where it is left out.
    #[arg(long, value_name = "DIR", requires = "spec")]
    out: Option<PathBuf>,
    /// Write nothing; fail where what is there is not what would be written.
    #[arg(long)]
    check: bool,
    /// Fail on parts of the document that cannot be expressed, which else are warnings.
    #[arg(long)]
    strict: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let target = match (&arguments.spec, &arguments.out) {
        (Some(spec), Some(out)) => Target::foreign(spec, out),
        _ => Target::contract(),
    };
    let Some(files) = files(&target, arguments.strict)? else {
        return Ok(ExitCode::FAILURE);
    };
    if arguments.check {
        return Ok(check(&target, &files));
    }
    let written = codegen::write(&files, &target.folder)?;
    let (all, folder) = (files.len(), target.folder.display());
    println!("{folder}: {all} files, {} of them changed", written.len());
    Ok(ExitCode::SUCCESS)
}

/// Demands that the checked-in bindings are those of the contract.
pub(crate) fn check_contract() -> anyhow::Result<()> {
    let target = Target::contract();
    let current = files(&target, false)?.map(|files| check(&target, &files));
    anyhow::ensure!(
        current == Some(ExitCode::SUCCESS),
        "the generated code is not current"
    );
    Ok(())
}

/// What is generated from what.
struct Target {
    spec: PathBuf,
    folder: PathBuf,
    options: Options,
    /// What to type to bring it up to date.
    command: String,
}

impl Target {
    fn contract() -> Self {
        let options = Options {
            crate_name: "merchant-payments".to_owned(),
            complete_crate: false,
            source_label: "spec/openapi.yaml".to_owned(),
        };
        let folder = workspace::shown(&workspace::root().join("generated"));
        Self {
            spec: workspace::contract(),
            folder,
            options,
            command: "cargo xtask generate".to_owned(),
        }
    }

    fn foreign(spec: &Path, folder: &Path) -> Self {
        let name = |path: &Path| {
            path.file_name()
                .map(|name| name.to_string_lossy().into_owned())
        };
        let options = Options {
            crate_name: name(folder).unwrap_or_else(|| "generated".to_owned()),
            complete_crate: true,
            source_label: name(spec).unwrap_or_default(),
        };
        let (from, to) = (spec.display(), folder.display());
        Self {
            spec: spec.to_owned(),
            folder: folder.to_owned(),
            options,
            command: format!("cargo xtask generate --spec {from} --out {to}"),
        }
    }
}

/// The files of a target; `None` where the document has errors, which are printed.
fn files(target: &Target, strict: bool) -> anyhow::Result<Option<Vec<File>>> {
    let document = match spec::loader::load(&target.spec) {
        Ok(document) => document,
        Err(error) => {
            lint::show(&error.diagnostics, &error.sources);
            return Ok(None);
        }
    };
    let Some(output) = generate(&document, &target.options) else {
        return Ok(None);
    };
    if strict && !output.diagnostics.is_empty() {
        return Ok(None);
    }
    Ok(Some(codegen::format(output.files)?))
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

fn check(target: &Target, files: &[File]) -> ExitCode {
    let differences = codegen::check(files, &target.folder);
    if differences.is_empty() {
        println!("{}: current", target.folder.display());
        return ExitCode::SUCCESS;
    }
    for Difference { path, what } in &differences {
        eprintln!("{}: {what}", target.folder.join(path).display());
    }
    eprintln!(
        "error: the generated code is not that of {}",
        target.spec.display()
    );
    eprintln!("run `{}`, and commit what it writes", target.command);
    ExitCode::FAILURE
}
