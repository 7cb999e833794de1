//! Responses: statuses, headers, bodies and links.

use std::rc::Rc;

use super::media_types::{self, Owner};
use super::operations::Both;
use super::place::{Place, Root};
use super::rule::Direction;
use super::schema::{Between, canonical};
use super::side::Mark;
use super::{Comparison, Finding, Use};
use crate::document::{Location, Operation, Response, Status};
use crate::node::Node;

/// Compares what an operation answers. What answers a callback is sent.
pub(super) fn compare<'d>(comparison: &mut Comparison<'d, '_>, both: &Both<'d>) {
    let (old, new) = (both.base.responses(), both.revision.responses());
    let list = |operation: &Operation<'d>| {
        Mark::of(
            operation
                .at
                .node
                .get("responses")
                .unwrap_or(operation.at.node),
        )
    };
    for from in &old {
        match new.iter().find(|to| to.status == from.status) {
            Some(to) => compare_both(comparison, both, from, to),
            None => comparison.push(Finding {
                base: Some((
                    Mark {
                        node: from.at.node,
                        span: from.key_span,
                    },
                    "was here",
                )),
                revision: Some((list(&both.revision), "it is no longer here")),
                provenance: from.level(&both.base),
                ..status(both, from.status, "removed")
            }),
        }
    }
    for to in &new {
        if !old.iter().any(|from| from.status == to.status) {
            comparison.push(Finding {
                base: Some((list(&both.base), "it is not here")),
                revision: Some((
                    Mark {
                        node: to.at.node,
                        span: to.key_span,
                    },
                    "added here",
                )),
                ..status(both, to.status, "added")
            });
        }
    }
}

fn status<'d>(both: &Both<'d>, status: Status, action: &str) -> Finding<'d> {
    let success = matches!(status, Status::Code(200..=299) | Status::Range(2));
    let kind = if success { "success" } else { "non-success" };
    let id = format!("response-{kind}-status-{action}");
    both.finding(&id, &format!("response {status}"), &format!("was {action}"))
}

fn compare_both<'d>(
    comparison: &mut Comparison<'d, '_>,
    both: &Both<'d>,
    from: &Response<'d>,
    to: &Response<'d>,
) {
    let direction = if both.is_callback {
        Direction::Request
    } else {
        Direction::Response
    };
    let subject = format!("response {}", from.status);
    let owners = (from.at.node, to.at.node);
    let (old, new) = (from.headers(), to.headers());
    let same = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
    for (name, header) in &old {
        if let Some((_, after)) = new.iter().find(|(other, _)| same(other, name)) {
            let names = (*name, header.node, after.node);
            compare_header(comparison, both, names, &subject, direction);
        } else {
            let nodes = (Some(header.node), None);
            header_exists(comparison, both, name, nodes, owners, &subject, direction);
        }
    }
    for (name, header) in &new {
        if !old.iter().any(|(other, _)| same(other, name)) {
            let nodes = (None, Some(header.node));
            header_exists(comparison, both, name, nodes, owners, &subject, direction);
        }
    }
    let owner = Owner {
        nodes: (from.at.node, to.at.node),
        name: format!("{subject} body"),
        subject: subject.clone(),
        direction,
        provenance: from.level(&both.base),
    };
    media_types::compare(comparison, both, &owner, &from.content(), &to.content());
    compare_links(comparison, both, from, to);
}

fn required(node: &Node) -> bool {
    node.get("required").and_then(Node::as_bool) == Some(true)
}

/// A header that came or went; of what answers a callback it is as a parameter.
pub(super) fn header_exists<'d>(
    comparison: &mut Comparison<'d, '_>,
    both: &Both<'d>,
    name: &str,
    nodes: (Option<&'d Node>, Option<&'d Node>),
    owners: (&'d Node, &'d Node),
    subject: &str,
    direction: Direction,
) {
    let must = nodes.0.or(nodes.1).is_some_and(required);
    let request = direction == Direction::Request;
    let id = match (nodes.1.is_some(), must) {
        (true, true) if request => "new-required-request-parameter",
        (true, false) if request => "new-optional-request-parameter",
        (true, _) => "response-header-added",
        (false, _) if request => "request-parameter-removed",
        (false, true) => "required-response-header-removed",
        (false, false) => "optional-response-header-removed",
    };
    let phrase = if nodes.1.is_some() {
        "was added"
    } else {
        "was removed"
    };
    let mark = |node: Option<&'d Node>, owner: &'d Node, here: &'static str| match node {
        Some(node) => (Mark::of(node), here),
        None => (
            Mark::of(owner.get("headers").unwrap_or(owner)),
            "it is not here",
        ),
    };
    let name_only = name.to_ascii_lowercase();
    comparison.push(Finding {
        title: format!("header `{name}` of the {subject} {phrase}"),
        base: Some(mark(nodes.0, owners.0, "was here")),
        revision: Some(mark(nodes.1, owners.1, "added here")),
        ..both.finding(id, &format!("{subject} header {name_only}"), "")
    });
}

