//! Identifiers: turns references by `$self`, `$id`, `$anchor` and `$dynamicAnchor` into references
//! by pointers.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use crate::grammar::{Kind, Shape};
use crate::node::{Entry, Node, Value};
use crate::pointer::Pointer;

/// The extension of a schema to which a `$dynamicRef` led that was rewritten: other schemas may extend
/// it.
pub const EXTENDED: &str = "x-extended";

/// Rewrites references to identifiers in the same file; other references stay unchanged.
pub(crate) fn resolve(tree: &mut Node) {
    let kind = match tree.get("openapi").and_then(Node::as_str) {
        Some(version) if version.starts_with("3.0") => return,
        None if tree.get("components").is_none() && tree.get("paths").is_none() => Kind::Schema,
        _ => Kind::Document,
    };
    let mut known = Known::default();
    known.collect(tree, kind, "", &mut Pointer::root());
    if !known.is_empty() {
        known.rewrite(tree, kind, "");
    }
    for pointer in known.extended.take() {
        mark(tree, &pointer);
    }
}

/// Marks a schema as one that others extend.
fn mark(tree: &mut Node, pointer: &Pointer) {
    let mut here = tree;
    for segment in pointer.segments() {
        let child = match &mut here.value {
            Value::Mapping(mapping) => {
                let mut entries = mapping.entries.iter_mut();
                let entry = entries.find(|entry| entry.key == segment);
                entry.map(|entry| &mut entry.value)
            }
            Value::Sequence(items) => {
                let index = segment.parse().ok();
                index.and_then(|index: usize| items.get_mut(index))
            }
            _ => None,
        };
        let Some(child) = child else {
            return;
        };
        here = child;
    }
    if let Value::Mapping(mapping) = &mut here.value {
        mapping.entries.push(Entry {
            key: EXTENDED.to_owned(),
            key_span: here.span,
            value: Node {
                value: Value::Bool(true),
                span: here.span,
            },
        });
    }
}

/// The schemas that have identifiers.
#[derive(Default)]
struct Known {
    /// By `$id`.
    resources: HashMap<String, Pointer>,
    /// By the enclosing `$id` and the anchor.
    anchors: HashMap<(String, String), Pointer>,
    /// The targets of dynamic references, which are there to be extended.
    extended: RefCell<BTreeSet<Pointer>>,
    /// The number of schemas with each `$dynamicAnchor`.
    dynamic: HashMap<String, usize>,
}

impl Known {
    fn is_empty(&self) -> bool {
        self.resources.is_empty() && self.anchors.is_empty()
    }

    fn collect(&mut self, node: &Node, kind: Kind, base: &str, pointer: &mut Pointer) {
        let base = base_of(node, kind, base);
        let text = |key: &str| node.get(key).and_then(Node::as_str);
        if kind == Kind::Document && text("$self").is_some() {
            self.resources.insert(base.clone(), pointer.clone());
        }
        if kind == Kind::Schema {
            if text("$id").is_some() {
                self.resources.insert(base.clone(), pointer.clone());
            }
            let dynamic = text("$dynamicAnchor");
            for name in text("$anchor").into_iter().chain(dynamic) {
                let key = (base.clone(), name.to_owned());
                self.anchors.insert(key, pointer.clone());
            }
            if let Some(name) = dynamic {
                *self.dynamic.entry(name.to_owned()).or_default() += 1;
            }
        }
        for entry in node.entries() {
            let Some(shape) = kind.shape(&entry.key) else {
                continue;
            };
            pointer.push(&entry.key);
            match shape {
                Shape::One(Kind::Any) | Shape::List(Kind::Any) | Shape::Map(Kind::Any) => {}
                Shape::One(kind) => self.collect(&entry.value, kind, &base, pointer),
                Shape::List(kind) => {
                    for (index, item) in entry.value.items().enumerate() {
                        pointer.push(index.to_string());
                        self.collect(item, kind, &base, pointer);
                        pointer.pop();
                    }
                }
                Shape::Map(kind) => {
                    for one in entry.value.entries() {
                        pointer.push(&one.key);
                        self.collect(&one.value, kind, &base, pointer);
                        pointer.pop();
                    }
                }
            }
            pointer.pop();
        }
    }

