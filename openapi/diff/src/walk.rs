//! Walk: reports the differences of schemas at each of their uses.

use std::rc::Rc;

use super::Comparison;
use super::place::Place;
use super::property;
use super::report::{Finding, Scope};
use super::schema::{Edge, Fact, Step, Words};
use super::seen::{Seen, report};
use super::side::Mark;
use super::usage::{Stop, Use};
use openapi_document::provenance::Provenance;

/// Reports the differences in each use.
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

/// Visits the shortest paths first, so that a change is reported at the most obvious place.
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
    let stated = base.provenance.or(revision.provenance);
    let here = Stop {
        provenance: stated.unwrap_or(stop.provenance),
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

/// Follows an edge to the next pair, after reporting the step itself.
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
            next.path = format!(
                "{}/{{{}}}",
                here.path,
                openapi_document::pointer::escape(what)
            );
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
            next.path = format!("{}/{}", here.path, openapi_document::pointer::escape(name));
            let stated = [base, revision].into_iter().flatten();
            let mut stated = stated.filter_map(|property| Provenance::of(property.node));
            if let Some(provenance) = stated.next() {
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
    let site = |whole: bool, mark: Mark<'d>, site: Option<Mark<'d>>| {
        site.filter(|_| whole).unwrap_or(mark)
    };
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
