//! Facts: prints the facts of the document and its behaviour file, and records rulings on them.

mod draft;
mod table;

use openapi_document::behaviour::Behaviour;
use openapi_document::view::Document;
use openapi_facts::{Evidence, Facts, Ruling, Source, fingerprint};
use serde_json::{Value, json};

use crate::because::Because;
use crate::load;
use crate::options::Options;
use crate::run_error::RunError;

pub use draft::{accepted, drafted, rejected};
pub use table::table;

/// The facts of a document with their sources.
#[derive(Debug)]
pub struct Reading {
    /// The document.
    pub document: Document,
    /// The behaviour file; empty without one.
    pub behaviour: Behaviour,
    /// The facts of both.
    pub facts: Facts,
}

impl Reading {
    /// Reads the facts of the document and the behaviour file that the options name.
    ///
    /// # Errors
    /// One of the files cannot be read, or the behaviour file contradicts the document.
    pub fn new(options: &Options) -> Result<Self, RunError> {
        let document = options.document()?;
        let behaviour = load::sound_behaviour(options, &document)?;
        let facts = openapi_facts::read(&document, Some(&behaviour));
        if facts.problems.has_errors() {
            let text = facts.problems.render(&behaviour.sources, false);
            return Err(RunError::Usage(text.trim_end().to_owned()));
        }
        Ok(Self {
            document,
            behaviour,
            facts,
        })
    }

    /// The place and the words of a source.
    fn because(&self, source: &Source) -> Option<Because> {
        let sources = match source {
            Source::Behaviour(_) => &self.behaviour.sources,
            _ => &self.document.sources,
        };
        Because::of(sources, source)
    }

    /// The facts as JSON.
    pub fn json(&self) -> Value {
        let facts = self.facts.list.iter().map(|fact| {
            let because = fact
                .because
                .iter()
                .filter_map(|source| self.because(source));
            json!({
                "id": fact.id.as_str(),
                "kind": fact.rule.kind(),
                "evidence": fact.evidence().as_str(),
                "says": fact.rule.to_string(),
                "rule": fact.rule,
                "because": because.collect::<Vec<_>>(),
            })
        });
        json!({ "facts": facts.collect::<Vec<_>>(), "notes": self.facts.notes })
    }

    /// One line for each draft, and for each fact that was read from a sentence and not yet accepted
    /// or rejected. Empty without such facts.
    pub fn unseen(&self) -> Vec<String> {
        let read = self.facts.list.iter().chain(&self.facts.rejected);
        let mut found = Vec::new();
        for fact in read {
            let sentence = fact.because.iter().find_map(sentence);
            let entry = self.facts.entries.iter().find(|entry| entry.id == fact.id);
            let place = fact
                .because
                .iter()
                .filter_map(|source| self.because(source))
                .last();
            let place = place.map_or_else(String::new, |because| because.spot.to_string());
            match (entry, sentence) {
                (None, Some(_)) if fact.evidence() == Evidence::Read => {
                    found.push(format!("{place}: new: {}: {}", fact.id, fact.rule));
                }
                (Some(entry), Some(words))
                    if { entry.sentence.as_ref() }
                        .is_some_and(|known| *known != fingerprint(words)) =>
                {
                    found.push(format!("{place}: the sentence of {} has changed", fact.id));
                }
                (Some(entry), None) if entry.sentence.is_some() => {
                    found.push(format!("{place}: no sentence says {} any more", fact.id));
                }
                (Some(entry), _) if entry.ruling == Ruling::Draft => {
                    found.push(format!("{place}: {} is a draft", fact.id));
                }
                _ => {}
            }
        }
        found
    }
}

/// The text of a source that is a sentence.
fn sentence(source: &Source) -> Option<&str> {
    match source {
        Source::Sentence { text, .. } => Some(text),
        _ => None,
    }
}
