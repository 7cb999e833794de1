//! Property: compares existence, `required`, `readOnly`, `writeOnly` and lifecycle of a property.

use std::rc::Rc;

use super::Comparison;
use super::lifecycle::{self, Subject};
use super::place::Root;
use super::report::Finding;
use super::rule::{Direction, Level};
use super::schema::{Edge, Flat, Property, Step};
use super::seen::{Seen, report};
use super::side::Mark;
use super::usage::{Stop, Use};

/// Reports changes of a property itself. Returns whether the property is absent in this direction;
/// `None` if its schema does not matter.
pub(super) fn compare<'d>(
    comparison: &mut Comparison<'d, '_>,
    one: &Use<'d>,
    next: &Stop<'d>,
    edge: &Edge<'d>,
    seen: &mut Seen,
) -> Option<bool> {
    let Step::Property { base, revision, .. } = &edge.step else {
        return Some(false);
    };
    let request = next.place.direction == Direction::Request;
    let pairs = &mut comparison.pairs;
    let old = base.as_ref().map(|property| pairs.property(true, property));
    let new = revision
        .as_ref()
        .map(|property| pairs.property(false, property));
    let away = |flat: &Option<Rc<Flat<'d>>>| {
        flat.as_ref().is_some_and(|flat| {
            if request {
                flat.read_only.is_some()
            } else {
                flat.write_only.is_some()
            }
        })
    };
    let (was_away, is_away) = (away(&old), away(&new));
    let was_hidden = was_away || next.place.hidden;
    let (Some(before), Some(after)) = (base, revision) else {
        let hidden = next.place.hidden || if base.is_some() { was_away } else { is_away };
        existence(comparison, one, next, edge, hidden, seen);
        return None;
    };
    if let (Some(old), Some(new)) = (&old, &new) {
        lifecycles(comparison, one, next, (before, after), (old, new), seen);
        if mutability(comparison, one, next, edge, (old, new), seen) {
            return None;
        }
    }
    requiredness(comparison, one, next, edge, was_hidden, seen);
    Some(was_hidden)
}

/// Reports an added or removed property.
fn existence<'d>(
    comparison: &mut Comparison<'d, '_>,
    one: &Use<'d>,
    next: &Stop<'d>,
    edge: &Edge<'d>,
    hidden: bool,
    seen: &mut Seen,
) {
    let Step::Property {
        name,
        base,
        revision,
        base_owner,
        revision_owner,
        closed,
        ..
    } = &edge.step
    else {
        return;
    };
    let request = next.place.direction == Direction::Request;
    let Some(there) = revision.as_ref().or(base.as_ref()) else {
        return;
    };
    let added = revision.is_some();
    let required = there.required.is_some();
    let has_default = there
        .schemas
        .iter()
        .any(|node| node.get("default").is_some());
    let in_header = next.place.root == Root::Parameter(openapi_document::view::Location::Header);
    let id = match (request, added, required) {
        (true, _, _) if hidden => return,
        (true, true, true) if in_header => "new-required-request-header-property",
        (true, true, true) if has_default => "new-required-request-property-with-default",
        (true, true, true) => "new-required-request-property",
        (true, true, false) => "new-optional-request-property",
        (true, false, _) => "request-property-removed",
        (false, true, true) if hidden => "response-required-write-only-property-added",
        (false, true, false) if hidden => "response-optional-write-only-property-added",
        (false, false, true) if hidden => "response-required-write-only-property-removed",
        (false, false, false) if hidden => "response-optional-write-only-property-removed",
        (false, true, true) => "response-required-property-added",
        (false, true, false) => "response-optional-property-added",
        (false, false, true) => "response-required-property-removed",
        (false, false, false) => "response-optional-property-removed",
    };
    let mark = Mark {
        node: there.node,
        span: there.name_at,
    };
    let mut finding = Finding {
        detail: format!("{}{name}", if required { "required " } else { "" }),
        ..one.finding(
            id,
            next.path.as_str(),
            if added { "was added" } else { "was removed" },
        )
    };
    finding.base = Some(if added {
        (*base_owner, "it is not here")
    } else {
        (mark, "was here")
    });
    finding.revision = Some(if added {
        (mark, "added here")
    } else {
        (*revision_owner, "it is no longer here")
    });
    // A receiver with a closed object schema refuses an unlisted property.
    if *closed && !hidden && (request != added) {
        finding.level = Some(Level::Error);
    }
    report(comparison, seen, finding, next.provenance);
}