/// Compares a header that is there on both sides.
pub(super) fn compare_header<'d>(
    comparison: &mut Comparison<'d, '_>,
    both: &Both<'d>,
    (name, from, to): (&str, &'d Node, &'d Node),
    subject: &str,
    direction: Direction,
) {
    let lower = name.to_ascii_lowercase();
    let subject = format!("{subject} header {lower}");
    let title = format!("header `{name}`");
    let finding = |id: &str, key: &str, phrase: &str| {
        let mark = |node: &'d Node| (Mark::of(node.get(key).unwrap_or(node)), "");
        Finding {
            title: format!("{title} {phrase}"),
            base: Some(mark(from)),
            revision: Some(mark(to)),
            ..both.finding(id, &subject, "")
        }
    };
    let request = direction == Direction::Request;
    match (required(from), required(to)) {
        (true, false) if request => {
            comparison.push(finding(
                "request-parameter-became-optional",
                "required",
                "became optional",
            ));
        }
        (false, true) if request => {
            comparison.push(finding(
                "request-parameter-became-required",
                "required",
                "became required",
            ));
        }
        (true, false) => {
            comparison.push(finding(
                "response-header-became-optional",
                "required",
                "may be missing",
            ));
        }
        (false, true) => {
            comparison.push(finding(
                "response-header-became-required",
                "required",
                "always comes",
            ));
        }
        _ => {}
    }
    let writing = |node: &Node| {
        let explode = node.get("explode").and_then(Node::as_bool) == Some(true);
        let media: Vec<_> = node
            .get("content")
            .into_iter()
            .flat_map(Node::entries)
            .map(|entry| entry.key.clone())
            .collect();
        (explode, media)
    };
    if writing(from) != writing(to) {
        let id = match direction {
            Direction::Request => "request-parameter-content-changed",
            _ => "response-header-serialization-changed",
        };
        comparison.push(finding(id, "explode", "is written in another way"));
    }
    let schema = |node: &'d Node| {
        let content = node
            .get("content")
            .and_then(|content| content.entries().next());
        node.get("schema").or_else(|| content?.value.get("schema"))
    };
    let (old, new) = (schema(from), schema(to));
    let between = Between {
        base: old.as_slice(),
        revision: new.as_slice(),
        owners: (from, to),
    };
    if let Some(pair) = comparison.pairs.enter(between) {
        let root = if request {
            Root::Parameter(Location::Header)
        } else {
            Root::Header
        };
        comparison.uses.push(Use {
            scope: Rc::clone(&both.scope),
            place: Place::new(direction, root, true),
            subject,
            name: title,
            provenance: both.provenance,
            pair,
            sites: old
                .zip(new)
                .map(|(old, new)| (Mark::of(old), Mark::of(new))),
        });
    }
}

/// Links are methods of generated code.
fn compare_links<'d>(
    comparison: &mut Comparison<'d, '_>,
    both: &Both<'d>,
    from: &Response<'d>,
    to: &Response<'d>,
) {
    let links = |response: &Response<'d>| {
        let list = response.at.node.get("links");
        list.into_iter().flat_map(Node::entries).collect::<Vec<_>>()
    };
    let (old, new) = (links(from), links(to));
    let mut note = |name: &str, base: &'d Node, revision: &'d Node, action: &str| {
        let subject = format!("response {} link {name}", from.status);
        let phrase = if action == "changed" {
            "leads elsewhere"
        } else {
            action
        };
        comparison.push(Finding {
            base: Some((Mark::of(base), "")),
            revision: Some((Mark::of(revision), "")),
            ..both.finding(&format!("response-link-{action}"), &subject, phrase)
        });
    };
    for entry in &old {
        match new.iter().find(|other| other.key == entry.key) {
            None => note(&entry.key, &entry.value, to.at.node, "removed"),
            Some(other) if canonical::text(&entry.value) != canonical::text(&other.value) => {
                note(&entry.key, &entry.value, &other.value, "changed");
            }
            Some(_) => {}
        }
    }
    for entry in &new {
        if !old.iter().any(|other| other.key == entry.key) {
            note(&entry.key, from.at.node, &entry.value, "added");
        }
    }
}
