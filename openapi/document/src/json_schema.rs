//! JSON Schema: lowers `OpenAPI` schemas to JSON Schema 2020-12, without moving any pointer.
//!
//! The result has the same structure as the bundle, so `#/…` references and schema pointers hold in
//! both. It keeps only schemas and their parents.

use serde_json::{Map, Value, json};

use crate::grammar::{Kind, Shape};
use crate::node::Node;

/// Lowers every schema of a document.
pub(crate) fn lower(root: &Node) -> Value {
    let is_30 = root
        .get("openapi")
        .and_then(Node::as_str)
        .is_none_or(|v| v.starts_with("3.0"));
    lower_object(root, Kind::Document, is_30)
}

fn lower_object(node: &Node, kind: Kind, is_30: bool) -> Value {
    if kind == Kind::Schema {
        return lower_schema(node, is_30);
    }
    let mut out = Map::new();
    if let (true, Some(reference)) = (kind.may_be_reference(), node.reference()) {
        out.insert("$ref".to_owned(), reference.into());
    }
    for entry in node.entries() {
        if let Some(value) = lower_field(kind, &entry.key, &entry.value, is_30) {
            out.insert(entry.key.clone(), value);
        }
    }
    Value::Object(out)
}

/// The lowered objects under a field; `None` if the field holds no objects.
fn lower_field(kind: Kind, key: &str, value: &Node, is_30: bool) -> Option<Value> {
    match kind.shape(key)? {
        Shape::One(Kind::Any) | Shape::List(Kind::Any) | Shape::Map(Kind::Any) => None,
        Shape::One(child) => Some(lower_object(value, child, is_30)),
        Shape::List(child) => Some(
            value
                .items()
                .map(|item| lower_object(item, child, is_30))
                .collect(),
        ),
        Shape::Map(child) => {
            let lower = |entry: &crate::node::Entry| {
                (entry.key.clone(), lower_object(&entry.value, child, is_30))
            };
            Some(Value::Object(value.entries().map(lower).collect()))
        }
    }
}

/// Lowers a 3.0 or 3.1 schema to 2020-12, without annotations. References stay unchanged.
pub fn schema_in_2020_12(node: &Node, is_30: bool) -> Value {
    lower_schema(node, is_30)
}

fn lower_schema(node: &Node, is_30: bool) -> Value {
    if let Some(flag) = node.as_bool() {
        return flag.into();
    }
    if let (true, Some(reference)) = (is_30, node.reference()) {
        return json!({ "$ref": reference });
    }
    let mut out = Map::new();
    for entry in node.entries() {
        let key = entry.key.as_str();
        if is_annotation(key) || key.starts_with("x-") {
            continue;
        }
        let lowered = lower_field(Kind::Schema, key, &entry.value, is_30);
        out.insert(
            key.to_owned(),
            lowered.unwrap_or_else(|| entry.value.to_serde()),
        );
    }
    if is_30 {
        lower_bounds(&mut out);
        lower_nullable(&mut out);
    }
    lower_integer_format(&mut out);
    Value::Object(out)
}

/// Whether a keyword never decides if a value is valid.
fn is_annotation(key: &str) -> bool {
    const ANNOTATIONS: [&str; 11] = [
        "title",
        "description",
        "default",
        "example",
        "examples",
        "deprecated",
        "readOnly",
        "writeOnly",
        "xml",
        "externalDocs",
        "discriminator",
    ];
    ANNOTATIONS.contains(&key)
}

/// In 3.0 `exclusiveMinimum: true` makes `minimum` exclusive.
fn lower_bounds(schema: &mut Map<String, Value>) {
    for (flag, bound) in [
        ("exclusiveMinimum", "minimum"),
        ("exclusiveMaximum", "maximum"),
    ] {
        match schema.get(flag) {
            Some(Value::Bool(true)) => {
                schema.remove(flag);
                if let Some(limit) = schema.remove(bound) {
                    schema.insert(flag.to_owned(), limit);
                }
            }
            Some(Value::Bool(false)) => drop(schema.remove(flag)),
            _ => {}
        }
    }
}

