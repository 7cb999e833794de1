//! Random schemas, edits, equivalent rewritings, and values that match or nearly match.

pub(crate) mod edits;
pub(crate) mod rewritings;
pub(crate) mod schemas;
pub(crate) mod values;

use serde_json::{Value, json};

/// The pointers of the two uses of the schema in [`document`].
pub(crate) const REQUEST: &str = "/paths/~1x/post/requestBody/content/application~1json/schema";
pub(crate) const RESPONSE: &str = "/paths/~1x/post/responses/200/content/application~1json/schema";

/// A document whose request and response have a schema.
pub(crate) fn document(schema: &Value, components: &Value) -> String {
    let content = json!({"application/json": {"schema": schema}});
    json!({
        "openapi": "3.0.4",
        "info": {"title": "t", "version": "1.0.0"},
        "paths": {"/x": {"post": {
            "requestBody": {"content": content},
            "responses": {"200": {"description": "d", "content": content}}
        }}},
        "components": {"schemas": components}
    })
    .to_string()
}

/// Calls `call` for a schema and each schema in it.
pub(crate) fn each(schema: &mut Value, call: &mut dyn FnMut(&mut Value)) {
    call(schema);
    for key in ["items", "additionalProperties", "not"] {
        if let Some(child) = schema.get_mut(key).filter(|child| child.is_object()) {
            each(child, call);
        }
    }
    for key in ["allOf", "oneOf", "anyOf"] {
        let children = schema.get_mut(key).and_then(Value::as_array_mut);
        children
            .into_iter()
            .flatten()
            .for_each(|child| each(child, call));
    }
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    properties
        .into_iter()
        .flatten()
        .for_each(|(_, child)| each(child, call));
}

/// The number of schemas.
pub(crate) fn count(schema: &Value) -> usize {
    let mut count = 0;
    each(&mut schema.clone(), &mut |_| count += 1);
    count
}

/// Replaces one of the schemas in a schema.
pub(crate) fn replace(schema: &Value, at: usize, by: impl FnOnce(&Value) -> Value) -> Value {
    let (mut out, mut place) = (schema.clone(), 0);
    let mut by = Some(by);
    each(&mut out, &mut |one| {
        if place == at
            && let Some(by) = by.take()
        {
            *one = by(one);
        }
        place += 1;
    });
    out
}