fn requiredness<'d>(
    comparison: &mut Comparison<'d, '_>,
    one: &Use<'d>,
    next: &Stop<'d>,
    edge: &Edge<'d>,
    hidden: bool,
    seen: &mut Seen,
) {
    let Step::Property {
        base: Some(base),
        revision: Some(revision),
        lists,
        ..
    } = &edge.step
    else {
        return;
    };
    let request = next.place.direction == Direction::Request;
    let in_header = next.place.root == Root::Parameter(openapi_document::view::Location::Header);
    let has_default = revision
        .schemas
        .iter()
        .any(|node| node.get("default").is_some());
    let required = match (base.required, revision.required) {
        (None, Some(_)) => true,
        (Some(_), None) => false,
        _ => return,
    };
    let id = match (request, required) {
        (true, _) if hidden => return,
        (true, true) if in_header => "request-header-property-became-required",
        (true, true) if has_default => "request-property-became-required-with-default",
        (true, true) => "request-property-became-required",
        (true, false) => "request-property-became-optional",
        (false, true) if hidden => "response-write-only-property-became-required",
        (false, false) if hidden => "response-write-only-property-became-optional",
        (false, true) => "response-property-became-required",
        (false, false) => "response-property-became-optional",
    };
    let phrase = if required {
        "became required"
    } else {
        "became optional"
    };
    let mark = |property: &Property<'d>, list: Option<&'d openapi_document::node::Node>| {
        let name = Mark {
            node: property.node,
            span: property.name_at,
        };
        match property.required {
            Some(node) => (Mark::of(node), "required here"),
            None => (list.map_or(name, Mark::of), "optional here"),
        }
    };
    let finding = Finding {
        base: Some(mark(base, lists.0)),
        revision: Some(mark(revision, lists.1)),
        ..one.finding(id, &next.path, phrase)
    };
    report(comparison, seen, finding, next.provenance);
}

/// Reports changes of `readOnly` and `writeOnly`. Returns whether the property appeared in this
/// direction, or disappeared from it.
fn mutability<'d>(
    comparison: &mut Comparison<'d, '_>,
    one: &Use<'d>,
    next: &Stop<'d>,
    edge: &Edge<'d>,
    flats: (&Flat<'d>, &Flat<'d>),
    seen: &mut Seen,
) -> bool {
    let Step::Property {
        base: Some(base),
        revision: Some(revision),
        ..
    } = &edge.step
    else {
        return false;
    };
    let request = next.place.direction == Direction::Request;
    let side = if request { "request" } else { "response" };
    let required = revision.required.is_some() || base.required.is_some();
    let need = if required { "required" } else { "optional" };
    let mut turned = false;
    for (word, away, from, to) in [
        ("read-only", request, flats.0.read_only, flats.1.read_only),
        (
            "write-only",
            !request,
            flats.0.write_only,
            flats.1.write_only,
        ),
    ] {
        if from.is_some() == to.is_some() {
            continue;
        }
        turned |= away;
        let not = if to.is_some() { "" } else { "not-" };
        let id = format!("{side}-{need}-property-became-{not}{word}");
        let phrase = match (to.is_some(), word) {
            (true, "read-only") => "became read-only: requests no longer contain it",
            (false, "read-only") => "is no longer read-only: requests contain it",
            (true, _) => "became write-only: responses no longer contain it",
            (false, _) => "is no longer write-only: responses contain it",
        };
        let mark = |node: Option<_>, property: &Property<'d>| {
            let name = Mark {
                node: property.node,
                span: property.name_at,
            };
            (node.map_or(name, Mark::of), "")
        };
        let finding = Finding {
            base: Some(mark(from, base)),
            revision: Some(mark(to, revision)),
            ..one.finding(&id, &next.path, phrase)
        };
        report(comparison, seen, finding, next.provenance);
    }
    turned
}

fn lifecycles<'d>(
    comparison: &mut Comparison<'d, '_>,
    one: &Use<'d>,
    next: &Stop<'d>,
    properties: (&Property<'d>, &Property<'d>),
    flats: (&Flat<'d>, &Flat<'d>),
    seen: &mut Seen,
) {
    if next.place.hidden {
        return;
    }
    let request = next.place.direction == Direction::Request;
    let subject = Subject::Property { request };
    let read = |flat: &Flat<'d>, property: &Property<'d>| lifecycle::State {
        at: Mark {
            node: property.node,
            span: property.name_at,
        },
        deprecated: flat.deprecated,
        sunset: flat.sunset,
        stability: flat.stability,
    };
    let states = (read(flats.0, properties.0), read(flats.1, properties.1));
    let days = one.scope.sunset_days;
    for event in lifecycle::compare(
        subject,
        &states.0,
        &states.1,
        comparison.options.today,
        days,
    ) {
        let finding = Finding {
            base: Some((event.base, "")),
            revision: Some((event.revision, "")),
            detail: event.detail,
            ..one.finding(event.id, &next.path, &event.phrase)
        };
        report(comparison, seen, finding, next.provenance);
    }
}
