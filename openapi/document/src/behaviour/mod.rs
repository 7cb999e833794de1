//! Behaviour file: a YAML file beside the document with states, transitions, natural keys and
//! facts.
//!
//! [`load`] reads it and reports every structural error at once. [`contradictions`] checks it
//! against itself and against the document.

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
    /// The version of the file format, if stated.
    pub version: Option<Word>,
    /// Who can cause events.
    pub actors: Vec<Actor>,
    /// The records with their states.
    pub records: Vec<Record>,
    /// Values that the client makes unique.
    pub natural_keys: Vec<NaturalKey>,
    /// Properties that differ from one read to the next.
    pub volatile: Vec<Volatile>,
    /// Sums that never exceed a total.
    pub sums: Vec<Sum>,
    /// How lists are paged.
    pub pagination: Option<Pagination>,
    /// How long an effect may take to become visible.
    pub windows: Vec<Window>,
    /// Readings of names, shapes and sentences that the owner confirms.
    pub confirmed: Vec<Reading>,
    /// Readings of names, shapes and sentences that the owner denies.
    pub exceptions: Vec<Reading>,
    /// Facts about the service; the package `openapi-facts` parses each entry.
    pub facts: Vec<Node>,
    /// The source text.
    pub sources: SourceMap,
}

/// A word of the file, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub text: String,
    /// The place of the word.
    pub span: Span,
}

/// Who can cause an event.
#[derive(Debug, Clone)]
pub struct Actor {
    /// The name of the actor.
    pub name: Word,
    /// A description.
    pub summary: String,
}

/// A kind of record with states. Each record of the kind follows one of its machines.
#[derive(Debug, Clone)]
pub struct Record {
    /// The name of the record.
    pub name: Word,
    /// A description.
    pub summary: String,
    /// The schema of the document that shows the record, if any.
    pub schema: Option<Word>,
    /// The property of the schema that holds the state.
    pub property: Option<Word>,
    /// The property whose value selects the machine.
    pub distinguished_by: Option<Word>,
    /// The states of all machines.
    pub states: Vec<State>,
    /// The events of all machines.
    pub events: Vec<Event>,
    /// The machines: one, or one per value of `distinguished_by`.
    pub machines: Vec<Machine>,
}

/// A state of a record.
#[derive(Debug, Clone)]
pub struct State {
    /// The name of the state.
    pub name: Word,
    /// A description.
    pub summary: String,
    /// The value that a response shows; `None` if no response shows the record in this state.
    pub wire: Option<Wire>,
    /// The provenance of the record.
    pub provenance: Option<Provenance>,
}

/// The value that a response shows for a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wire {
    /// A text.
    Text(String),
    /// A boolean.
    Flag(bool),
}

/// An event of a record.
#[derive(Debug, Clone)]
pub struct Event {
    /// The name of the event.
    pub name: Word,
    /// A description.
    pub summary: String,
    /// The participle, such as `cancelled`.
    pub done: String,
    /// The actor that causes it.
    pub by: Word,
    /// The operations that cause it: machine name and `operationId`.
    pub operations: Vec<(Word, Word)>,
}

/// The legal transitions of one sort of record.
#[derive(Debug, Clone)]
pub struct Machine {
    /// The name of the machine.
    pub name: Word,
    /// A description.
    pub summary: String,
    /// The value of `distinguished_by` that selects the machine.
    pub wire: Option<Word>,
    /// The operation that creates such a record.
    pub created_by: Option<Word>,
    /// The possible initial states.
    pub initial: Vec<Word>,
    /// The legal transitions.
    pub transitions: Vec<Transition>,
}

/// One transition: from a state, on an event, to a state.
#[derive(Debug, Clone)]
pub struct Transition {
    /// The state before the event.
    pub from: Word,
    /// The event.
    pub event: Word,
    /// The state after the event.
    pub to: Word,
    /// A further condition, or an explanation.
    pub note: Option<String>,
    /// The place of the row.
    pub span: Span,
}

/// A value that the client makes unique.
#[derive(Debug, Clone)]
pub struct NaturalKey {
    /// The operation that receives it.
    pub operation: Word,
    /// The property of the request body.
    pub property: Word,
    /// The scope within which it is unique.
    pub collection: Word,
}

