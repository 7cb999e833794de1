//! Callbacks: compares callbacks and webhooks, which the service sends.

use std::rc::Rc;

use super::both::Both;
use super::side::Mark;
use super::{Comparison, Finding, Scope};
use openapi_document::node::Node;
use openapi_document::provenance::Provenance;
use openapi_document::view::{Callback, Operation};

/// Reports added and removed callbacks of an operation, and returns the others.
pub(super) fn compare<'d>(comparison: &mut Comparison<'d, '_>, both: &Both<'d>) -> Vec<Both<'d>> {
    let (old, new) = (both.base.callbacks(), both.revision.callbacks());
    let list = |operation: &Operation<'d>| {
        Mark::of(
            operation
                .at
                .node
                .get("callbacks")
                .unwrap_or(operation.at.node),
        )
    };
    let sides = Sides {
        old: &old,
        new: &new,
        at: (list(&both.base), list(&both.revision)),
    };
    compare_all(comparison, &both.scope, &sides, "callback")
}

/// Reports added and removed webhooks of the document, and returns the others.
pub(super) fn compare_webhooks<'d>(comparison: &mut Comparison<'d, '_>) -> Vec<Both<'d>> {
    let (base, revision) = comparison.documents();
    let (old, new) = (base.webhooks(), revision.webhooks());
    let list = |root| Mark::of(Node::get(root, "webhooks").unwrap_or(root));
    let sides = Sides {
        old: &old,
        new: &new,
        at: (list(&base.root), list(&revision.root)),
    };
    compare_all(comparison, &Scope::default(), &sides, "webhook")
}

/// The callbacks or webhooks on both sides.
struct Sides<'s, 'd> {
    old: &'s [Callback<'d>],
    new: &'s [Callback<'d>],
    /// The places of the lists.
    at: (Mark<'d>, Mark<'d>),
}

fn compare_all<'d>(
    comparison: &mut Comparison<'d, '_>,
    scope: &Scope,
    sides: &Sides<'_, 'd>,
    word: &str,
) -> Vec<Both<'d>> {
    let mut stayed = Vec::new();
    let same = |a: &Callback<'_>, b: &Callback<'_>| {
        a.name == b.name
            && a.operation.path == b.operation.path
            && a.operation.method == b.operation.method
    };
    for from in sides.old {
        match sides.new.iter().find(|to| same(from, to)) {
            Some(to) => {
                let provenance = Provenance::of(from.operation.at.node);
                stayed.push(Both {
                    base: from.operation.clone(),
                    revision: to.operation.clone(),
                    scope: Rc::new(inner(scope, to, word)),
                    provenance: provenance
                        .map_or(openapi_document::provenance::Level::Documented, |known| {
                            known.level
                        }),
                    is_callback: true,
                });
            }
            None => comparison.push(Finding {
                base: Some((Mark::of(from.operation.at.node), "was here")),
                revision: Some((sides.at.1, "it is no longer here")),
                ..finding(scope, from, word, "removed")
            }),
        }
    }
    for to in sides.new {
        if !sides.old.iter().any(|from| same(from, to)) {
            comparison.push(Finding {
                base: Some((sides.at.0, "it is not here")),
                revision: Some((Mark::of(to.operation.at.node), "added here")),
                ..finding(scope, to, word, "added")
            });
        }
    }
    stayed
}

fn finding<'d>(scope: &Scope, one: &Callback<'_>, word: &str, action: &str) -> Finding<'d> {
    let title = format!("{word} `{}` was {action}", one.name);
    Finding::new(
        format!("{word}-{action}"),
        scope,
        format!("{word} {}", label(one)),
        title,
    )
}

fn label(one: &Callback<'_>) -> String {
    format!(
        "{} {} {}",
        one.name, one.operation.method, one.operation.path
    )
    .trim()
    .to_owned()
}

/// The scope of a callback, inside that of its operation.
fn inner(scope: &Scope, one: &Callback<'_>, word: &str) -> Scope {
    let name = format!("{word} {}", label(one));
    let operation = match &scope.operation {
        Some(outer) => format!("{outer} {name}"),
        None => name,
    };
    Scope {
        operation: Some(operation),
        ..scope.clone()
    }
}
