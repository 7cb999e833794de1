//! Part: an object in a body, with the components that describe it.

use std::collections::HashSet;

use openapi_document::view::{Document, Located, Operation, Response};
use openapi_document::{Node, Pointer};

/// The maximum depth to which schemas are followed.
const DEEPEST: usize = 8;

/// The maximum number of items of a list that are read.
const ITEMS: usize = 64;

/// An object in a body.
#[derive(Debug)]
pub struct Part<'d, 'n> {
    /// The components that describe it; empty if its schema is inline.
    pub components: Vec<String>,
    /// Its place in the body.
    pub at: Pointer,
    /// The object.
    pub node: &'n Node,
    /// The properties that its schema lists.
    pub(crate) properties: Vec<(&'d str, Located<'d>)>,
}

impl Part<'_, '_> {
    /// Whether a rule about `owner` applies to this object in a response of `operation`.
    pub fn is_of(&self, owner: &str, operation: &str) -> bool {
        let is_whole = self.at == Pointer::root() && self.components.is_empty();
        self.components.iter().any(|name| name == owner) || is_whole && operation == owner
    }
}

/// The objects in a body that its schema describes. Alternatives are skipped, except one
/// alternative next to `null`.
pub fn parts<'d, 'n>(
    document: &'d Document,
    schema: &Located<'d>,
    body: &'n Node,
) -> Vec<Part<'d, 'n>> {
    let mut found = Vec::new();
    collect(
        document,
        schema,
        (body, Pointer::root()),
        DEEPEST,
        &mut found,
    );
    found
}

fn collect<'d, 'n>(
    document: &'d Document,
    schema: &Located<'d>,
    (node, at): (&'n Node, Pointer),
    depth: usize,
    found: &mut Vec<Part<'d, 'n>>,
) {
    let mut schemas = Vec::new();
    whole(document, schema, DEEPEST, &mut schemas);
    if depth == 0 || schemas.is_empty() {
        return;
    }
    let items = schemas.iter().find_map(|schema| schema.get("items"));
    for (index, item) in node.items().enumerate().take(ITEMS) {
        if let Some(items) = &items {
            let at = at.join(index.to_string());
            collect(document, items, (item, at), depth - 1, found);
        }
    }
    if node.as_mapping().is_none() {
        return;
    }
    let properties: Vec<_> = { schemas.iter() }
        .filter_map(|schema| schema.get("properties"))
        .flat_map(|all| {
            let all: Vec<_> = all
                .entries()
                .map(|(entry, schema)| (entry.key.as_str(), schema))
                .collect();
            all
        })
        .collect();
    for (name, schema) in &properties {
        if let Some(inner) = node.get(name) {
            collect(document, schema, (inner, at.join(*name)), depth - 1, found);
        }
    }
    found.push(Part {
        components: schemas.iter().filter_map(component).collect(),
        at,
        node,
        properties,
    });
}

/// Collects a schema, with references followed, and the schemas that it is composed of.
fn whole<'d>(
    document: &'d Document,
    schema: &Located<'d>,
    depth: usize,
    found: &mut Vec<Located<'d>>,
) {
    let Some(schema) = document.resolve(schema).ok().filter(|_| depth > 0) else {
        return;
    };
    if let Some(all) = schema.get("allOf") {
        all.items()
            .for_each(|part| whole(document, &part, depth - 1, found));
    }
    for keyword in ["oneOf", "anyOf"] {
        let branches: Vec<_> = schema
            .get(keyword)
            .iter()
            .flat_map(|branch| branch.items().collect::<Vec<_>>())
            .collect();
        let is_null =
            |branch: &&Located<'_>| branch.node.get("type").and_then(Node::as_str) == Some("null");
        let mut rest = branches.iter().filter(|branch| !is_null(branch));
        if let (Some(only), None) = (rest.next(), rest.next()) {
            whole(document, only, depth - 1, found);
        }
    }
    found.push(schema);
}

/// The name of the component at which a schema is.
pub(crate) fn component(schema: &Located<'_>) -> Option<String> {
    let segments: Vec<String> = schema.pointer.segments().map(Into::into).collect();
    match &segments[..] {
        [components, schemas, name] if components == "components" && schemas == "schemas" => {
            Some(name.clone())
        }
        _ => None,
    }
}

/// Whether a success response of an operation contains a component, as its body or within it.
pub(crate) fn answers(operation: &Operation<'_>, owner: &str) -> bool {
    let document = operation.document();
    let responses = operation.responses();
    let successes = responses.iter().filter(|item| item.status.is_success());
    let contents = successes.flat_map(Response::content);
    let mut open: Vec<Located<'_>> = contents.filter_map(|media| media.schema()).collect();
    let mut seen = HashSet::new();
    while let Some(schema) = open.pop() {
        let mut schemas = Vec::new();
        whole(document, &schema, DEEPEST, &mut schemas);
        for schema in schemas {
            if component(&schema).as_deref() == Some(owner) {
                return true;
            }
            if seen.insert(schema.pointer.to_string()) {
                open.extend(schema.get("items"));
                let properties = schema.get("properties");
                open.extend(properties.iter().flat_map(|all| {
                    let all: Vec<_> = all.entries().map(|(_, inner)| inner).collect();
                    all
                }));
            }
        }
    }
    false
}
