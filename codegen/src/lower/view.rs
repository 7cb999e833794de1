//! A schema as the conjunction of all objects that describe it: itself, what it refers to, and the
//! members of its `allOf`.

use std::collections::HashSet;

use openapi_document::node::Node;
use openapi_document::pointer::Pointer;
use openapi_document::view::{Document, Located, ResolveError};

/// One schema object of a conjunction.
#[derive(Debug, Clone)]
pub(super) struct Part<'d> {
    pub(super) at: Located<'d>,
    /// Whether its `oneOf` and `anyOf` are already handled.
    pub(super) chosen: bool,
    /// Whether values must still be checked against its `oneOf` and `anyOf`.
    pub(super) held: bool,
}

impl<'d> Part<'d> {
    pub(super) fn new(at: Located<'d>) -> Self {
        Self {
            at,
            chosen: false,
            held: false,
        }
    }

    pub(super) fn key(&self) -> (Pointer, bool) {
        (self.at.pointer.clone(), self.chosen)
    }
}

/// All schema objects that apply at one place.
#[derive(Debug, Clone)]
pub(super) struct View<'d> {
    pub(super) parts: Vec<Part<'d>>,
}

/// Keywords that constrain the value, and do not only describe the schema.
pub(super) const STRUCTURAL: &[&str] = &[
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contains",
    "dependentRequired",
    "dependentSchemas",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "if",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "required",
    "unevaluatedItems",
    "unevaluatedProperties",
    "x-extensible-enum",
];

/// Whether a schema object does not constrain its value, except perhaps to an object.
pub(super) fn is_annotation(node: &Node) -> bool {
    let says = |key: &str| STRUCTURAL.contains(&key);
    let object = node
        .get("type")
        .is_none_or(|kind| kind.as_str() == Some("object"));
    node.as_bool() != Some(false) && object && !node.entries().any(|entry| says(&entry.key))
}

/// The end of a chain of references, or the first reference with sibling keywords that constrain
/// the value. In `OpenAPI` 3.0, siblings of a reference are ignored.
pub(super) fn target<'d>(
    document: &'d Document,
    from: &Located<'d>,
) -> Result<Located<'d>, ResolveError> {
    let end = document.resolve(from)?;
    if document.version().is_none_or(|own| own.starts_with("3.0")) {
        return Ok(end);
    }
    let mut here = from.clone();
    while !says_more(here.node)
        && let Some(next) = document.follow(&here)?
    {
        here = next;
    }
    Ok(here)
}

/// Whether the node has a reference and sibling keywords that constrain the value.
fn says_more(node: &Node) -> bool {
    let mut keys = node.entries().map(|entry| entry.key.as_str());
    node.reference().is_some()
        && keys.any(|key| key == "type" || (key != "$ref" && STRUCTURAL.contains(&key)))
}

impl<'d> View<'d> {
    /// Collects the conjunction. The second value has the references that do not resolve.
    pub(super) fn of(document: &'d Document, parts: &[Part<'d>]) -> (Self, Vec<Located<'d>>) {
        let chosen: Vec<Pointer> = parts
            .iter()
            .filter(|part| part.chosen)
            .map(|part| part.at.pointer.clone())
            .collect();
        let mut view = Self { parts: Vec::new() };
        let mut lost = Vec::new();
        let mut seen = HashSet::new();
        let mut open: Vec<Located<'d>> = parts.iter().rev().map(|part| part.at.clone()).collect();
        while let Some(at) = open.pop() {
            let Ok(at) = target(document, &at) else {
                lost.push(at);
                continue;
            };
            if !seen.insert(at.pointer.clone()) {
                continue;
            }
            if let Some(members) = at.get("allOf") {
                let members: Vec<_> = members.items().collect();
                open.extend(members.into_iter().rev());
            }
            // Siblings of a reference apply as well.
            match document.follow(&at) {
                Ok(Some(target)) => open.push(target),
                Ok(None) => {}
                Err(_) => lost.push(at.clone()),
            }
            let chosen = chosen.contains(&at.pointer);
            let held = false;
            view.parts.push(Part { at, chosen, held });
        }
        (view, lost)
    }

    /// The value of a keyword in the first object that has it.
    pub(super) fn get(&self, key: &str) -> Option<Located<'d>> {
        self.parts.iter().find_map(|part| part.at.get(key))
    }

    /// The values of a keyword in all objects that have it.
    pub(super) fn all(&self, key: &str) -> Vec<Located<'d>> {
        self.parts
            .iter()
            .filter_map(|part| part.at.get(key))
            .collect()
    }

    /// Whether any object has the flag set.
    pub(super) fn flag(&self, key: &str) -> bool {
        self.all(key)
            .iter()
            .any(|flag| flag.node.as_bool() == Some(true))
    }

    /// The types that every object with a `type` allows, without `null`; and whether `null` is
    /// allowed.
    pub(super) fn types(&self) -> (Option<Vec<&'d str>>, bool) {
        let mut allowed: Option<Vec<&'d str>> = None;
        let mut null = self.flag("nullable");
        for kinds in self.all("type") {
            let mut own: Vec<&'d str> = match kinds.node.as_str() {
                Some(one) => vec![one],
                None => kinds.node.strings().collect(),
            };
            null |= own.contains(&"null");
            own.retain(|kind| *kind != "null");
            allowed = Some(match allowed {
                Some(before) => before
                    .into_iter()
                    .filter(|kind| own.contains(kind))
                    .collect(),
                None => own,
            });
        }
        (allowed, null)
    }
}
