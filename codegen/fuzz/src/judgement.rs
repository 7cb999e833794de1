//! What is wrong with the generator's answer to a document.

use std::fmt;

use codegen::{Options, Output, Runtime};
use fastrand::Rng;
use openapi_document::{Diagnostics, Document, SourceMap};

use crate::{declarations, overlay, tree};

/// What the generator answered, where nothing is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// It said what is wrong with the document.
    Refused,
    /// It made a crate.
    Generated,
}

/// What is wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// In a word that stays the same when the document is made smaller.
    pub kind: &'static str,
    /// In particular.
    pub detail: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.detail)
    }
}

/// What a crate is made with.
pub fn options() -> Options {
    Options {
        crate_name: "fuzzed".to_owned(),
        complete_crate: true,
        round_trips: true,
        source_label: "fuzzed.yaml".to_owned(),
        behaviour: None,
        command: String::new(),
        exact: false,
        runtime: Runtime::Package(None),
        ..Options::default()
    }
}

/// Gives a document to the generator: it has to be refused with an error that has a place, or become
/// Rust without names declared twice, the same whatever the order of the document's keys.
///
/// Panics of the generator are passed on.
///
/// # Errors
/// What is wrong with the answer.
pub fn judge(text: &str) -> Result<Answer, Finding> {
    let document = match openapi_document::loader::load_text("fuzzed.yaml", text) {
        Ok(document) => document,
        Err(error) => return refused(&error.diagnostics, &error.sources),
    };
    let document = match overlay::applied(&document) {
        None => document,
        Some(Ok(changed)) => changed,
        Some(Err(error)) => return refused(&error.diagnostics, &error.sources),
    };
    let output = match codegen::generate(&document, &options()) {
        Ok(output) => output,
        Err(diagnostics) => return refused(&diagnostics, &document.sources),
    };
    output.diagnostics.render(&document.sources, false);
    check_places(&output.diagnostics)?;
    for (path, text) in rust(&output) {
        let file = syn::parse_file(text).map_err(|error| Finding {
            kind: "does not parse",
            detail: format!("{path}: {error}"),
        })?;
        if let Some(line) = text.lines().find(|line| line.contains("compile_error!")) {
            return Err(Finding {
                kind: "does not parse",
                detail: format!("{path}: {line}"),
            });
        }
        if let Some(name) = declarations::repeated(&file).first() {
            return Err(Finding {
                kind: "declared twice",
                detail: format!("{name}, {path}"),
            });
        }
    }
    same_in_any_order(&document, &output)?;
    Ok(Answer::Generated)
}

fn refused(diagnostics: &Diagnostics, sources: &SourceMap) -> Result<Answer, Finding> {
    let rendered = diagnostics.render(sources, false);
    if !diagnostics.has_errors() {
        return Err(Finding {
            kind: "refused without an error",
            detail: rendered,
        });
    }
    check_places(diagnostics)?;
    Ok(Answer::Refused)
}

fn check_places(diagnostics: &Diagnostics) -> Result<(), Finding> {
    match diagnostics.iter().find(|one| one.primary.is_none()) {
        Some(one) => Err(Finding {
            kind: "without a place",
            detail: format!("{}: {}", one.rule, one.title),
        }),
        None => Ok(()),
    }
}

/// The Rust files that depend on the document: path and text.
pub fn rust(output: &Output) -> impl Iterator<Item = (std::path::Display<'_>, &str)> {
    let files = output.files.iter();
    let own = files.filter(|file| !file.path.starts_with("src/runtime"));
    let rust = own.filter(|file| file.path.extension().is_some_and(|it| it == "rs"));
    rust.map(|file| (file.path.display(), file.text.as_str()))
}

fn same_in_any_order(document: &Document, output: &Output) -> Result<(), Finding> {
    let differs = |detail: String| Finding {
        kind: "depends on the order of keys",
        detail,
    };
    let shuffled = tree::shuffled(&document.root, &mut Rng::with_seed(7));
    let text = shuffled.to_json_pretty();
    let again = openapi_document::loader::load_text("fuzzed.json", &text)
        .map_err(|error| differs(error.render(false)))?;
    let again = codegen::generate(&again, &options())
        .map_err(|diagnostics| differs(diagnostics.render(&again.sources, false)))?;
    for (one, other) in rust(output).zip(rust(&again)) {
        if one.0.to_string() != other.0.to_string() {
            return Err(differs(format!("{} or {}", one.0, other.0)));
        }
        if one.1 != other.1 {
            let lines = one.1.lines().zip(other.1.lines());
            let line = lines.into_iter().find(|(one, other)| one != other);
            let (one_line, other_line) = line.unwrap_or_default();
            return Err(differs(format!(
                "{}: `{one_line}` or `{other_line}`",
                one.0
            )));
        }
    }
    if rust(output).count() != rust(&again).count() {
        return Err(differs("the number of files".to_owned()));
    }
    let told = |output: &Output| {
        // The shuffled document is already changed by its overlay, which may remove doubled keys.
        let found = output.diagnostics.iter();
        let of_document =
            found.filter(|one| !one.rule.starts_with("overlay-") && one.rule != "duplicate-key");
        let mut told: Vec<_> = of_document
            .map(|one| (one.rule, one.title.clone()))
            .collect();
        told.sort();
        told
    };
    let (one, other) = (told(output), told(&again));
    if one != other {
        let missing = one.iter().find(|one| !other.contains(one));
        let extra = other.iter().find(|other| !one.contains(other));
        return Err(differs(format!("warnings: {missing:?} or {extra:?}")));
    }
    Ok(())
}
