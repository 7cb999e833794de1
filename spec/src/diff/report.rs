//! What was found so far.

use super::change::Change;
use super::registry;
use super::rule::Level;
use super::side::{Mark, Side};
use crate::document::Document;
use crate::provenance;
use crate::source::Span;

/// The findings of a comparison, and the two documents they point into.
#[derive(Debug)]
pub(super) struct Report<'d> {
    pub(super) base: Side<'d>,
    pub(super) revision: Side<'d>,
    pub(super) changes: Vec<Change>,
}

/// What findings have in common: the operation they are about.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    pub(super) operation: Option<String>,
    /// What a change weighs at most: little, where the operation promises little.
    pub(super) at_most: Option<Level>,
    /// Days that a sunset must lie ahead.
    pub(super) sunset_days: u16,
}

/// A finding before its places are looked up.
#[derive(Debug, Clone)]
pub(super) struct Finding<'d> {
    pub(super) id: String,
    /// The weight, where it is not the rule's own.
    pub(super) level: Option<Level>,
    pub(super) at_most: Option<Level>,
    pub(super) provenance: provenance::Level,
    pub(super) operation: Option<String>,
    pub(super) subject: String,
    pub(super) detail: String,
    pub(super) title: String,
    pub(super) base: Option<(Mark<'d>, &'static str)>,
    pub(super) revision: Option<(Mark<'d>, &'static str)>,
}

impl Finding<'_> {
    pub(super) fn new(
        id: impl Into<String>,
        scope: &Scope,
        subject: impl Into<String>,
        title: impl Into<String>,
    ) -> Self {
        Self {
            id: id.into(),
            level: None,
            at_most: scope.at_most,
            provenance: provenance::Level::Documented,
            operation: scope.operation.clone(),
            subject: subject.into(),
            detail: String::new(),
            title: title.into(),
            base: None,
            revision: None,
        }
    }
}

impl<'d> Report<'d> {
    pub(super) fn new(base: &'d Document, revision: &'d Document) -> Self {
        Self {
            base: Side::new(base),
            revision: Side::new(revision),
            changes: Vec::new(),
        }
    }

    /// Adds a finding. That each rule a comparison may name is there is tested.
    pub(super) fn push(&mut self, finding: Finding<'d>) {
        let Some(rule) = registry::rule(&finding.id) else {
            return;
        };
        let mut level = finding.level.unwrap_or(rule.level);
        if finding.provenance == provenance::Level::Proposed {
            level = level.min(Level::Warning);
        }
        if let Some(most) = finding.at_most {
            level = level.min(most);
        }
        self.changes.push(Change {
            rule,
            level,
            operation: finding.operation,
            subject: finding.subject,
            detail: finding.detail,
            title: finding.title,
            base: finding
                .base
                .map(|(mark, label)| self.base.spot(mark, label)),
            revision: finding
                .revision
                .map(|(mark, label)| self.revision.spot(mark, label)),
            help: (level > Level::Info).then(|| rule.advice().to_owned()),
        });
    }

    /// The findings in the order of the revision's source.
    pub(super) fn finish(mut self) -> Vec<Change> {
        self.changes.sort_by(|a, b| order(a).cmp(&order(b)));
        self.changes
    }
}

type Order<'c> = (
    Option<Span>,
    Option<Span>,
    &'c str,
    &'c Option<String>,
    &'c str,
    &'c str,
);

fn order(change: &Change) -> Order<'_> {
    (
        change.revision.as_ref().map(|spot| spot.span),
        change.base.as_ref().map(|spot| spot.span),
        change.rule.id,
        &change.operation,
        &change.subject,
        &change.detail,
    )
}
