//! `contract generate`: the crate of a document, as the generator makes it.

use std::path::{Path, PathBuf};

use codegen::{File, Options};
use spec::{Behaviour, Diagnostics, SourceMap};

use crate::input::Input;
use crate::run::{CANNOT, Streams};

/// The words of `generate`.
#[derive(Debug, clap::Args)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a word of the command line"
)]
pub struct Arguments {
    /// The document: a file, or REVISION:FILE.
    document: String,
    /// The folder of the crate.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Write a test, too, in which the client calls the server with every documented example.
    #[arg(long)]
    round_trips: bool,
    /// Write nothing; fail where what is there is not what would be written.
    #[arg(long)]
    check: bool,
    /// Fail on parts of the document that cannot be expressed, which else are warnings.
    #[arg(long)]
    strict: bool,
    /// Leave the code as it is printed; else `rustfmt` has the last word.
    #[arg(long)]
    unformatted: bool,
}

/// Done, or current.
const DONE: u8 = 0;
/// The document has errors, or what is there is not current.
const NOT: u8 = 1;

/// `contract generate`.
pub fn generate(arguments: &Arguments, streams: &mut Streams<'_>) -> u8 {
    match made(arguments, streams) {
        Ok(files) if arguments.check => check(&files, arguments, streams),
        Ok(files) => match codegen::write(&files, &arguments.out) {
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

/// The files of the crate; else the exit code, and what is wrong is told.
fn made(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Vec<File>, u8> {
    let input = Input::parse(&arguments.document)
        .map_err(|error| cannot(&format!("{error}; {}", error.help), streams))?;
    let document = input.load().map_err(|error| {
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
    let options = options(arguments, behaviour);
    let output = codegen::generate(&document, &options).map_err(|errors| {
        tell(&errors, &document.sources, streams);
        NOT
    })?;
    tell(&output.diagnostics, &document.sources, streams);
    if arguments.strict && !output.diagnostics.is_empty() {
        return Err(NOT);
    }
    if arguments.unformatted {
        return Ok(output.files);
    }
    codegen::format(output.files)
        .map_err(|error| cannot(&format!("{error}; --unformatted does without"), streams))
}

fn options(arguments: &Arguments, behaviour: Option<Behaviour>) -> Options {
    let name = |path: &Path| {
        let name = path.file_name();
        name.map(|name| name.to_string_lossy().into_owned())
    };
    let document = arguments.document.rsplit(':').next().unwrap_or_default();
    Options {
        crate_name: name(&arguments.out).unwrap_or_else(|| "generated".to_owned()),
        complete_crate: true,
        round_trips: arguments.round_trips,
        source_label: name(Path::new(document)).unwrap_or_default(),
        behaviour,
    }
}

/// The behaviour that stands beside a document, where there is any, free of errors.
fn behaviour(
    path: &Path,
    document: &spec::Document,
) -> Result<Option<Behaviour>, spec::loader::LoadError> {
    let Some(file) = spec::behaviour::beside(path) else {
        return Ok(None);
    };
    let behaviour = spec::behaviour::load(&file)?;
    let diagnostics = spec::lint::lint_behaviour(document, &behaviour);
    if diagnostics.has_errors() {
        return Err(spec::loader::LoadError {
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
    let text = diagnostics.render(sources, false);
    let _ = streams.err.write_all(text.as_bytes());
}

fn cannot(said: &str, streams: &mut Streams<'_>) -> u8 {
    let _ = writeln!(streams.err, "error: {said}");
    CANNOT
}
