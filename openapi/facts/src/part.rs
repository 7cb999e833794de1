//! Part: an object within a body, with the components that describe it.

use std::collections::HashSet;

use openapi_document::view::{Document, Located, Operation, Response};
use openapi_document::{Node, Pointer};

/// Schemas are followed so deep at most.
const DEEPEST: usize = 8;

/// So many items of a list are looked at.
const ITEMS: usize = 64;

/// An object within a body.
#[derive(Debug)]
pub struct Part<'d, 'n> {
    /// The names of the components that describe it; none of an object that is described where it stands.
    pub components: Vec<String>,
    /// Where it stands.
    pub at: Pointer,
    /// The object.
    pub node: &'n Node,
    /// Its properties, as far as its schema has them.
    pub(crate) properties: Vec<(&'d str, Located<'d>)>,
}

impl Part<'_, '_> {
    /// Whether a rule about an owner is about this object in an answer of an operation.
    pub fn is_of(&self, owner: &str, operation: &str) -> bool {
        let is_whole = self.at == Pointer::root() && self.components.is_empty();
        self.components.iter().any(|name| name == owner) || is_whole && operation == owner
    }
}

/// The objects within a body that its schema describes. Of alternatives none counts, but beside `null`.
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

/// A schema with its references followed, and what it is composed of.
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
            .flat_map(|own| own.items().collect::<Vec<_>>())
            .collect();
        let is_null =
            |own: &&Located<'_>| own.node.get("type").and_then(Node::as_str) == Some("null");
        let mut rest = branches.iter().filter(|own| !is_null(own));
        if let (Some(only), None) = (rest.next(), rest.next()) {
            whole(document, only, depth - 1, found);
        }
    }
    found.push(schema);
}

/// The name of the component that a schema is.
pub(crate) fn component(schema: &Located<'_>) -> Option<String> {
    let segments: Vec<String> = schema.pointer.segments().map(Into::into).collect();
    match &segments[..] {
        [components, schemas, name] if components == "components" && schemas == "schemas" => {
            Some(name.clone())
        }
        _ => None,
    }
}

/// Whether a success of an operation answers a component, whole or within.
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
