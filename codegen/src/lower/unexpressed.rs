//! Reports what `OpenAPI` 3.2 added and the code does not express.

use openapi_document::grammar::{Kind, walk};
use openapi_document::node::Node;
use openapi_document::pointer::Pointer;
use openapi_document::view::Method;

use super::Lowering;

/// A keyword, and what it means that it is not expressed.
const KEYWORDS: &[(Kind, &str, &str)] = &[
    (
        Kind::MediaType,
        "prefixEncoding",
        "the body is raw bytes, and its parts are not told apart",
    ),
    (
        Kind::MediaType,
        "itemEncoding",
        "the body is raw bytes, and its parts are not told apart",
    ),
    (Kind::Encoding, "encoding", "the part is one value"),
    (Kind::Encoding, "prefixEncoding", "the part is one value"),
    (Kind::Encoding, "itemEncoding", "the part is one value"),
    (
        Kind::OauthFlows,
        "deviceAuthorization",
        "the caller fetches the token",
    ),
];

impl Lowering<'_> {
    /// Reports each keyword, method and parameter of 3.2 that is left out, with its place.
    pub(super) fn tell_of_unexpressed(&mut self) {
        let document = self.document;
        let mut found: Vec<(Pointer, String)> = Vec::new();
        let root = &mut Pointer::root();
        walk(
            &document.root,
            Kind::Document,
            root,
            &mut |node, kind, at| {
                found.extend(unexpressed(node, kind, at));
                true
            },
        );
        for (pointer, title) in found {
            if let Some(at) = document.lookup(&pointer) {
                self.warn("keyword-not-expressed", &at, title);
            }
        }
    }
}

fn unexpressed(node: &Node, kind: Kind, pointer: &Pointer) -> Vec<(Pointer, String)> {
    let below = |key: &str| {
        let mut pointer = pointer.clone();
        pointer.push(key);
        pointer
    };
    let keywords = KEYWORDS.iter();
    let keywords = keywords.filter(|(of, key, _)| *of == kind && node.get(key).is_some());
    let mut found: Vec<(Pointer, String)> = keywords
        .map(|(_, key, meaning)| (below(key), format!("`{key}` is not expressed: {meaning}")))
        .collect();
    if kind == Kind::Parameter && node.get("in").and_then(Node::as_str) == Some("querystring") {
        let title = "a parameter that is the whole query is not expressed, and is left out";
        found.push((pointer.clone(), title.to_owned()));
    }
    let more = node.get("additionalOperations");
    let more = more.filter(|_| kind == Kind::PathItem).into_iter();
    for entry in more.flat_map(Node::entries) {
        if Method::additional(&entry.key).is_none() {
            let mut at = below("additionalOperations");
            at.push(&entry.key);
            let title = format!("`{}` is no additional method, and is left out", entry.key);
            found.push((at, title));
        }
    }
    found
}