/// A property that differs from one read to the next.
#[derive(Debug, Clone)]
pub struct Volatile {
    /// The schema.
    pub schema: Word,
    /// The property.
    pub property: Word,
    /// The reason.
    pub summary: String,
}

/// A sum that never exceeds a total.
#[derive(Debug, Clone)]
pub struct Sum {
    /// A description.
    pub summary: String,
    /// The total.
    pub whole: Term,
    /// The summands.
    pub parts: Term,
}

/// An amount of the records of one machine.
#[derive(Debug, Clone)]
pub struct Term {
    /// The machine.
    pub machine: Word,
    /// The property with the amount.
    pub property: Word,
    /// The states in which a record counts.
    pub states: Vec<Word>,
    /// The property that names the record with the total.
    pub link: Option<Word>,
}

/// How lists are paged.
#[derive(Debug, Clone)]
pub struct Pagination {
    /// The pointer to the items in a response.
    pub items: Word,
    /// The pointer to the page description in a response.
    pub meta: Word,
    /// The query parameters.
    pub parameters: Vec<PageParameter>,
}

/// A query parameter that controls paging.
#[derive(Debug, Clone)]
pub struct PageParameter {
    /// The name of the parameter.
    pub name: Word,
    /// The value if it is left out.
    pub default: String,
    /// The maximum.
    pub maximum: Option<u64>,
    /// All allowed values, if listed.
    pub values: Vec<String>,
}

/// How long an effect may take to become visible.
#[derive(Debug, Clone)]
pub struct Window {
    /// A description of the effect.
    pub summary: String,
    /// The maximum duration, in ISO 8601 notation.
    pub within: String,
}

/// The owner's decision on what a law or check of the runner reads from names, shapes and
/// sentences.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The reason.
    pub summary: String,
    /// The law; `None` for all laws.
    pub law: Option<Word>,
    /// The check; `None` for all checks.
    pub check: Option<Word>,
    /// The operations; empty for all operations.
    pub operations: Vec<Word>,
    /// The place of the entry.
    pub span: Span,
}

impl Reading {
    /// Whether it applies to an operation.
    pub fn covers(&self, operation: &str) -> bool {
        self.operations.is_empty() || self.operations.iter().any(|item| item.text == operation)
    }

    /// Whether it applies to a law on an operation.
    pub fn is_about(&self, law: &str, operation: &str) -> bool {
        self.law.as_ref().is_none_or(|word| word.text == law) && self.covers(operation)
    }
}

impl Behaviour {
    /// Whether it confirms a law for an operation.
    pub fn confirms(&self, law: &str, operation: &str) -> bool {
        let mut confirmed = self.confirmed.iter();
        confirmed.any(|reading| reading.is_about(law, operation))
    }

    /// The machine with this name, and its record.
    pub fn machine(&self, name: &str) -> Option<(&Record, &Machine)> {
        self.machines()
            .find(|(_, machine)| machine.name.text == name)
    }

    /// All machines, each with its record.
    pub fn machines(&self) -> impl Iterator<Item = (&Record, &Machine)> {
        self.records.iter().flat_map(machines_of)
    }
}

impl Record {
    /// The state with this name.
    pub fn state(&self, name: &str) -> Option<&State> {
        self.states.iter().find(|state| state.name.text == name)
    }

    /// The event with this name.
    pub fn event(&self, name: &str) -> Option<&Event> {
        self.events.iter().find(|event| event.name.text == name)
    }
}

fn machines_of(record: &Record) -> impl Iterator<Item = (&Record, &Machine)> {
    record.machines.iter().map(move |machine| (record, machine))
}

/// The file name of a behaviour file.
pub const NAME: &str = "behaviour.yaml";

/// The path of the file [`NAME`] beside a document, if it exists.
pub fn beside(document: &Path) -> Option<PathBuf> {
    Some(document.with_file_name(NAME)).filter(|path| path.is_file())
}

/// Reads and parses a behaviour file.
///
/// # Errors
/// The file cannot be read, is neither YAML nor JSON, or has not the form of `docs/extensions.md`.
pub fn load(path: &Path) -> Result<Behaviour, LoadError> {
    let mut files = Files::default();
    let file = files.read(path, None);
    finish(file, files)
}

/// Parses a behaviour file from a text in memory.
///
/// # Errors
/// Like [`load`].
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
