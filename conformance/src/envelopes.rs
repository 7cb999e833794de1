//! Envelopes: a request whose body has nothing but its record under a name, `{"refunds": {"amount": 100}}`, is read as if the
//! document had the record for its body, and sent with the name around it.

use openapi_document::node::Entry;
use openapi_document::view::{Document, MediaType, Operation, RequestBody};
use openapi_document::{Mapping, Node, Pointer, Value};

use crate::names;
use crate::shape::Shape;
use crate::value;

/// Where a media type keeps the name that its bodies are sent under.
pub(crate) const KEY: &str = "x-conformance-envelope";

/// A media type without its envelope.
struct Bare {
    at: Pointer,
    name: String,
    schema: Node,
    /// Where its examples stand, and what they are without it.
    examples: Vec<(Pointer, Node)>,
}

/// Takes the envelopes off all requests.
pub(crate) fn take_off(document: &mut Document) {
    let mut all: Vec<Bare> = Vec::new();
    for operation in document.operations() {
        for media in operation
            .request_body()
            .iter()
            .flat_map(RequestBody::content)
        {
            let is_known = all.iter().any(|own| own.at == media.at.pointer);
            if media.is_json() && !is_known {
                all.extend(bare(document, &operation, &media));
            }
        }
    }
    if all.is_empty() {
        return;
    }
    for own in all {
        let name = value::string(&own.name);
        let schema = (own.at.join("schema"), own.schema);
        let key = (own.at.join(KEY), name);
        for (at, node) in own.examples.into_iter().chain([schema, key]) {
            // They were found there.
            let _ = value::put(&mut document.root, &at, node);
        }
    }
    // What was noted of the places was of another tree.
    document.index = document.index.clone();
}

/// A media type without its envelope, if it has one.
fn bare(document: &Document, operation: &Operation<'_>, media: &MediaType<'_>) -> Option<Bare> {
    let schema = media.schema()?;
    let whole = document.resolve(&schema).ok()?;
    let mut listed = whole.get("properties")?.entries().collect::<Vec<_>>();
    let (entry, inner) = listed.pop().filter(|_| listed.is_empty())?;
    let name = entry.key.clone();
    let is_alone = Shape::of(document, Some(&whole)).property_names() == [name.as_str()];
    let joined = ["allOf", "oneOf", "anyOf"];
    if !is_alone || joined.iter().any(|own| whole.node.get(own).is_some()) {
        return None;
    }
    let shape = Shape::of(document, Some(&inner));
    let is_object = shape.lists_properties() && shape.type_name() == Some("object");
    if !is_object || !is_envelope(document, operation, &name) {
        return None;
    }
    let examples = media.examples().into_iter().map(|own| {
        let mut entries = own.value.node.entries();
        let inner = entries.next().filter(|own| own.key == name)?;
        let alone = entries.next().is_none().then(|| inner.value.clone())?;
        Some(if own.object.is_none() {
            (media.at.pointer.join("example"), alone)
        } else {
            let at = media.at.pointer.join("examples").join(own.key);
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

/// Whether a name is that of the record that an operation is about, or stands around its answer, too: not one of its properties.
fn is_envelope(document: &Document, operation: &Operation<'_>, name: &str) -> bool {
    let mut segments = operation.path.rsplit('/');
    let about = segments.find(|own| !own.is_empty() && !own.starts_with('{'));
    let is_named = about.is_some_and(|own| names::singular(own) == names::singular(name));
    let answers = operation.responses().into_iter();
    let mut answers = answers.flat_map(|own| own.content()).filter_map(|own| {
        let schema = own.schema().filter(|_| own.is_json())?;
        Some(Shape::of(document, Some(&schema)))
    });
    let has = |own: &Shape<'_>| own.property(document, name).lists_properties();
    let is_property = |own: &Shape<'_>| own.property_names().contains(&"id");
    let mut has_it = answers.by_ref().filter(has).peekable();
    let is_around = has_it.peek().is_some();
    (is_named || is_around) && !has_it.any(|own| is_property(&own))
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
    fn envelopes_are_taken_off_what_is_a_record() {
        let mut document = openapi_document::loader::load_text("document.json", DOCUMENT).unwrap();
        take_off(&mut document);
        for (id, expected) in [
            ("named", Some(("refund", "amount"))),
            ("property", None),
            ("around", Some(("data", "value"))),
        ] {
            let body = document.operation(id).unwrap().request_body().unwrap();
            let media = body.content().remove(0);
            let name = media.at.node.get(KEY).and_then(Node::as_str);
            assert_eq!(name, expected.map(|own| own.0), "{id}");
            let schema = Shape::of(&document, media.schema().as_ref());
            let example = media.examples().remove(0).value.node.clone();
            if let Some((_, inner)) = expected {
                assert_eq!(schema.property_names(), [inner], "{id}");
                assert!(example.get(inner).is_some(), "{id}");
            }
        }
    }
}
