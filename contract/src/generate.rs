//! `contract generate`: writes the crate of a document.

use std::path::{Path, PathBuf};

use codegen::{File, Options, Runtime, Side};
use openapi_document::{Behaviour, Diagnostics, Severity, SourceMap};

use crate::input::{Input, Overlays};
use crate::streams::{CANNOT, Streams};

/// The arguments of `contract generate`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The document: a file, or REVISION:FILE.
    document: String,
    /// The folder of the crate.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    overlays: Overlays,
    #[command(flatten)]
    flags: Flags,
}

/// The options of the generator.
#[derive(Debug, Default, clap::Args)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub struct Flags {
    /// Also write a test in which the client calls the server with every documented example.
    #[arg(long)]
    pub round_trips: bool,
    /// Write nothing; fail if the existing files differ from the generated ones.
    #[arg(long)]
    pub check: bool,
    /// Fail on parts of the document that Rust cannot express, instead of warning.
    #[arg(long)]
    pub strict: bool,
    /// Accept and keep every value that the schemas formally allow: undeclared properties are kept,
    /// and a schema without `type` accepts values of every type.
    #[arg(long)]
    pub exact: bool,
    /// Write a client or a server only.
    #[arg(long, value_enum, value_name = "SIDE")]
    pub only: Option<Only>,
    /// How the crate gets its support code.
    #[arg(long, value_enum, value_name = "HOW", default_value = "copy")]
    pub runtime: Source,
    /// The folder of that package, instead of the published one; implies `--runtime crate`.
    #[arg(long, value_name = "DIR")]
    pub runtime_path: Option<PathBuf>,
    /// Do not run `rustfmt` on the code, which is faster.
    #[arg(long)]
    pub unformatted: bool,
}

/// A side of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Only {
    /// A typed client.
    Client,
    /// Stubs of a server.
    Server,
}

/// The source of the support code of a crate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Source {
    /// A copy of the parts that the crate needs.
    #[default]
    Copy,
    /// A dependency on the package `openapi-generate-runtime`.
    Crate,
}

impl Flags {
    /// The side that the crate is of.
    pub fn only(&self) -> Option<Side> {
        self.only.map(|only| match only {
            Only::Client => Side::Client,
            Only::Server => Side::Server,
        })
    }

    /// How the crate gets its support code.
    pub fn runtime(&self) -> Runtime {
        let folder = self.runtime_path.as_ref();
        match (self.runtime, folder) {
            (Source::Copy, None) => Runtime::Copied,
            (_, folder) => Runtime::Package(folder.map(|path| path.display().to_string())),
        }
    }
}

/// Exit code: the files were written, or are current.
const DONE: u8 = 0;
/// Exit code: the document has errors, or the files are not current.
const NOT: u8 = 1;

/// The generated crate of a document.
#[derive(Debug)]
pub struct Generated {
    /// The files of the crate.
    pub files: Vec<File>,
    /// The page about the behaviour of the records; `None` without a behaviour file.
    pub page: Option<String>,
    /// The number of examples that fit no type or violate their schema.
    pub left_out: usize,
}

/// Runs `contract generate`.
pub fn generate(arguments: &Arguments, streams: &mut Streams<'_>) -> u8 {
    let input = match Input::parse(&arguments.document) {
        Ok(input) => input,
        Err(error) => return cannot(&format!("{error}; {}", error.help), streams),
    };
    let overlays = &arguments.overlays;
    match make(
        &input,
        overlays,
        options(arguments),
        &arguments.flags,
        streams,
    ) {
        Ok(generated) if arguments.flags.check => check(&generated.files, arguments, streams),
        Ok(Generated { files, .. }) => match codegen::write(&files, &arguments.out) {
            Ok(touched) => {
                let (all, changed) = (files.len(), touched.len());
                let folder = arguments.out.display();
                let message = format!("{folder}: {all} files, {changed} changed");
                let _ = writeln!(streams.out, "{message}");
                DONE
            }
            Err(error) => cannot(&format!("failed to write: {error}"), streams),
        },
        Err(code) => code,
    }
}

