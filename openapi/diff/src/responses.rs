//! Responses: compares statuses, headers, bodies and links.

use std::rc::Rc;

use super::both::Both;
use super::media_types::{self, Owner};
use super::place::{Place, Root};
use super::rule::Direction;
use super::schema::Between;
use super::side::Mark;
use super::{Comparison, Finding, Use, links};
use openapi_document::node::Node;
use openapi_document::view::{Location, Operation, Response, Status};

/// Compares the responses of an operation. The client sends the response to a callback, so its
/// direction is that of a request.
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
                provenance: from.level(both.base.level()),
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
        provenance: from.level(both.base.level()),
    };
    media_types::compare(comparison, both, &owner, &from.content(), &to.content());
    links::compare(comparison, both, from, to);
}

fn required(node: &Node) -> bool {
    node.get("required").and_then(Node::as_bool) == Some(true)
}

/// Reports an added or removed header. A header of a response to a callback is treated like a
/// parameter.
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

/// A header that exists on both sides.
struct Header<'a, 'd> {
    both: &'a Both<'d>,
    nodes: (&'d Node, &'d Node),
    subject: String,
    title: String,
    direction: Direction,
}

/// Compares a header that exists on both sides.
pub(super) fn compare_header<'d>(
    comparison: &mut Comparison<'d, '_>,
    both: &Both<'d>,
    (name, from, to): (&str, &'d Node, &'d Node),
    subject: &str,
    direction: Direction,
) {
    let header = Header {
        both,
        nodes: (from, to),
        subject: format!("{subject} header {}", name.to_ascii_lowercase()),
        title: format!("header `{name}`"),
        direction,
    };
    if let Some((id, phrase)) = header.requiredness() {
        comparison.push(header.finding(id, "required", phrase));
    }
    if writing(from) != writing(to) {
        let id = match direction {
            Direction::Request => "request-parameter-content-changed",
            _ => "response-header-serialization-changed",
        };
        comparison.push(header.finding(id, "explode", "has another `explode` or media type"));
    }
    header.compare_schemas(comparison);
}

impl<'d> Header<'_, 'd> {
    fn finding(&self, id: &str, key: &str, phrase: &str) -> Finding<'d> {
        let mark = |node: &'d Node| (Mark::of(node.get(key).unwrap_or(node)), "");
        Finding {
            title: format!("{} {phrase}", self.title),
            base: Some(mark(self.nodes.0)),
            revision: Some(mark(self.nodes.1)),
            ..self.both.finding(id, &self.subject, "")
        }
    }

    /// The rule for a header that became required or optional.
    fn requiredness(&self) -> Option<(&'static str, &'static str)> {
        let request = self.direction == Direction::Request;
        match (required(self.nodes.0), required(self.nodes.1)) {
            (true, false) if request => {
                Some(("request-parameter-became-optional", "became optional"))
            }
            (false, true) if request => {
                Some(("request-parameter-became-required", "became required"))
            }
            (true, false) => Some(("response-header-became-optional", "became optional")),
            (false, true) => Some(("response-header-became-required", "always comes")),
            _ => None,
        }
    }

    fn compare_schemas(self, comparison: &mut Comparison<'d, '_>) {
        let (old, new) = (schema(self.nodes.0), schema(self.nodes.1));
        let between = Between {
            base: old.as_slice(),
            revision: new.as_slice(),
            owners: self.nodes,
        };
        let Some(pair) = comparison.pairs.enter(between) else {
            return;
        };
        let root = match self.direction {
            Direction::Request => Root::Parameter(Location::Header),
            _ => Root::Header,
        };
        comparison.uses.push(Use {
            scope: Rc::clone(&self.both.scope),
            place: Place::new(self.direction, root, true),
            subject: self.subject,
            name: self.title,
            provenance: self.both.provenance,
            pair,
            sites: old
                .zip(new)
                .map(|(old, new)| (Mark::of(old), Mark::of(new))),
        });
    }
}

/// The serialization of a header: `explode` and media types.
fn writing(header: &Node) -> (bool, Vec<String>) {
    let explode = header.get("explode").and_then(Node::as_bool) == Some(true);
    let content = header.get("content").into_iter().flat_map(Node::entries);
    (explode, content.map(|entry| entry.key.clone()).collect())
}

fn schema(header: &Node) -> Option<&Node> {
    let content = header
        .get("content")
        .and_then(|content| content.entries().next());
    header
        .get("schema")
        .or_else(|| content?.value.get("schema"))
}
