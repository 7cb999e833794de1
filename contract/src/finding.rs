//! A finding: what a rule has to say of one or two places, whichever command found it.

use openapi_document::{SourceMap, Span};
use serde::Serialize;

use crate::axes::Axes;
use crate::excerpt::Excerpt;
use crate::level::Level;

/// One finding, of lint, of diff or of the gate itself.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// What it is recognised by from run to run; see [`crate::fingerprint`].
    pub fingerprint: String,
    /// The id of the rule.
    pub rule: &'static str,
    /// How much it weighs here.
    pub level: Level,
    /// A short sentence without a full stop.
    pub title: String,
    /// The operation it concerns, such as `GET /things/{id}`, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// What it is about, in names instead of positions.
    pub subject: String,
    /// Whom it reaches, where that is more than one operation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reach: Vec<Reach>,
    /// On which axes the rule stands, where it compares.
    #[serde(flatten)]
    pub axes: Option<Axes>,
    /// The part of the contract it concerns: the first tag of the operation, or a section.
    pub part: String,
    /// Where it is seen; the first is the one that is meant.
    pub places: Vec<Place>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Why it does not count, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<Accepted>,
}

/// Where a change of a shared part is felt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reach {
    /// The operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// What changed inside it.
    pub subject: String,
}

/// What the baseline says of a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Accepted {
    /// Why it may be there.
    pub reason: String,
    /// The last day on which it may be there, `YYYY-MM-DD`.
    pub expires: String,
}

/// In which of two documents a place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// What was.
    Base,
    /// What is, and what is linted.
    Revision,
}

/// A place of a finding.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// Of two documents, this one.
    pub side: Side,
    /// The file, as it is shown.
    pub file: String,
    /// The git revision the file is of, where it is not the one on the disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// Of the bundled document, or of the file where it is no part of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// What is to be seen there.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// The lines themselves.
    pub excerpt: Excerpt,
}

impl Place {
    /// A place without its pointer. A file of a git revision is shown as `REVISION:FILE`.
    pub fn new(sources: &SourceMap, span: Span, label: &str, side: Side, of: Option<&str>) -> Self {
        let place = sources.place(span);
        let inside = of.and_then(|of| place.file.strip_prefix(of)?.strip_prefix(':'));
        Self {
            side,
            file: inside.unwrap_or(&place.file).to_owned(),
            revision: of.map(str::to_owned),
            line: place.line,
            column: place.column,
            pointer: None,
            label: label.to_owned(),
            excerpt: Excerpt::of(sources.file(span.file), span, place.line),
        }
    }

    /// The file with its revision, as git names it.
    pub fn path(&self) -> String {
        match &self.revision {
            Some(revision) => format!("{revision}:{}", self.file),
            None => self.file.clone(),
        }
    }
}

impl Finding {
    /// The place that is meant.
    pub fn primary(&self) -> Option<&Place> {
        self.places.first()
    }

    /// Whether it counts.
    pub fn counts(&self) -> bool {
        self.accepted.is_none()
    }
}