/// Generates the crate of a document after applying overlays, with its behaviour file. Problems are
/// written to the error stream.
///
/// # Errors
/// The exit code, if the document cannot be read or has errors, or if strict mode finds parts that
/// Rust cannot express.
pub fn make(
    input: &Input,
    overlays: &Overlays,
    options: Options,
    flags: &Flags,
    streams: &mut Streams<'_>,
) -> Result<Generated, u8> {
    let document = input.load(overlays).map_err(|error| {
        tell(&error.diagnostics, &error.sources, streams);
        CANNOT
    })?;
    let behaviour = match input.on_disk().map(|path| behaviour(path, &document)) {
        None => None,
        Some(Ok(behaviour)) => behaviour,
        Some(Err(error)) => {
            tell(&error.diagnostics, &error.sources, streams);
            return Err(NOT);
        }
    };
    let page = behaviour.as_ref().map(codegen::page);
    let options = Options {
        behaviour,
        ..options
    };
    let output = codegen::generate(&document, &options).map_err(|errors| {
        tell(&errors, &document.sources, streams);
        NOT
    })?;
    tell(&output.diagnostics, &document.sources, streams);
    let mut found = output.diagnostics.iter();
    if flags.strict && found.any(|diagnostic| diagnostic.severity > Severity::Info) {
        return Err(NOT);
    }
    let found = output.diagnostics.iter();
    let left_out = found
        .filter(|finding| finding.rule.starts_with("example-"))
        .count();
    let files = if flags.unformatted {
        output.files
    } else {
        codegen::format(output.files)
            .map_err(|error| cannot(&format!("{error}; use --unformatted to skip it"), streams))?
    };
    Ok(Generated {
        files,
        page,
        left_out,
    })
}

fn options(arguments: &Arguments) -> Options {
    let name = |path: &Path| {
        let name = path.file_name();
        name.map(|name| name.to_string_lossy().into_owned())
    };
    let document = arguments.document.rsplit(':').next().unwrap_or_default();
    Options {
        crate_name: name(&arguments.out).unwrap_or_else(|| "generated".to_owned()),
        complete_crate: true,
        round_trips: arguments.flags.round_trips,
        source_label: name(Path::new(document)).unwrap_or_default(),
        behaviour: None,
        command: "contract generate".to_owned(),
        exact: arguments.flags.exact,
        only: arguments.flags.only(),
        runtime: arguments.flags.runtime(),
    }
}

/// The behaviour file of a document, if there is one without errors.
fn behaviour(
    path: &Path,
    document: &openapi_document::Document,
) -> Result<Option<Behaviour>, openapi_document::loader::LoadError> {
    let Some(file) = openapi_document::behaviour::beside(path) else {
        return Ok(None);
    };
    let behaviour = openapi_document::behaviour::load(&file)?;
    let diagnostics = openapi_lint::lint_behaviour(document, &behaviour);
    if diagnostics.has_errors() {
        return Err(openapi_document::loader::LoadError {
            sources: behaviour.sources,
            diagnostics,
        });
    }
    Ok(Some(behaviour))
}

fn check(files: &[File], arguments: &Arguments, streams: &mut Streams<'_>) -> u8 {
    let differences = codegen::check(files, &arguments.out);
    let folder = arguments.out.display();
    if differences.is_empty() {
        let _ = writeln!(streams.out, "{folder}: current");
        return DONE;
    }
    for difference in differences {
        let _ = writeln!(streams.err, "{folder}/{difference}");
    }
    let _ = writeln!(
        streams.err,
        "error: the generated code does not match {document}\nrun `contract generate {document} --out {folder}`",
        document = arguments.document
    );
    NOT
}

fn tell(diagnostics: &Diagnostics, sources: &SourceMap, streams: &mut Streams<'_>) {
    if !diagnostics.is_empty() {
        let text = diagnostics.render(sources, false);
        let _ = streams.err.write_all(text.as_bytes());
    }
}

fn cannot(message: &str, streams: &mut Streams<'_>) -> u8 {
    let _ = writeln!(streams.err, "error: {message}");
    CANNOT
}
