//! Report: collects the findings of a comparison.

use super::change::{Change, Reach};
use super::reach;
use super::registry;
use super::rule::Level;
use super::side::{Mark, Side, identity};
use openapi_document::provenance;
use openapi_document::source::Span;
use openapi_document::view::Document;
use std::collections::HashMap;

/// The findings, and the two documents to which they point.
#[derive(Debug)]
pub(super) struct Report<'d> {
    pub(super) base: Side<'d>,
    pub(super) revision: Side<'d>,
    pub(super) changes: Vec<Change>,
    /// The changes with places on both sides: index, and title without the name of the changed
    /// part.
    known: HashMap<Key, (usize, Option<String>)>,
}

/// Findings with equal keys are merged: rule, both places, and values.
type Key = (&'static str, Place, Place, String);

/// The identity of a node, and the marked span.
type Place = (usize, Span);

/// The operation that several findings concern.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    pub(super) operation: Option<String>,
    /// The highest level of a change, lower for an unstable operation.
    pub(super) at_most: Option<Level>,
    /// The minimum number of days until a sunset.
    pub(super) sunset_days: u16,
}

/// A finding whose places are not resolved yet.
#[derive(Debug, Clone)]
pub(super) struct Finding<'d> {
    pub(super) id: String,
    /// The level, if it is not that of the rule.
    pub(super) level: Option<Level>,
    pub(super) at_most: Option<Level>,
    pub(super) provenance: provenance::Level,
    pub(super) operation: Option<String>,
    pub(super) subject: String,
    pub(super) detail: String,
    pub(super) title: String,
    /// The title without the name of the changed part.
    pub(super) phrase: Option<String>,
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
            phrase: None,
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
            known: HashMap::new(),
        }
    }

    /// Adds a finding. A test ensures that all rule ids exist.
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
        let reach = Reach {
            operation: finding.operation,
            subject: finding.subject,
        };
        let place = |(mark, _): (Mark<'d>, _)| (identity(mark.node), mark.span);
        let places = finding.base.map(place).zip(finding.revision.map(place));
        if let Some((base, revision)) = places {
            let key = (rule.id, base, revision, finding.detail.clone());
            let next = (self.changes.len(), finding.phrase);
            let known = self.known.entry(key).or_insert(next).0;
            if let Some(change) = self.changes.get_mut(known) {
                change.level = change.level.max(level);
                change.reach.push(reach);
                return;
            }
        }
        let spot = |side: &Side<'d>, place: Option<(Mark<'d>, _)>| {
            place.map(|(mark, label)| side.spot(mark, label))
        };
        let base = spot(&self.base, finding.base);
        let revision = spot(&self.revision, finding.revision);
        let mut change = Change {
            rule,
            level,
            operation: reach.operation.clone(),
            subject: reach.subject.clone(),
            shared: None,
            detail: finding.detail,
            reach: vec![reach],
            title: finding.title,
            base,
            revision,
            help: None,
        };
        change.shared = reach::shared(&change);
        self.changes.push(change);
    }

    /// The findings in source order of the revision.
    pub(super) fn finish(mut self) -> Vec<Change> {
        for (place, phrase) in self.known.into_values() {
            if let Some(change) = self.changes.get_mut(place) {
                reach::describe(change, phrase.as_deref());
            }
        }
        for change in &mut self.changes {
            let weighs = change.level > Level::Info;
            change.help = weighs.then(|| change.rule.advice().to_owned());
        }
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
