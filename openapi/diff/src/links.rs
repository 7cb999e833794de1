//! Links of responses: methods of generated code.

use super::both::{Both, template};
use super::schema::canonical;
use super::side::Mark;
use super::{Comparison, Finding};
use openapi_document::node::{Entry, Node};
use openapi_document::pointer::Pointer;
use openapi_document::view::{Document, Located, Method, Response};

/// A link: where it is written, and what it is.
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
    for own in &old {
        match new.iter().find(|other| other.name == own.name) {
            None => note(own.name, own.raw, to.at.node, "removed"),
            Some(other) if meaning(base, own.at.node) != meaning(revision, other.at.node) => {
                let (from, to) = differing(own.at.node, other.at.node);
                note(own.name, from, to, "changed");
            }
            Some(_) => {}
        }
    }
    for own in &new {
        if !old.iter().any(|other| other.name == own.name) {
            note(own.name, from.at.node, own.raw, "added");
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

/// The first keyword that two links do not share, or the links.
fn differing<'d>(from: &'d Node, to: &'d Node) -> (&'d Node, &'d Node) {
    let other = |entry: &'d Entry| Some((&entry.value, to.get(&entry.key)?));
    let mut shared = from.entries().filter_map(other);
    let differ = shared.find(|(from, to)| canonical::text(from) != canonical::text(to));
    differ.unwrap_or((from, to))
}

/// Where a link leads, and with what: its keywords in order, each in one spelling.
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

/// The operation it leads to, by its method and its path, in which names of parameters do not count.
fn target(document: &Document, link: &Node) -> String {
    let text = |key: &str| link.get(key).and_then(Node::as_str);
    let written = || format!("{:?}{:?}", text("operationId"), text("operationRef"));
    let told = |method: Method, path: &str| format!("{method} {}", template(path));
    if let Some(operation) = text("operationId").and_then(|id| document.operation(id)) {
        return told(operation.method, operation.path);
    }
    let pointer =
        text("operationRef").and_then(|to| Pointer::parse_fragment(to.strip_prefix('#')?));
    let segments = pointer.iter().flat_map(Pointer::segments);
    match segments.collect::<Vec<_>>().as_slice() {
        [paths, path, method] if paths == "paths" => {
            Method::parse(method).map_or_else(written, |method| told(method, path))
        }
        _ => written(),
    }
}