    fn rewrite(&self, node: &mut Node, kind: Kind, base: &str) {
        let base = base_of(node, kind, base);
        // Outside of schemas, only `$self` makes a reference by an identifier.
        if kind == Kind::Schema || !base.is_empty() {
            self.rewrite_reference(node, &base);
        }
        for (child, kind) in crate::grammar::children_mut(node, kind) {
            self.rewrite(child, kind, &base);
        }
    }

    fn rewrite_reference(&self, node: &mut Node, base: &str) {
        let has_reference = node.get("$ref").is_some();
        let Value::Mapping(mapping) = &mut node.value else {
            return;
        };
        for entry in &mut mapping.entries {
            let dynamic = entry.key == "$dynamicRef" && !has_reference;
            let Some(reference) = entry
                .value
                .as_str()
                .filter(|_| dynamic || entry.key == "$ref")
            else {
                continue;
            };
            let name = reference.rsplit('#').next().unwrap_or_default();
            // If several schemas have the dynamic anchor, the target depends on the path of
            // evaluation.
            if dynamic && self.dynamic.get(name).is_some_and(|count| *count > 1) {
                continue;
            }
            if let Some(target) = self.target(reference, base) {
                let fragment = target.as_str().replace('%', "%25");
                entry.value.value = Value::String(format!("#{fragment}"));
                if dynamic {
                    self.extended.borrow_mut().insert(target);
                }
                "$ref".clone_into(&mut entry.key);
            }
        }
    }

    fn target(&self, reference: &str, base: &str) -> Option<Pointer> {
        let joined = join(base, reference);
        let (resource, fragment) = joined.split_once('#').unwrap_or((&joined, ""));
        let root = Pointer::root();
        let place = match self.resources.get(resource) {
            Some(place) => place,
            None if resource.is_empty() => &root,
            None => return None,
        };
        if fragment.is_empty() {
            return Some(place.clone());
        }
        let Some(inside) = Pointer::parse_fragment(fragment) else {
            let key = (resource.to_owned(), fragment.to_owned());
            return self.anchors.get(&key).cloned();
        };
        let mut target = place.clone();
        inside.segments().for_each(|segment| target.push(segment));
        Some(target)
    }
}

/// The base identifier of an object and its children.
fn base_of(node: &Node, kind: Kind, base: &str) -> String {
    let id = match kind {
        Kind::Schema => node.get("$id"),
        Kind::Document => node.get("$self"),
        _ => None,
    };
    match id.and_then(Node::as_str) {
        Some(id) => join(base, id).trim_end_matches('#').to_owned(),
        None => base.to_owned(),
    }
}

/// Resolves a reference against a base URI (RFC 3986, section 5).
fn join(base: &str, reference: &str) -> String {
    let scheme = |text: &str| {
        let (scheme, _) = text.split_once(':')?;
        let is_scheme = scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
        (is_scheme && !scheme.is_empty()).then_some(scheme.len())
    };
    if scheme(reference).is_some() {
        return reference.to_owned();
    }
    if reference.is_empty() || reference.starts_with('#') {
        return format!("{base}{reference}");
    }
    let begin = scheme(base).map_or(0, |length| length + 1);
    if reference.starts_with("//") {
        return format!("{}{reference}", &base[..begin]);
    }
    let path = match base[begin..].strip_prefix("//") {
        Some(rest) => begin + 2 + rest.find('/').unwrap_or(rest.len()),
        None => begin,
    };
    if reference.starts_with('/') {
        return format!("{}{reference}", &base[..path]);
    }
    let folder = base[path..]
        .rfind('/')
        .map_or("/", |end| &base[path..=path + end]);
    let folder = if base.is_empty() { "" } else { folder };
    format!(
        "{}{}",
        &base[..path],
        without_dots(&format!("{folder}{reference}"))
    )
}

