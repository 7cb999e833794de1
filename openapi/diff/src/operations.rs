//! Operations: compares the operations of two documents.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::both::{Both, mark, name, template};
use super::lifecycle::{self, Stability, State, Subject, Sunset};
use super::rule::Level;
use super::side::Mark;
use super::{
    Comparison, Finding, Scope, bodies, callbacks, parameters, responses, security, servers,
};
use openapi_document::node::Node;
use openapi_document::provenance::{self, Provenance};
use openapi_document::view::{Document, Located, Method, Operation};

type Key = (String, Method);

/// Compares the operations of two documents.
pub(super) fn compare(comparison: &mut Comparison<'_, '_>) {
    let (base, revision) = comparison.documents();
    let (old, new) = (base.operations(), revision.operations());
    let places: HashMap<Key, usize> = new
        .iter()
        .enumerate()
        .map(|(place, operation)| (key(operation), place))
        .collect();
    let mut known = HashSet::new();
    for operation in &old {
        match places.get(&key(operation)).map(|place| &new[*place]) {
            Some(after) => {
                let both = both(comparison, operation, after);
                compare_both(comparison, &both);
            }
            None => removed(comparison, operation, &new),
        }
        known.insert(key(operation));
    }
    for operation in &new {
        if !known.contains(&key(operation)) {
            added(comparison, operation, &old);
        }
    }
    security::compare_root(comparison, &old, &new);
}

/// Compares the webhooks of two documents.
pub(super) fn compare_webhooks(comparison: &mut Comparison<'_, '_>) {
    for webhook in callbacks::compare_webhooks(comparison) {
        compare_both(comparison, &webhook);
    }
}

/// The key of an operation: method, and path without the names of parameters.
fn key(operation: &Operation<'_>) -> Key {
    (template(operation.path), operation.method)
}

fn both<'d>(comparison: &Comparison<'d, '_>, old: &Operation<'d>, new: &Operation<'d>) -> Both<'d> {
    let promised = State::of(old.at.node, Mark::of(old.at.node)).stability();
    let days = State::of(new.at.node, Mark::of(new.at.node))
        .stability()
        .days(comparison.options);
    Both {
        base: old.clone(),
        revision: new.clone(),
        scope: Rc::new(Scope {
            operation: Some(name(new)),
            at_most: at_most(promised),
            sunset_days: days,
        }),
        provenance: old.level(),
        is_callback: false,
    }
}

/// The highest level for an operation of this stability: drafts and alphas promise nothing.
pub(super) fn at_most(stability: Stability) -> Option<Level> {
    (stability <= Stability::Alpha).then_some(Level::Info)
}

/// Compares an operation that exists on both sides.
fn compare_both<'d>(comparison: &mut Comparison<'d, '_>, both: &Both<'d>) {
    compare_life(comparison, both);
    compare_names(comparison, both);
    compare_tags(comparison, both);
    security::compare_operation(comparison, both);
    servers::compare_operation(comparison, both);
    parameters::compare(comparison, both);
    bodies::compare(comparison, both);
    responses::compare(comparison, both);
    if !both.is_callback {
        for callback in callbacks::compare(comparison, both) {
            compare_both(comparison, &callback);
        }
    }
}

fn compare_life<'d>(comparison: &mut Comparison<'d, '_>, both: &Both<'d>) {
    let state = |operation: &Operation<'d>| State::of(operation.at.node, mark(operation));
    let (old, new) = (state(&both.base), state(&both.revision));
    let (today, days) = (comparison.options.today, both.scope.sunset_days);
    for event in lifecycle::compare(Subject::Operation, &old, &new, today, days) {
        comparison.push(Finding {
            detail: event.detail,
            base: Some((event.base, "")),
            revision: Some((event.revision, "")),
            ..both.finding(event.id, "operation", &event.phrase)
        });
    }
}

/// Compares `operationId`s, which name methods in generated code.
fn compare_names<'d>(comparison: &mut Comparison<'d, '_>, both: &Both<'d>) {
    let node = |operation: &Operation<'d>| operation.at.node.get("operationId");
    let (id, phrase) = match (both.base.id(), both.revision.id()) {
        (None, Some(new)) => ("api-operation-id-added", format!("got the id `{new}`")),
        (Some(old), None) => ("api-operation-id-removed", format!("lost the id `{old}`")),
        (Some(old), Some(new)) if old != new => (
            "api-operation-id-changed",
            format!("has the id `{new}` instead of `{old}`"),
        ),
        _ => return,
    };
    let mark = |operation: &Operation<'d>| Mark::of(node(operation).unwrap_or(operation.at.node));
    let shown = |id: Option<&str>| id.unwrap_or("none").to_owned();
    comparison.push(Finding {
        detail: format!("{} → {}", shown(both.base.id()), shown(both.revision.id())),
        base: Some((mark(&both.base), "")),
        revision: Some((mark(&both.revision), "")),
        ..both.finding(id, "operation", &phrase)
    });
}

