//! Keywords: reads the keywords of one schema object, without those that combine schemas.

use super::applicators;
use super::canonical;
use super::flat::{Bound, Flat, Property, SIZES, Same, Size, Values, Word};
use super::types::Types;
use crate::number::Number;
use openapi_document::node::{Entry, Node, Value};
use openapi_document::provenance::Provenance;
use openapi_document::source::Span;

/// A node for a null that is implied among the listed values.
pub(super) static NULL: Node = Node {
    value: Value::Null,
    span: Span::START,
};

/// Reads the keywords of a schema object.
pub(super) fn read(node: &Node, is_30: bool) -> Flat<'_> {
    let mut flat = Flat::any(node);
    for entry in node.entries() {
        if !read_scalar(&mut flat, entry) && !read_object(&mut flat, entry) {
            read_annotation(&mut flat, entry);
        }
    }
    if is_30 {
        read_nullable(&mut flat, node);
    } else {
        flat.applicators.extend(applicators::read(node));
    }
    read_bounds(&mut flat, node);
    flat.provenance = Provenance::of(node).map(|provenance| provenance.level);
    flat
}

/// Reads types, lengths and values. Returns whether the keyword is one of these.
fn read_scalar<'d>(flat: &mut Flat<'d>, entry: &'d Entry) -> bool {
    let value = &entry.value;
    let word = |text| Word {
        text,
        node: Same(value),
    };
    if let Some(index) = SIZES.iter().position(|count| count.keyword == entry.key) {
        let size = number(value).filter(|size| !SIZES[index].is_lower || !size.is_zero());
        flat.sizes[index] = size.map(|size| Size { size, node: value });
        return true;
    }
    match entry.key.as_str() {
        "type" => {
            let words = value.as_str().into_iter().chain(value.strings());
            let types = words.filter_map(Types::parse).reduce(Types::or);
            flat.types = types.unwrap_or(Types::ANY);
            flat.type_at = Some(value);
        }
        "format" => flat.formats.extend(value.as_str().map(word)),
        "pattern" => flat.patterns.extend(value.as_str().map(word)),
        "multipleOf" => {
            let size = number(value).map(|size| Size { size, node: value });
            flat.multiples.extend(size);
        }
        "uniqueItems" => flat.unique = flag(value),
        "enum" => {
            flat.values = Some(Values {
                list: list(value.items()),
                at: value,
            });
        }
        "const" => {
            flat.values = Some(Values {
                list: list([value]),
                at: value,
            });
        }
        "x-extensible-enum" => {
            flat.known = Some(Values {
                list: list(value.items()),
                at: value,
            });
        }
        _ => return false,
    }
    true
}

/// Reads properties and items. Returns whether the keyword is one of these.
fn read_object<'d>(flat: &mut Flat<'d>, entry: &'d Entry) -> bool {
    let value = &entry.value;
    match entry.key.as_str() {
        "properties" => {
            flat.properties.extend(value.entries().map(|entry| {
                let property = Property {
                    schemas: vec![&entry.value],
                    name_at: entry.key_span,
                    node: &entry.value,
                    required: None,
                };
                (entry.key.as_str(), property)
            }));
        }
        "required" => {
            let named = value
                .items()
                .filter_map(|item| Some((item.as_str()?, item)));
            flat.required.extend(named);
        }
        "additionalProperties" if value.as_bool() != Some(true) => flat.rest.push(value),
        "items" => flat.items.push(value),
        "not" => flat.nots.push(value),
        "discriminator" => flat.discriminator = Some(value),
        _ => return false,
    }
    true
}

fn read_annotation<'d>(flat: &mut Flat<'d>, entry: &'d Entry) {
    let value = &entry.value;
    let flag = flag(value);
    match entry.key.as_str() {
        "readOnly" => flat.read_only = flag,
        "writeOnly" => flat.write_only = flag,
        "deprecated" => flat.deprecated = flag,
        "x-sunset" => flat.sunset = Some(value),
        "x-stability-level" => flat.stability = Some(value),
        "x-sensitive" => flat.sensitive = flag,
        "default" => flat.default = Some(value),
        _ => {}
    }
}

/// In 3.0, `nullable` adds null to the `type` of the same schema.
fn read_nullable<'d>(flat: &mut Flat<'d>, node: &'d Node) {
    let nullable = node.get("nullable").and_then(Node::as_bool) == Some(true);
    if nullable && flat.type_at.is_some() {
        flat.types = flat.types.or(Types::NULL);
        flat.null_at = node.get("nullable");
        if let Some(values) = &mut flat.values {
            values.list.entry("null".to_owned()).or_insert(&NULL);
        }
    }
}

/// In 3.0, an exclusive bound is a boolean beside the bound; in 3.1, it is a separate number.
fn read_bounds<'d>(flat: &mut Flat<'d>, node: &'d Node) {
    for (is_lower, plain, exclusive) in [
        (true, "minimum", "exclusiveMinimum"),
        (false, "maximum", "exclusiveMaximum"),
    ] {
        let bound = |node: Option<&'d Node>, flag: Option<&'d Node>| {
            let node = node?;
            let limit = number(node)?;
            Some(Bound {
                limit,
                exclusive: flag.is_some(),
                whole: None,
                node,
                flag,
            })
        };
        let flag = node
            .get(exclusive)
            .filter(|flag| flag.as_bool() == Some(true));
        let inclusive = bound(node.get(plain), flag);
        let other = bound(node.get(exclusive), node.get(exclusive));
        let side = if is_lower {
            &mut flat.lower
        } else {
            &mut flat.upper
        };
        *side = inclusive;
        super::conjunction::tighten(side, other.as_ref(), is_lower);
    }
}

fn number(node: &Node) -> Option<Number> {
    Number::parse(node.as_number()?)
}

/// The node, if it is `true`.
fn flag(node: &Node) -> Option<&Node> {
    matches!(node.value, Value::Bool(true)).then_some(node)
}

/// The canonical forms of values, each with its node.
pub(super) fn list<'d>(
    nodes: impl IntoIterator<Item = &'d Node>,
) -> std::collections::BTreeMap<String, &'d Node> {
    nodes
        .into_iter()
        .map(|node| (canonical::text(node), node))
        .collect()
}