/// In 3.0, `nullable: true` adds null to the `type` of the same schema. Many documents put it
/// beside alternatives without a `type`, where it formally has no effect; null is added there, too.
fn lower_nullable(schema: &mut Map<String, Value>) {
    if schema.remove("nullable") != Some(Value::Bool(true)) {
        return;
    }
    if let Some(Value::String(name)) = schema.get("type") {
        let both = json!([name, "null"]);
        schema.insert("type".to_owned(), both);
        if let Some(Value::Array(values)) = schema.get_mut("enum")
            && !values.contains(&Value::Null)
        {
            values.push(Value::Null);
        }
        return;
    }
    for alternatives in ["anyOf", "oneOf"] {
        if let Some(Value::Array(all)) = schema.get_mut(alternatives) {
            let takes_null = |member: &Value| {
                let types = member.get("type").map(Value::to_string).unwrap_or_default();
                types.contains("\"null\"") || member.get("nullable") == Some(&Value::Bool(true))
            };
            if all.iter().any(takes_null) {
                return;
            }
            all.push(json!({"type": "null"}));
            return;
        }
    }
    if let Some(Value::Array(parts)) = schema.get("allOf")
        && schema
            .keys()
            .all(|key| key == "allOf" || key == "description")
    {
        let whole = json!({"allOf": parts});
        schema.remove("allOf");
        schema.insert("anyOf".to_owned(), json!([whole, {"type": "null"}]));
    }
}

/// Turns `int32` and `int64` into bounds, because the validator checks formats of strings only.
fn lower_integer_format(schema: &mut Map<String, Value>) {
    let (low, high) = match schema.get("format").and_then(Value::as_str) {
        Some("int32") => (i64::from(i32::MIN), i64::from(i32::MAX)),
        Some("int64") => (i64::MIN, i64::MAX),
        _ => return,
    };
    for (keyword, exclusive, limit) in [
        ("minimum", "exclusiveMinimum", low),
        ("maximum", "exclusiveMaximum", high),
    ] {
        if !schema.contains_key(keyword) && !schema.contains_key(exclusive) {
            schema.insert(keyword.to_owned(), limit.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lowered(schema: &str) -> Value {
        lower_schema(&crate::json::read_text(schema).unwrap(), true)
    }

    #[test]
    fn the_dialect_of_30_becomes_2020_12() {
        let cases = [
            (
                r#"{"type":"string","nullable":true}"#,
                json!({"type": ["string", "null"]}),
            ),
            (
                r#"{"type":"string","enum":["a"],"nullable":true}"#,
                json!({"type": ["string", "null"], "enum": ["a", null]}),
            ),
            (
                r##"{"anyOf":[{"$ref":"#/x"}],"nullable":true}"##,
                json!({"anyOf": [{"$ref": "#/x"}, {"type": "null"}]}),
            ),
            (
                r##"{"allOf":[{"$ref":"#/x"}],"nullable":true}"##,
                json!({"anyOf": [{"allOf": [{"$ref": "#/x"}]}, {"type": "null"}]}),
            ),
            (
                r#"{"oneOf":[{"type":"string","nullable":true}],"nullable":true}"#,
                json!({"oneOf": [{"type": ["string", "null"]}]}),
            ),
            (
                r#"{"minimum":1,"exclusiveMinimum":true}"#,
                json!({"exclusiveMinimum": 1}),
            ),
            (
                r#"{"maximum":1,"exclusiveMaximum":false}"#,
                json!({"maximum": 1}),
            ),
            (r##"{"$ref":"#/x","x-note":1}"##, json!({"$ref": "#/x"})),
            (
                r#"{"additionalProperties":false}"#,
                json!({"additionalProperties": false}),
            ),
            (
                r#"{"properties":{"example":{"example":1,"type":"string"}}}"#,
                json!({"properties": {"example": {"type": "string"}}}),
            ),
            (
                r#"{"type":"integer","format":"int32","minimum":0}"#,
                json!({"type": "integer", "format": "int32", "minimum": 0, "maximum": 2_147_483_647}),
            ),
        ];
        for (schema, expected) in cases {
            assert_eq!(lowered(schema), expected, "{schema}");
        }
    }
}
