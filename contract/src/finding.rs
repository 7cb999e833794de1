//! Finding: the result of a rule at one or two places, from any command.

use openapi_document::{SourceMap, Span};
use serde::Serialize;

use crate::axes::Axes;
use crate::excerpt::Excerpt;
use crate::level::Level;

/// One finding, of lint, of diff or of the gate itself.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The stable id of the finding; see [`crate::fingerprint`].
    pub fingerprint: String,
    /// The id of the rule.
    pub rule: &'static str,
    /// The level.
    pub level: Level,
    /// A short sentence without a full stop.
    pub title: String,
    /// The operation, such as `GET /things/{id}`; `None` if it concerns none, or several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// The subject, in names instead of positions.
    pub subject: String,
    /// The affected operations, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reach: Vec<Reach>,
    /// The axes of the rule; `None` unless it is a rule of diff.
    #[serde(flatten)]
    pub axes: Option<Axes>,
    /// The part of the contract: the first tag of the operation, or a section.
    pub part: String,
    /// The places; the first one is the primary place.
    pub places: Vec<Place>,
    /// A hint how to fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The baseline entry that accepts it, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<Accepted>,
}

/// An operation that a change of a shared part affects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reach {
    /// The operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// The changed part of the operation.
    pub subject: String,
}

/// The acceptance of a finding in the baseline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Accepted {
    /// The reason.
    pub reason: String,
    /// The last day on which it is accepted, `YYYY-MM-DD`.
    pub expires: String,
}

/// The document of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The old document.
    Base,
    /// The new document, or the linted one.
    Revision,
}

/// A place of a finding.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// The document of the place.
    pub side: Side,
    /// The file, as shown to people.
    pub file: String,
    /// The git revision of the file; `None` for a file on disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The pointer into the bundled document, or into the file if it is not part of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// A short label.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// The excerpt of the source.
    pub excerpt: Excerpt,
}

impl Place {
    /// Creates a place without a pointer. The file of a git revision is shown as `REVISION:FILE`.
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
    /// The primary place.
    pub fn primary(&self) -> Option<&Place> {
        self.places.first()
    }

    /// Whether it counts: the baseline does not accept it.
    pub fn counts(&self) -> bool {
        self.accepted.is_none()
    }
}
