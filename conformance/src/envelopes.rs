//! Envelopes: removes the object around the record in request schemas, `{"order": {"amount": 100}}`.
//!
//! Afterwards the document looks as if the record were the body. The runner adds the name again
//! when it sends the request.

use openapi_document::node::Entry;
use openapi_document::view::{Document, MediaType, Operation, RequestBody};
use openapi_document::{Mapping, Node, Pointer, Value};

use crate::names;
use crate::shape::Shape;
use crate::value;

/// The key of a media type that keeps the removed name.
pub(crate) const KEY: &str = "x-conformance-envelope";

/// A media type without its envelope.
struct Bare {
    at: Pointer,
    name: String,
    schema: Node,
    /// The places of its examples, and the examples without the envelope.
    examples: Vec<(Pointer, Node)>,
}

/// Removes the envelopes from all requests.
pub(crate) fn remove_all(document: &mut Document) {
    let mut all: Vec<Bare> = Vec::new();
    for operation in document.operations() {
        for media in operation
            .request_body()
            .iter()
            .flat_map(RequestBody::content)
        {
            let is_known = all.iter().any(|item| item.at == media.at.pointer);
            if media.is_json() && !is_known {
                all.extend(bare(document, &operation, &media));
            }
        }
    }
    if all.is_empty() {
        return;
    }
    for bare in all {
        let name = value::string(&bare.name);
        let schema = (bare.at.join("schema"), bare.schema);
        let key = (bare.at.join(KEY), name);
        for (at, node) in bare.examples.into_iter().chain([schema, key]) {
            // The pointer was found in this document.
            let _ = value::put(&mut document.root, &at, node);
        }
    }
    // The copied index drops the cached places of the old tree.
    document.index = document.index.clone();
}

/// A media type without its envelope. `None` when it has none.
fn bare(document: &Document, operation: &Operation<'_>, media: &MediaType<'_>) -> Option<Bare> {
    let schema = media.schema()?;
    let whole = document.resolve(&schema).ok()?;
    let mut listed = whole.get("properties")?.entries().collect::<Vec<_>>();
    let (entry, inner) = listed.pop().filter(|_| listed.is_empty())?;
    let name = entry.key.clone();
    let is_alone = Shape::of(document, Some(&whole)).property_names() == [name.as_str()];
    let joined = ["allOf", "oneOf", "anyOf"];
    if !is_alone || joined.iter().any(|item| whole.node.get(item).is_some()) {
        return None;
    }
    let shape = Shape::of(document, Some(&inner));
    let is_object = shape.lists_properties() && shape.type_name() == Some("object");
    if !is_object || !is_envelope(document, operation, &name) {
        return None;
    }
    let examples = media.examples().into_iter().map(|example| {
        let mut entries = example.value.node.entries();
        let inner = entries.next().filter(|entry| entry.key == name)?;
        let alone = entries.next().is_none().then(|| inner.value.clone())?;
        Some(if example.object.is_none() {
            (media.at.pointer.join("example"), alone)
        } else {
            let at = media.at.pointer.join("examples").join(example.key);
            (at, object(alone.span, "value", alone))
        })
    });
    let schema = if schema.node.reference().is_some() {
        let at = whole.pointer.join("properties").join(&name);
        object(schema.node.span, "$ref", value::string(&format!("#{at}")))
    } else {
        inner.node.clone()
    };
    let examples = examples.collect::<Option<_>>()?;
    Some(Bare {
        at: media.at.pointer.clone(),
        name,
        schema,
        examples,
    })
}

/// Whether a name is an envelope rather than a property of the record: it names the operation's
/// record, or answers have the same envelope.
fn is_envelope(document: &Document, operation: &Operation<'_>, name: &str) -> bool {
    let mut segments = operation.path.rsplit('/');
    let about = segments.find(|item| !item.is_empty() && !item.starts_with('{'));
    let is_named = about.is_some_and(|item| names::singular(item) == names::singular(name));
    let answers = operation.responses().into_iter();
    let mut answers = answers.flat_map(|item| item.content()).filter_map(|item| {
        let schema = item.schema().filter(|_| item.is_json())?;
        Some(Shape::of(document, Some(&schema)))
    });
    let has = |item: &Shape<'_>| item.property(document, name).lists_properties();
    let is_property = |item: &Shape<'_>| item.property_names().contains(&"id");
    let mut has_it = answers.by_ref().filter(has).peekable();
    let is_around = has_it.peek().is_some();
    (is_named || is_around) && !has_it.any(|item| is_property(&item))
}

fn object(span: openapi_document::Span, key: &str, value: Node) -> Node {
    let entry: Entry = value::entry(key, value);
    let entries = vec![entry];
    Node {
        value: Value::Mapping(Mapping { entries }),
        span,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = r##"{"openapi":"3.0.4","info":{"title":"t","version":"1"},"paths":{
        "/refunds":{"post":{"operationId":"named","requestBody":{"content":{"application/json":{
            "schema":{"$ref":"#/components/schemas/NewRefund"},
            "examples":{"part":{"value":{"refund":{"amount":1}}}}}}},"responses":{"201":{"description":"d"}}}},
        "/payments/{id}/refund":{"post":{"operationId":"property","requestBody":{"content":{"application/json":{
            "schema":{"type":"object","properties":{"amount":{"type":"object","properties":{"value":{"type":"integer"}}}}},
            "example":{"amount":{"value":1}}}}},"responses":{"201":{"description":"d","content":{"application/json":{
            "schema":{"type":"object","properties":{"id":{"type":"string"},"amount":{"type":"object","properties":{"value":{}}}}}}}}}}},
        "/charges":{"post":{"operationId":"around","requestBody":{"content":{"application/json":{
            "schema":{"type":"object","properties":{"data":{"type":"object","properties":{"value":{"type":"integer"}}}}},
            "example":{"data":{"value":1}}}}},"responses":{"201":{"description":"d","content":{"application/json":{
            "schema":{"type":"object","properties":{"data":{"type":"object","properties":{"id":{"type":"string"}}}}}}}}}}}},
        "components":{"schemas":{"NewRefund":{"type":"object","properties":{
            "refund":{"type":"object","properties":{"amount":{"type":"integer"}}}}}}}}"##;

    #[test]
    fn envelopes_are_removed_only_from_records() {
        let mut document = openapi_document::loader::load_text("document.json", DOCUMENT).unwrap();
        remove_all(&mut document);
        for (id, expected) in [
            ("named", Some(("refund", "amount"))),
            ("property", None),
            ("around", Some(("data", "value"))),
        ] {
            let body = document.operation(id).unwrap().request_body().unwrap();
            let media = body.content().remove(0);
            let name = media.at.node.get(KEY).and_then(Node::as_str);
            assert_eq!(name, expected.map(|expected| expected.0), "{id}");
            let schema = Shape::of(&document, media.schema().as_ref());
            let example = media.examples().remove(0).value.node.clone();
            if let Some((_, inner)) = expected {
                assert_eq!(schema.property_names(), [inner], "{id}");
                assert!(example.get(inner).is_some(), "{id}");
            }
        }
    }
}
