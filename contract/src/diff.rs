//! Diff: compares two states of a document, and creates findings with places in both.

use std::collections::HashMap;

use jiff::civil::Date;
use openapi_diff::{Change, Contract, Options, Spot};
use openapi_document::{Behaviour, Document};

use crate::axes::{axes, level};
use crate::catalogue::Family;
use crate::finding::{Finding, Place, Reach, Side};
use crate::fingerprint;
use crate::input::{Input, Overlays, title_of, version_of};
use crate::level::Level;
use crate::lint;
use crate::release::Step;
use crate::report::{Report, Subject};

/// Two loaded documents.
#[derive(Debug)]
pub struct Pair {
    /// The old document.
    pub base: Document,
    /// The new document.
    pub revision: Document,
    /// The behaviour file of the old document.
    base_behaviour: Option<Behaviour>,
    /// The behaviour file of the new document.
    revision_behaviour: Option<Behaviour>,
}

/// Compares two documents, both changed by the same overlays, and adds the findings to a report.
/// `None` if one of them cannot be read.
pub fn diff(
    base: &Input,
    revision: &Input,
    overlays: &Overlays,
    today: Date,
    report: &mut Report,
) -> Option<Pair> {
    let mut read = |input: &Input, side| match input.load(overlays) {
        Ok(document) => Some(document),
        Err(error) => {
            lint::unreadable(&error, side, input.revision(), report);
            None
        }
    };
    let was = read(base, Side::Base);
    let is = read(revision, Side::Revision);
    report.base = was.as_ref().map(|document| subject(document, base));
    report.documents = is
        .iter()
        .map(|document| subject(document, revision))
        .collect();
    let pair = Pair {
        base: was?,
        revision: is?,
        // Lint reports errors in behaviour files; an old file may have another format.
        base_behaviour: base.behaviour(),
        revision_behaviour: revision.behaviour(),
    };
    let changes = openapi_diff::compare(
        Contract {
            document: &pair.base,
            behaviour: pair.base_behaviour.as_ref(),
        },
        Contract {
            document: &pair.revision,
            behaviour: pair.revision_behaviour.as_ref(),
        },
        &Options::on(today),
    );
    let places = Places {
        pair: &pair,
        base: base.revision(),
        revision: revision.revision(),
    };
    let found = changes.iter().map(|change| places.finding(change));
    report.findings.extend(found);
    Some(pair)
}

fn subject(document: &Document, input: &Input) -> Subject {
    Subject {
        path: input.shown(),
        title: title_of(document),
        version: version_of(document),
        operations: document.operations().len(),
        scenarios: 0,
        machines: 0,
    }
}

/// Resolves the places of changes.
struct Places<'p> {
    pair: &'p Pair,
    base: Option<&'p str>,
    revision: Option<&'p str>,
}

impl Places<'_> {
    fn finding(&self, change: &Change) -> Finding {
        let revision = change.revision.as_ref();
        let revision = revision.map(|spot| self.place(spot, Side::Revision));
        let base = change.base.as_ref();
        let base = base.map(|spot| self.place(spot, Side::Base));
        let rule = change.rule;
        // A shared part is identified by its name, so a further operation that uses it does not
        // change the finding.
        let (operation, subject) = match &change.shared {
            Some(shared) => (None, shared),
            None => (change.operation.as_deref(), &change.subject),
        };
        let fingerprint = fingerprint::of(rule.id, operation, subject, &change.detail);
        let reach = change.reach.iter();
        Finding {
            fingerprint,
            rule: rule.id,
            level: level(change.level),
            title: change.title.clone(),
            operation: change.operation.clone(),
            subject: change.subject.clone(),
            reach: reach
                .filter(|_| change.reach.len() > 1)
                .map(reached)
                .collect(),
            axes: Some(axes(rule)),
            part: rule.area.word().to_owned(),
            places: revision.into_iter().chain(base).collect(),
            help: change.help.clone(),
            accepted: None,
        }
    }

    fn place(&self, spot: &Spot, side: Side) -> Place {
        let pair = self.pair;
        let (document, behaviour, of) = match side {
            Side::Base => (&pair.base, &pair.base_behaviour, self.base),
            Side::Revision => (&pair.revision, &pair.revision_behaviour, self.revision),
        };
        let behaviour = behaviour.as_ref().filter(|_| spot.in_behaviour);
        let sources = behaviour.map_or(&document.sources, |behaviour| &behaviour.sources);
        Place {
            pointer: Some(spot.pointer.to_string()),
            ..Place::new(sources, spot.span, &spot.label, side, of)
        }
    }
}

fn reached(one: &openapi_diff::Reach) -> Reach {
    Reach {
        operation: one.operation.clone(),
        subject: one.subject.clone(),
    }
}

/// The version step that the findings require. Accepted findings count, too, because clients break
/// anyway; findings about the version itself do not.
pub fn step(pair: &Pair, findings: &[Finding]) -> Step {
    let rules: HashMap<&str, _> = crate::catalogue::all()
        .into_iter()
        .filter(|rule| rule.family == Family::Diff)
        .map(|rule| (rule.id, rule.axes))
        .collect();
    let is_change = |finding: &&Finding| {
        let axes = rules.get(finding.rule).copied().flatten();
        axes.is_some_and(|axes| axes.area != openapi_diff::Area::Info.word())
    };
    let required = findings
        .iter()
        .filter(is_change)
        .map(|finding| match finding.level {
            Level::Error => Step::Major,
            Level::Warning => Step::Minor,
            _ if finding
                .axes
                .is_some_and(|axes| axes.action == openapi_diff::Action::Add.word()) =>
            {
                Step::Minor
            }
            _ => Step::Patch,
        });
    match required.max() {
        Some(step) => step,
        None if pair.base.root.same_value(&pair.revision.root) => Step::None,
        None => Step::Patch,
    }
}
