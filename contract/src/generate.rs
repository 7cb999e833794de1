//! `contract generate`: the crate of a document, as the generator makes it.

use std::path::{Path, PathBuf};

use codegen::{File, Options, Side};
use openapi_document::{Behaviour, Diagnostics, Severity, SourceMap};

use crate::input::{Input, Overlays};
use crate::streams::{CANNOT, Streams};

/// The words of `contract generate`.
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
    words: Words,
}

/// How to generate, whatever it is from.
#[derive(Debug, Default, clap::Args)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a word of the command line"
)]
pub struct Words {
    /// Write a test, too, in which the client calls the server with every documented example.
    #[arg(long)]
    pub round_trips: bool,
    /// Write nothing; fail where what is there is not what would be written.
    #[arg(long)]
    pub check: bool,
    /// Fail on parts of the document that cannot be expressed, which else are warnings.
    #[arg(long)]
    pub strict: bool,
    /// Take and keep every value that the schemas allow by the letter: undeclared properties are kept, and a schema
    /// without `type` takes values of every type.
    #[arg(long)]
    pub exact: bool,
    /// Write a client or a server only.
    #[arg(long, value_enum, value_name = "SIDE")]
    pub only: Option<Only>,
    /// Leave the code as it is printed, which is faster; else `rustfmt` has the last word.
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

/// Done, or current.
const DONE: u8 = 0;
/// The document has errors, or what is there is not current.
const NOT: u8 = 1;

/// What is made of a document.
#[derive(Debug)]
pub struct Made {
    /// The files of the crate.
    pub files: Vec<File>,
    /// The page that tells people how the records behave, where a behaviour stands beside the document.
    pub page: Option<String>,
    /// How many examples no type holds, or break their schema.
    pub left_out: usize,
}

/// `contract generate`.
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
        &arguments.words,
        streams,
    ) {
        Ok(made) if arguments.words.check => check(&made.files, arguments, streams),
        Ok(Made { files, .. }) => match codegen::write(&files, &arguments.out) {
            Ok(touched) => {
                let (all, changed) = (files.len(), touched.len());
                let folder = arguments.out.display();
                let said = format!("{folder}: {all} files, {changed} of them changed");
                let _ = writeln!(streams.out, "{said}");
                DONE
            }
            Err(error) => cannot(&format!("failed to write: {error}"), streams),
        },
        Err(code) => code,
    }
}

/// Makes the crate of a document that overlays have changed, with the behaviour that stands beside it. What is wrong is told.
///
/// # Errors
/// The document cannot be read, has errors, or holds what cannot be expressed and must be: the exit code.
pub fn make(
    input: &Input,
    overlays: &Overlays,
    options: Options,
    words: &Words,
    streams: &mut Streams<'_>,
) -> Result<Made, u8> {
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
    if words.strict && found.any(|own| own.severity > Severity::Info) {
        return Err(NOT);
    }
    let found = output.diagnostics.iter();
    let left_out = found.filter(|own| own.rule.starts_with("example-")).count();
    let files = if words.unformatted {
        output.files
    } else {
        codegen::format(output.files)
            .map_err(|error| cannot(&format!("{error}; --unformatted does without"), streams))?
    };
    Ok(Made {
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
        round_trips: arguments.words.round_trips,
        source_label: name(Path::new(document)).unwrap_or_default(),
        behaviour: None,
        command: "contract generate".to_owned(),
        exact: arguments.words.exact,
        only: arguments.words.only.map(|only| match only {
            Only::Client => Side::Client,
            Only::Server => Side::Server,
        }),
        ..Options::default()
    }
}

/// The behaviour that stands beside a document, where there is any, free of errors.
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
        "error: the generated code is not that of {document}\nrun `contract generate {document} --out {folder}`",
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

fn cannot(said: &str, streams: &mut Streams<'_>) -> u8 {
    let _ = writeln!(streams.err, "error: {said}");
    CANNOT
}
