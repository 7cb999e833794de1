//! From what differs between schemas to what that means where they are used.

use std::collections::HashSet;
use std::rc::Rc;

use super::Comparison;
use super::place::Place;
use super::property;
use super::report::{Finding, Scope};
use super::schema::{Edge, Fact, PairId, Step, Words};
use super::side::Mark;
use crate::provenance::{self, Provenance};
use crate::source::Span;

/// A use of a pair of schemas.
#[derive(Debug, Clone)]
pub(super) struct Use<'d> {
    pub(super) scope: Rc<Scope>,
    pub(super) place: Place,
    /// What is described, as `request body application/json`.
    pub(super) subject: String,
    /// The same in prose.
    pub(super) name: String,
    pub(super) provenance: provenance::Level,
    pub(super) pair: PairId,
    /// Where it stands on both sides.
    pub(super) sites: Option<(Mark<'d>, Mark<'d>)>,
}

/// A pair on the way from a use.
pub(super) struct Stop<'d> {
    sites: Option<(Mark<'d>, Mark<'d>)>,
    pair: PairId,
    pub(super) place: Place,
    pub(super) path: String,
    pub(super) provenance: provenance::Level,
}

/// What was seen of an operation.
#[derive(Default)]
pub(super) struct Seen {
    pairs: HashSet<(PairId, Place)>,
    facts: HashSet<(&'static str, Span, Span, String)>,
}

/// Reports what differs in each use.
pub(super) fn walk(comparison: &mut Comparison<'_, '_>) {
    let uses = std::mem::take(&mut comparison.uses);
    let mut seen = Seen::default();
    let mut operation: Option<Rc<Scope>> = None;
    for one in uses {
        if operation
            .as_ref()
            .is_none_or(|last| !Rc::ptr_eq(last, &one.scope))
        {
            seen = Seen::default();
            operation = Some(Rc::clone(&one.scope));
        }
        walk_use(comparison, &one, &mut seen);
    }
}

/// Shortest ways first, so that a change is told of where people look for it.
fn walk_use<'d>(comparison: &mut Comparison<'d, '_>, one: &Use<'d>, seen: &mut Seen) {
    let first = Stop {
        sites: one.sites,
        pair: one.pair,
        place: one.place,
        path: String::new(),
        provenance: one.provenance,
    };
    let mut open = std::collections::VecDeque::from([first]);
    while let Some(stop) = open.pop_front() {
        let new = seen.pairs.insert((stop.pair, stop.place));
        if !new || !comparison.pairs.differs(stop.pair) {
            continue;
        }
        open.extend(visit(comparison, one, &stop, seen));
    }
}

fn visit<'d>(
    comparison: &mut Comparison<'d, '_>,
    one: &Use<'d>,
    stop: &Stop<'d>,
    seen: &mut Seen,
) -> Vec<Stop<'d>> {
    let (base, revision) = comparison.pairs.flats(stop.pair);
    let own = base.provenance.or(revision.provenance);
    let here = Stop {
        provenance: own.unwrap_or(stop.provenance),
        path: stop.path.clone(),
        ..*stop
    };
    let Some(pair) = comparison.pairs.pair(stop.pair) else {
        return Vec::new();
    };
    let (facts, edges) = (pair.facts.clone(), pair.edges.clone());
    for fact in &facts {
        if let Some(rule) = stop.place.rule(fact.word) {
            let finding = finding(one, &here, fact, rule.id);
            report(comparison, seen, finding, here.provenance);
        }
    }
    edges
        .iter()
        .filter_map(|edge| follow(comparison, one, &here, edge, seen))
        .collect()
}

/// Adds a finding that was not added yet for this operation.
pub(super) fn report<'d>(
    comparison: &mut Comparison<'d, '_>,
    seen: &mut Seen,
    finding: Finding<'d>,
    provenance: provenance::Level,
) {
    let rule = super::registry::rule(&finding.id);
    let spans = (
        finding.base.map(|(mark, _)| mark.span),
        finding.revision.map(|(mark, _)| mark.span),
    );
    if let (Some(rule), (Some(base), Some(revision))) = (rule, spans)
        && seen
            .facts
            .insert((rule.id, base, revision, finding.detail.clone()))
    {
        comparison.report.push(Finding {
            provenance,
            ..finding
        });
    }
}

/// The pair that an edge leads to, after what the step itself means.
fn follow<'d>(
    comparison: &mut Comparison<'d, '_>,
    one: &Use<'d>,
    here: &Stop<'d>,
    edge: &Edge<'d>,
    seen: &mut Seen,
) -> Option<Stop<'d>> {
    let nested = Place {
        nested: true,
        ..here.place
    };
    let mut next = Stop {
        sites: edge.sites.or(here.sites),
        pair: here.pair,
        place: nested,
        path: here.path.clone(),
        provenance: here.provenance,
    };
    match &edge.step {
        Step::Items => next.path.push_str("/[]"),
        Step::Rest => next.path.push_str("/{}"),
        Step::Inside(what) => {
            next.path = format!("{}/{{{}}}", here.path, crate::pointer::escape(what));
        }
        Step::Alternative(label) => {
            next.path = format!("{}({})", here.path, label.trim_matches('`'));
            next.place = here.place;
        }
        Step::Property {
            name,
            base,
            revision,
            ..
        } => {
            next.path = format!("{}/{}", here.path, crate::pointer::escape(name));
            let own = [base, revision].into_iter().flatten();
            let mut own = own.filter_map(|property| Provenance::of(property.node));
            if let Some(provenance) = own.next() {
                next.provenance = provenance.level;
            }
            let hidden = property::compare(comparison, one, &next, edge, seen)?;
            next.place.hidden = hidden;
        }
    }
    next.pair = edge.to?;
    Some(next)
}

fn finding<'d>(one: &Use<'d>, here: &Stop<'d>, fact: &Fact<'d>, id: &str) -> Finding<'d> {
    let labels = match fact.word {
        Words::Type { .. } => ("was this", "is this"),
        _ => ("before", "now"),
    };
    let site =
        |whole: bool, own: Mark<'d>, site: Option<Mark<'d>>| site.filter(|_| whole).unwrap_or(own);
    let (base, revision) = (
        here.sites.map(|sites| sites.0),
        here.sites.map(|sites| sites.1),
    );
    Finding {
        base: Some((site(fact.whole.0, fact.base, base), labels.0)),
        revision: Some((site(fact.whole.1, fact.revision, revision), labels.1)),
        detail: fact.detail.clone(),
        ..one.finding(id, &here.path, &fact.phrase)
    }
}

impl<'d> Use<'d> {
    /// A finding about something in what is described.
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
