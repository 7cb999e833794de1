//! How the records of an interface behave over time: a YAML file beside the document.
//!
//! [`load`] reads it and reports everything that is not of its form at once. What it says about
//! itself and about the document is for [`contradictions`] to judge.

pub mod contradictions;
mod object;
mod reader;

use std::path::{Path, PathBuf};

use crate::files::Files;
use crate::load_error::LoadError;
use crate::node::Node;
use crate::provenance::Provenance;
use crate::source::{FileId, SourceMap, Span};

/// A behaviour file.
#[derive(Debug, Clone, Default)]
pub struct Behaviour {
    /// The version of its form, where it says one.
    pub version: Option<Word>,
    /// Who can cause something.
    pub actors: Vec<Actor>,
    /// What goes from state to state.
    pub records: Vec<Record>,
    /// What the caller makes unique.
    pub natural_keys: Vec<NaturalKey>,
    /// Properties that differ from one reading to the next.
    pub volatile: Vec<Volatile>,
    /// Sums that never exceed a whole.
    pub sums: Vec<Sum>,
    /// How lists are divided.
    pub pagination: Option<Pagination>,
    /// How long it takes until something can be seen.
    pub windows: Vec<Window>,
    /// What its names, shapes and sentences suggest, and is so.
    pub confirmed: Vec<Reading>,
    /// What its names, shapes and sentences suggest, and is not so.
    pub exceptions: Vec<Reading>,
    /// Facts about the service, each an object as the package `openapi-facts` reads it.
    pub facts: Vec<Node>,
    /// The text it was read from.
    pub sources: SourceMap,
}

/// A word of the file and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// Who can cause an event.
#[derive(Debug, Clone)]
pub struct Actor {
    /// What it is called.
    pub name: Word,
    /// What it does.
    pub summary: String,
}

/// A thing with a state, and the machines that things of this kind may be.
#[derive(Debug, Clone)]
pub struct Record {
    /// What it is called.
    pub name: Word,
    /// What it is.
    pub summary: String,
    /// The schema of the document that shows it, where one does.
    pub schema: Option<Word>,
    /// The property of that schema which holds the state.
    pub property: Option<Word>,
    /// The property which tells its machines apart.
    pub distinguished_by: Option<Word>,
    /// The states, of all its machines.
    pub states: Vec<State>,
    /// The events, of all its machines.
    pub events: Vec<Event>,
    /// The machines: one, or one for each value of the property that tells them apart.
    pub machines: Vec<Machine>,
}

/// Where a record can stand.
#[derive(Debug, Clone)]
pub struct State {
    /// What it is called.
    pub name: Word,
    /// What it means.
    pub summary: String,
    /// How it is shown; `None` for a state in which nobody sees the record.
    pub wire: Option<Wire>,
    /// Where the fact comes from.
    pub provenance: Option<Provenance>,
}

/// How a state is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wire {
    /// By a text.
    Text(String),
    /// By a flag.
    Flag(bool),
}

/// What can happen to a record.
#[derive(Debug, Clone)]
pub struct Event {
    /// What it is called.
    pub name: Word,
    /// What it means.
    pub summary: String,
    /// The participle: what has been done to the record then.
    pub done: String,
    /// Who causes it.
    pub by: Word,
    /// The operations that cause it: the machine and the `operationId`.
    pub operations: Vec<(Word, Word)>,
}

/// The legal transitions of one sort of record.
#[derive(Debug, Clone)]
pub struct Machine {
    /// What it is called.
    pub name: Word,
    /// What it is.
    pub summary: String,
    /// The value of the property that tells machines apart.
    pub wire: Option<Word>,
    /// The operation that makes such a record.
    pub created_by: Option<Word>,
    /// The states it can begin in.
    pub initial: Vec<Word>,
    /// The rows.
    pub transitions: Vec<Transition>,
}

/// One row: in this state, on this event, into that state.
#[derive(Debug, Clone)]
pub struct Transition {
    /// The state before.
    pub from: Word,
    /// What happens.
    pub event: Word,
    /// The state after.
    pub to: Word,
    /// What else has to hold, or how to read it.
    pub note: Option<String>,
    /// Where the row stands.
    pub span: Span,
}

/// A value that the caller makes unique.
#[derive(Debug, Clone)]
pub struct NaturalKey {
    /// The operation it is sent to.
    pub operation: Word,
    /// The property of its body.
    pub property: Word,
    /// Within what it is unique.
    pub collection: Word,
}

/// A property that differs from one reading to the next.
#[derive(Debug, Clone)]
pub struct Volatile {
    /// The schema.
    pub schema: Word,
    /// The property.
    pub property: Word,
    /// Why.
    pub summary: String,
}