fn compare_tags<'d>(comparison: &mut Comparison<'d, '_>, both: &Both<'d>) {
    let tags = |operation: &Operation<'d>| {
        let list = operation.at.node.get("tags");
        let items: Vec<(&'d str, &'d Node)> = list
            .into_iter()
            .flat_map(Node::items)
            .filter_map(|item| Some((item.as_str()?, item)))
            .collect();
        (list.unwrap_or(operation.at.node), items)
    };
    let ((old_at, old), (new_at, new)) = (tags(&both.base), tags(&both.revision));
    let missing =
        |from: &[(&str, &Node)], name: &str| !from.iter().any(|(other, _)| *other == name);
    for (name, node) in &new {
        if missing(&old, name) {
            comparison.push(Finding {
                detail: (*name).to_owned(),
                base: Some((Mark::of(old_at), "")),
                revision: Some((Mark::of(node), "added here")),
                ..both.finding(
                    "api-tag-added",
                    "operation",
                    &format!("got the tag `{name}`"),
                )
            });
        }
    }
    for (name, node) in &old {
        if missing(&new, name) {
            comparison.push(Finding {
                detail: (*name).to_owned(),
                base: Some((Mark::of(node), "was here")),
                revision: Some((Mark::of(new_at), "")),
                ..both.finding(
                    "api-tag-removed",
                    "operation",
                    &format!("lost the tag `{name}`"),
                )
            });
        }
    }
}

fn added<'d>(
    comparison: &mut Comparison<'d, '_>,
    operation: &Operation<'d>,
    old: &[Operation<'d>],
) {
    let (base, revision) = comparison.documents();
    let scope = Scope {
        operation: Some(name(operation)),
        ..Scope::default()
    };
    let finding = Finding::new("endpoint-added", &scope, "operation", "operation was added");
    comparison.push(Finding {
        base: Some((enclosing(base, operation, old), "it is not here")),
        revision: Some((outermost(revision, base, operation), "added here")),
        ..finding
    });
}

/// The path item of an operation in the other document, or its `paths`.
fn enclosing<'d>(
    document: &'d Document,
    operation: &Operation<'d>,
    others: &[Operation<'d>],
) -> Mark<'d> {
    let path = template(operation.path);
    let sibling = others.iter().find(|other| template(other.path) == path);
    let paths = document.root.get("paths").unwrap_or(&document.root);
    let item = sibling.map(|other| &other.item);
    Mark::of(item.map_or(paths, |item: &Located<'d>| item.node))
}

/// Reports a removed operation, depending on its deprecation and sunset.
fn removed<'d>(
    comparison: &mut Comparison<'d, '_>,
    operation: &Operation<'d>,
    new: &[Operation<'d>],
) {
    let (base, revision) = comparison.documents();
    let whole_path = !has_path(revision, operation);
    let node = operation.at.node;
    let state = State::of(node, Mark::of(node));
    let today = comparison.options.today;
    let (path_id, id, phrase) = match (state.deprecated, state.sunset()) {
        (None, _) => (
            "api-path-removed-without-deprecation",
            "api-removed-without-deprecation",
            "was removed without deprecation".to_owned(),
        ),
        (Some(_), Sunset::NoDate(text)) => (
            "api-path-sunset-parse",
            "api-deprecated-sunset-parse",
            format!("was removed, and its sunset `{text}` is not a date"),
        ),
        (Some(_), Sunset::On(date)) if date > today => (
            "api-path-removed-before-sunset",
            "api-removed-before-sunset",
            format!("was removed before its sunset on {date}"),
        ),
        (Some(_), _) => (
            "api-path-removed-with-deprecation",
            "api-removed-with-deprecation",
            "was removed after its sunset".to_owned(),
        ),
    };
    let scope = Scope {
        operation: Some(name(operation)),
        at_most: at_most(state.stability()),
        sunset_days: 0,
    };
    let id = if whole_path { path_id } else { id };
    let finding = Finding::new(id, &scope, "operation", format!("operation {phrase}"));
    comparison.push(Finding {
        provenance: Provenance::of(node).map_or(provenance::Level::Documented, |known| known.level),
        base: Some((outermost(base, revision, operation), "was here")),
        revision: Some((enclosing(revision, operation, new), "it is no longer here")),
        ..finding
    });
}

/// The mark of a one-sided operation; its path, if the other document does not have the path.
fn outermost<'d>(document: &'d Document, other: &Document, operation: &Operation<'d>) -> Mark<'d> {
    let paths = document
        .root
        .get("paths")
        .into_iter()
        .flat_map(Node::entries);
    let path = paths.into_iter().find(|entry| entry.key == operation.path);
    match path.filter(|_| !has_path(other, operation)) {
        Some(entry) => Mark {
            node: operation.at.node,
            span: entry.key_span,
        },
        None => mark(operation),
    }
}

fn has_path(document: &Document, operation: &Operation<'_>) -> bool {
    let path = template(operation.path);
    let paths = document
        .root
        .get("paths")
        .into_iter()
        .flat_map(Node::entries);
    paths.into_iter().any(|entry| template(&entry.key) == path)
}
