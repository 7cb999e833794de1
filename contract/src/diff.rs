//! Diff: two states of a document compared, as findings with places in both.

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

/// Two documents that could be read.
#[derive(Debug)]
pub struct Pair {
    /// What was.
    pub base: Document,
    /// What is.
    pub revision: Document,
    /// The behaviour file beside what was.
    base_behaviour: Option<Behaviour>,
    /// The behaviour file beside what is.
    revision_behaviour: Option<Behaviour>,
}

/// Compares what was with what is, both changed by the same overlays, and adds what is found to a report. Nothing where one of both
/// cannot be read.
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
        // What is wrong with a behaviour file is for lint; a file of long ago may have another form.
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

/// Where the places of changes are looked up.
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
        // A shared part is known by its own name: whoever else comes to use it makes no other finding.
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

/// How far the findings of a comparison raise a version: who breaks counts, whether or not somebody
/// accepted it. What is said of the version itself does not.
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
    let asked = findings
        .iter()
        .filter(is_change)
        .map(|own| match own.level {
            Level::Error => Step::Major,
            Level::Warning => Step::Minor,
            _ if own
                .axes
                .is_some_and(|axes| axes.action == openapi_diff::Action::Add.word()) =>
            {
                Step::Minor
            }
            _ => Step::Patch,
        });
    match asked.max() {
        Some(step) => step,
        None if pair.base.root.same_value(&pair.revision.root) => Step::None,
        None => Step::Patch,
    }
}