fn without_dots(path: &str) -> String {
    let mut segments: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "." => {}
            ".." if segments.len() > 1 => drop(segments.pop()),
            other => segments.push(other),
        }
    }
    segments.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_by_identifiers_become_pointers() {
        let mut tree = crate::json::read_text(
            r##"{"openapi": "3.1.0", "components": {"schemas": {
                "A": {"$id": "https://example.com/a/tree", "$ref": "node", "$defs": {
                    "node": {"$id": "node", "$anchor": "here"},
                    "self": {"$ref": "#/$defs/node"}, "other": {"$ref": "node#here"}}},
                "B": {"$ref": "#place"}, "C": {"$anchor": "place", "enum": [{"$ref": "#place"}]},
                "D": {"$ref": "other.yaml#/A"}, "E": {"$dynamicRef": "#place"}}}}"##,
        )
        .unwrap();
        resolve(&mut tree);
        let schemas = tree
            .get("components")
            .and_then(|components| components.get("schemas"));
        let at = |path: &str| {
            let node = schemas.unwrap().at(&Pointer::parse(path).unwrap());
            node.and_then(Node::as_str).map(str::to_owned)
        };
        let node = "#/components/schemas/A/$defs/node";
        assert_eq!(at("/A/$ref").as_deref(), Some(node));
        assert_eq!(at("/A/$defs/self/$ref").as_deref(), Some(node));
        assert_eq!(at("/A/$defs/other/$ref").as_deref(), Some(node));
        assert_eq!(at("/B/$ref").as_deref(), Some("#/components/schemas/C"));
        assert_eq!(at("/C/enum/0/$ref").as_deref(), Some("#place"));
        assert_eq!(at("/D/$ref").as_deref(), Some("other.yaml#/A"));
        assert_eq!(at("/E/$ref").as_deref(), Some("#/components/schemas/C"));
        let schema = |name: &str| schemas.and_then(|all| all.get(name)?.get(EXTENDED));
        assert!(schema("C").is_some() && schema("A").is_none());
    }

    #[test]
    fn references_by_the_address_of_the_document_become_pointers() {
        let mut tree = crate::json::read_text(
            r##"{"openapi": "3.2.0", "$self": "https://example.com/shop/api.yaml",
                "paths": {"/a": {"get": {"parameters": [
                    {"$ref": "https://example.com/shop/api.yaml#/components/parameters/P"},
                    {"$ref": "api.yaml#/components/parameters/P"},
                    {"$ref": "#/components/parameters/P"},
                    {"$ref": "other.yaml#/components/parameters/P"}]}}},
                "components": {"schemas": {"A": {"$ref": "/shop/api.yaml#/components/schemas/B"}}}}"##,
        )
        .unwrap();
        resolve(&mut tree);
        let at = |path: &str| {
            let node = tree.at(&Pointer::parse(path).unwrap());
            node.and_then(Node::as_str).unwrap().to_owned()
        };
        let parameter = |index: usize| at(&format!("/paths/~1a/get/parameters/{index}/$ref"));
        for index in 0..3 {
            assert_eq!(parameter(index), "#/components/parameters/P");
        }
        assert_eq!(parameter(3), "other.yaml#/components/parameters/P");
        assert_eq!(at("/components/schemas/A/$ref"), "#/components/schemas/B");
    }

    #[test]
    fn references_are_joined_as_rfc_3986_says() {
        for (base, reference, joined) in [
            ("", "#a", "#a"),
            ("", "a.yaml#/b", "a.yaml#/b"),
            ("urn:a:b", "#x", "urn:a:b#x"),
            ("http://h/a/b", "c", "http://h/a/c"),
            ("http://h/a/b", "../c#d", "http://h/c#d"),
            ("http://h/a/b", "/c", "http://h/c"),
            ("http://h", "c", "http://h/c"),
            ("http://h/a", "//g/c", "http://g/c"),
            ("http://h/a", "urn:x", "urn:x"),
        ] {
            assert_eq!(join(base, reference), joined, "{base} {reference}");
        }
    }
}
