//! Links: compares the links of responses, which are methods in generated code.

use super::both::{Both, template};
use super::schema::canonical;
use super::side::Mark;
use super::{Comparison, Finding};
use openapi_document::node::{Entry, Node};
use openapi_document::pointer::Pointer;
use openapi_document::view::{Document, Located, Method, Response};

/// A link: its node in the response, and the link object.
struct Link<'d> {
    name: &'d str,
    raw: &'d Node,
    at: Located<'d>,
}

/// Compares the links of a response.
pub(super) fn compare<'d>(
    comparison: &mut Comparison<'d, '_>,
    both: &Both<'d>,
    from: &Response<'d>,
    to: &Response<'d>,
) {
    let (base, revision) = comparison.documents();
    let (old, new) = (links(base, from), links(revision, to));
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
    for link in &old {
        match new.iter().find(|other| other.name == link.name) {
            None => note(link.name, link.raw, to.at.node, "removed"),
            Some(other) if meaning(base, link.at.node) != meaning(revision, other.at.node) => {
                let (from, to) = differing(link.at.node, other.at.node);
                note(link.name, from, to, "changed");
            }
            Some(_) => {}
        }
    }
    for link in &new {
        if !old.iter().any(|other| other.name == link.name) {
            note(link.name, from.at.node, link.raw, "added");
        }
    }
}

fn links<'d>(document: &'d Document, response: &Response<'d>) -> Vec<Link<'d>> {
    let Some(links) = response.at.get("links") else {
        return Vec::new();
    };
    let read = |(entry, raw): (&'d Entry, Located<'d>)| {
        Some(Link {
            name: entry.key.as_str(),
            raw: raw.node,
            at: document.resolve(&raw).ok()?,
        })
    };
    links.entries().filter_map(read).collect()
}

/// The first keyword in which two links differ, or the links themselves.
fn differing<'d>(from: &'d Node, to: &'d Node) -> (&'d Node, &'d Node) {
    let other = |entry: &'d Entry| Some((&entry.value, to.get(&entry.key)?));
    let mut shared = from.entries().filter_map(other);
    let differ = shared.find(|(from, to)| canonical::text(from) != canonical::text(to));
    differ.unwrap_or((from, to))
}

/// The meaning of a link: target and values, in a canonical form.
fn meaning(document: &Document, link: &Node) -> Vec<String> {
    let mut all: Vec<String> = vec![target(document, link)];
    for entry in link.entries() {
        if !matches!(
            entry.key.as_str(),
            "operationId" | "operationRef" | "description"
        ) {
            all.push(format!("{} {}", entry.key, canonical::text(&entry.value)));
        }
    }
    all.sort();
    all
}

/// The target operation by method and path, without the names of parameters.
fn target(document: &Document, link: &Node) -> String {
    let text = |key: &str| link.get(key).and_then(Node::as_str);
    let written = || format!("{:?}{:?}", text("operationId"), text("operationRef"));
    let shown = |method: Method, path: &str| format!("{method} {}", template(path));
    if let Some(operation) = text("operationId").and_then(|id| document.operation(id)) {
        return shown(operation.method, operation.path);
    }
    let pointer =
        text("operationRef").and_then(|to| Pointer::parse_fragment(to.strip_prefix('#')?));
    let segments = pointer.iter().flat_map(Pointer::segments);
    match segments.collect::<Vec<_>>().as_slice() {
        [paths, path, method] if paths == "paths" => {
            Method::parse(method).map_or_else(written, |method| shown(method, path))
        }
        [paths, path, more, method] if paths == "paths" && more == "additionalOperations" => {
            Method::additional(method).map_or_else(written, |method| shown(method, path))
        }
        _ => written(),
    }
}
