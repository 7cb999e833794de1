//! Usage: where a pair of schemas is used, and the path from there.

use std::rc::Rc;

use openapi_document::provenance;

use super::place::Place;
use super::report::{Finding, Scope};
use super::schema::PairId;
use super::side::Mark;

/// A use of a pair of schemas.
#[derive(Debug, Clone)]
pub(super) struct Use<'d> {
    pub(super) scope: Rc<Scope>,
    pub(super) place: Place,
    /// The described part, such as `request body application/json`.
    pub(super) subject: String,
    /// The described part in prose.
    pub(super) name: String,
    pub(super) provenance: provenance::Level,
    pub(super) pair: PairId,
    /// The places on both sides.
    pub(super) sites: Option<(Mark<'d>, Mark<'d>)>,
}

impl<'d> Use<'d> {
    /// A finding about a path in the described part.
    pub(super) fn finding(&self, id: &str, path: &str, phrase: &str) -> Finding<'d> {
        let (subject, name) = if path.is_empty() {
            (self.subject.clone(), self.name.clone())
        } else {
            (
                format!("{} {path}", self.subject),
                format!("`{path}` of the {}", self.name),
            )
        };
        let title = format!("{name} {phrase}");
        Finding {
            provenance: self.provenance,
            phrase: Some(phrase.to_owned()),
            ..Finding::new(id, &self.scope, subject, title)
        }
    }
}

/// A pair that a walk reaches from a use.
pub(super) struct Stop<'d> {
    pub(super) sites: Option<(Mark<'d>, Mark<'d>)>,
    pub(super) pair: PairId,
    pub(super) place: Place,
    pub(super) path: String,
    pub(super) provenance: provenance::Level,
}