/// A sum that never exceeds a whole.
#[derive(Debug, Clone)]
pub struct Sum {
    /// What holds.
    pub summary: String,
    /// What is not exceeded.
    pub whole: Term,
    /// What is added up.
    pub parts: Term,
}

/// An amount of the records of one machine.
#[derive(Debug, Clone)]
pub struct Term {
    /// The machine.
    pub machine: Word,
    /// The property with the amount.
    pub property: Word,
    /// The states that count.
    pub states: Vec<Word>,
    /// The property that names the record of the whole.
    pub link: Option<Word>,
}

/// How lists are divided into pages.
#[derive(Debug, Clone)]
pub struct Pagination {
    /// The pointer to the items in an answer.
    pub items: Word,
    /// The pointer to what an answer says about the page.
    pub meta: Word,
    /// The query parameters.
    pub parameters: Vec<PageParameter>,
}

/// A query parameter of a list.
#[derive(Debug, Clone)]
pub struct PageParameter {
    /// Its name.
    pub name: Word,
    /// Its value where it is left out.
    pub default: String,
    /// The largest value.
    pub maximum: Option<u64>,
    /// All of its values, where these are few.
    pub values: Vec<String>,
}

/// How long it takes until something can be seen.
#[derive(Debug, Clone)]
pub struct Window {
    /// What.
    pub summary: String,
    /// How long at most, as ISO 8601 writes durations.
    pub within: String,
}

/// What the names, shapes and sentences of a document suggest to a law of the runner, and its owner has ruled on.
#[derive(Debug, Clone)]
pub struct Reading {
    /// Why.
    pub summary: String,
    /// The law; without it all of them are meant.
    pub law: Option<Word>,
    /// The check; without it all of them are meant.
    pub check: Option<Word>,
    /// For which operations; for all where none is named.
    pub operations: Vec<Word>,
    /// Where the entry stands.
    pub span: Span,
}

impl Reading {
    /// Whether it is about an operation.
    pub fn covers(&self, operation: &str) -> bool {
        self.operations.is_empty() || self.operations.iter().any(|item| item.text == operation)
    }

    /// Whether it is about a law's case of an operation.
    pub fn is_about(&self, law: &str, operation: &str) -> bool {
        self.law.as_ref().is_none_or(|word| word.text == law) && self.covers(operation)
    }
}

impl Behaviour {
    /// The machine of that name and its record.
    pub fn machine(&self, name: &str) -> Option<(&Record, &Machine)> {
        self.machines()
            .find(|(_, machine)| machine.name.text == name)
    }

    /// Every machine with its record.
    pub fn machines(&self) -> impl Iterator<Item = (&Record, &Machine)> {
        self.records.iter().flat_map(machines_of)
    }
}

impl Record {
    /// The state of that name.
    pub fn state(&self, name: &str) -> Option<&State> {
        self.states.iter().find(|state| state.name.text == name)
    }

    /// The event of that name.
    pub fn event(&self, name: &str) -> Option<&Event> {
        self.events.iter().find(|event| event.name.text == name)
    }
}

fn machines_of(record: &Record) -> impl Iterator<Item = (&Record, &Machine)> {
    record.machines.iter().map(move |machine| (record, machine))
}

/// What a behaviour file is called.
pub const NAME: &str = "behaviour.yaml";

/// Where the behaviour of a document is looked for: [`NAME`] beside it.
pub fn beside(document: &Path) -> Option<PathBuf> {
    Some(document.with_file_name(NAME)).filter(|path| path.is_file())
}

/// Reads a behaviour file.
///
/// # Errors
/// It cannot be read, is neither YAML nor JSON, or does not have the form of `docs/extensions.md`.
pub fn load(path: &Path) -> Result<Behaviour, LoadError> {
    let mut files = Files::default();
    let file = files.read(path, None);
    finish(file, files)
}

/// Reads behaviour from a text in memory.
///
/// # Errors
/// As [`load`].
pub fn load_text(name: &str, text: &str) -> Result<Behaviour, LoadError> {
    let mut files = Files::default();
    let file = files.parse(PathBuf::from(name), text.to_owned());
    finish(file, files)
}

fn finish(file: Option<FileId>, mut files: Files) -> Result<Behaviour, LoadError> {
    let mut diagnostics = std::mem::take(&mut files.diagnostics);
    diagnostics.extend(files.take_findings());
    let behaviour = file.map(|file| reader::read(files.tree(file), &mut diagnostics));
    match behaviour {
        Some(behaviour) if !diagnostics.has_errors() => Ok(Behaviour {
            sources: files.sources,
            ..behaviour
        }),
        _ => {
            diagnostics.sort();
            Err(LoadError {
                sources: files.sources,
                diagnostics,
            })
        }
    }
}
