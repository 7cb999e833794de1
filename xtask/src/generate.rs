//! `cargo xtask generate`: writes the bindings of a document, or checks that they are current.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use codegen::{Difference, Options, Runtime};
use contract::generate::{self, Flags, Generated};
use contract::input::{Input, Overlays};
use programs::workspace;

use crate::lint;

/// Write the bindings of the contract, or of another document as a separate crate.
///
/// Exit code: 0 done or current, 1 not current or the document has errors, 3 it cannot be read.
#[derive(clap::Args, Default)]
pub(crate) struct Arguments {
    /// The document, YAML or JSON; default: the contract.
    #[arg(long, value_name = "FILE", requires = "out")]
    spec: Option<PathBuf>,
    /// The folder of the crate; default: generated/.
    #[arg(long, value_name = "DIR", requires = "spec")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) flags: Flags,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let target = match (&arguments.spec, &arguments.out) {
        (Some(spec), Some(out)) => Target::foreign(spec, out, &arguments.flags),
        _ => Target::contract(),
    };
    let generated = match make(&target, arguments) {
        Ok(generated) => generated,
        Err(code) => return Ok(ExitCode::from(code)),
    };
    if arguments.flags.check {
        return Ok(check(&target, &generated));
    }
    let mut written = codegen::write(&generated.files, &target.folder)?.len();
    if let Some(page) = generated
        .page
        .filter(|page| !is_current(&target.page, page))
    {
        if let Some(folder) = target.page.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&target.page, page)?;
        written += 1;
    }
    let (all, folder) = (generated.files.len(), target.folder.display());
    println!("{folder}: {all} files, {written} of them changed");
    Ok(ExitCode::SUCCESS)
}

/// Requires that the checked-in bindings are those of the contract.
pub(crate) fn check_contract() -> anyhow::Result<()> {
    let target = Target::contract();
    let arguments = Arguments::default();
    let current = make(&target, &arguments).map(|generated| check(&target, &generated));
    anyhow::ensure!(
        current == Ok(ExitCode::SUCCESS),
        "the generated code is not current"
    );
    Ok(())
}

/// A document with the places of its generated files.
struct Target {
    spec: PathBuf,
    folder: PathBuf,
    /// The page that describes how the records behave.
    page: PathBuf,
    options: Options,
    /// The command that updates the files.
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
            command: String::new(),
            exact: false,
            runtime: Runtime::Package(None),
            ..Options::default()
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

    fn foreign(spec: &Path, folder: &Path, flags: &Flags) -> Self {
        let name = |path: &Path| {
            path.file_name()
                .map(|name| name.to_string_lossy().into_owned())
        };
        let options = Options {
            crate_name: name(folder).unwrap_or_else(|| "generated".to_owned()),
            complete_crate: true,
            round_trips: flags.round_trips,
            source_label: name(spec).unwrap_or_default(),
            behaviour: None,
            command: String::new(),
            exact: false,
            only: flags.only(),
            runtime: flags.runtime(),
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

/// Generates the files of a target. Returns the exit code when it fails, after printing the errors.
fn make(target: &Target, arguments: &Arguments) -> Result<Generated, u8> {
    let input = Input::Disk(target.spec.clone());
    lint::streams(|streams| {
        let overlays = Overlays::default();
        generate::make(
            &input,
            &overlays,
            target.options.clone(),
            &arguments.flags,
            streams,
        )
    })
}

/// Whether a file has this text.
fn is_current(path: &Path, text: &str) -> bool {
    fs::read(path).is_ok_and(|bytes| bytes == text.as_bytes())
}

fn check(target: &Target, generated: &Generated) -> ExitCode {
    let differences = codegen::check(&generated.files, &target.folder);
    let page = generated.page.as_ref();
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
