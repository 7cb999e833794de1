//! Documents with the schemas of cases.

use serde_json::{Map, Value, json};

use super::case::Case;

/// A version of `OpenAPI`, and which schemas can be written in it.
#[derive(Debug)]
pub(super) struct Version {
    /// What it is called.
    pub label: &'static str,
    openapi: &'static str,
    /// The keywords that it has; `None` where it has all.
    keywords: Option<&'static [&'static str]>,
}

/// Those that are tried.
pub(super) const VERSIONS: &[Version] = &[
    Version {
        label: "3.1",
        openapi: "3.1.0",
        keywords: None,
    },
    Version {
        label: "3.0",
        openapi: "3.0.3",
        keywords: Some(&[
            "additionalProperties",
            "allOf",
            "anyOf",
            "default",
            "enum",
            "format",
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
            "properties",
            "required",
            "type",
            "uniqueItems",
        ]),
    },
];

impl Version {
    /// Whether the schema of a case can be written in this version, in its own dialect.
    pub(super) fn has(&self, case: &Case) -> bool {
        !is_foreign(&case.schema) && self.keywords.is_none_or(|all| is_of(&case.schema, all))
    }

    /// A document with the schemas under their names, each as the property `value` of an object.
    pub(super) fn document<'c>(&self, cases: impl Iterator<Item = (&'c str, &'c Case)>) -> Value {
        let mut schemas = Map::new();
        let mut all = Map::new();
        for (name, case) in cases {
            let place = format!("#/components/schemas/{name}/properties/value");
            let mut schema = case.schema.clone();
            root_at(&mut schema, &place);
            call_anchors(&mut schema, name);
            let object = json!({
                "type": "object",
                "required": ["value"],
                "properties": { "value": schema },
                "additionalProperties": false,
            });
            let reference = json!({"$ref": format!("#/components/schemas/{name}")});
            schemas.insert(name.to_owned(), object);
            all.insert(name.to_owned(), reference);
        }
        let body = json!({"type": "object", "properties": all});
        json!({
            "openapi": self.openapi,
            "info": {"title": "Cases", "version": "1"},
            "paths": {"/cases": {"post": {
                "operationId": "take",
                "requestBody": {"content": {"application/json": {"schema": body}}},
                "responses": {"204": {"description": "Taken"}},
            }}},
            "components": {"schemas": schemas},
        })
    }
}

/// Keywords that hold values, not schemas.
const VALUES: [&str; 4] = ["const", "default", "enum", "examples"];

/// Whether a schema asks for another dialect.
fn is_foreign(schema: &Value) -> bool {
    const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";
    let fields = schema.as_object();
    let own = fields.and_then(|fields| fields.get("$schema")?.as_str());
    own.is_some_and(|own| own != DIALECT)
}

/// Whether each keyword of a schema, and of those within, is one of these.
fn is_of(schema: &Value, keywords: &[&str]) -> bool {
    let Some(fields) = schema.as_object() else {
        return false;
    };
    fields.iter().all(|(key, value)| match key.as_str() {
        "$schema" => true,
        key if !keywords.contains(&key) => false,
        "type" => value.as_str().is_some_and(|kind| kind != "null"),
        "properties" => {
            let mut values = value.as_object().into_iter().flat_map(Map::values);
            values.all(|schema| is_of(schema, keywords))
        }
        "allOf" | "anyOf" | "oneOf" => {
            let mut items = value.as_array().into_iter().flatten();
            items.all(|schema| is_of(schema, keywords))
        }
        "items" | "not" => is_of(value, keywords),
        "additionalProperties" => value.is_boolean() || is_of(value, keywords),
        _ => true,
    })
}

/// Makes the names of anchors those of one case: all cases stand in one document.
fn call_anchors(schema: &mut Value, case: &str) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| call_anchors(item, case)),
        Value::Object(fields) => {
            for (key, value) in fields {
                match (key.as_str(), value) {
                    ("$anchor" | "$dynamicAnchor", Value::String(text)) => text.push_str(case),
                    ("$ref" | "$dynamicRef", Value::String(text)) => {
                        let fragment = text.split_once('#').map_or("", |(_, fragment)| fragment);
                        if !fragment.is_empty() && !fragment.starts_with('/') {
                            text.push_str(case);
                        }
                    }
                    (key, _) if VALUES.contains(&key) => {}
                    (_, value) => call_anchors(value, case),
                }
            }
        }
        _ => {}
    }
}

/// Puts `place` before the references within a schema that begin at its root.
fn root_at(schema: &mut Value, place: &str) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| root_at(item, place)),
        Value::Object(fields) => {
            if fields.get("$id").is_some_and(Value::is_string) {
                return;
            }
            fields.remove("$schema");
            for (key, value) in fields {
                match value {
                    Value::String(text) if key == "$ref" || key == "$dynamicRef" => {
                        if let Some(rest) = text.strip_prefix('#')
                            && (rest.is_empty() || rest.starts_with('/'))
                        {
                            *text = format!("{place}{rest}");
                        }
                    }
                    _ if VALUES.contains(&key.as_str()) => {}
                    _ => root_at(value, place),
                }
            }
        }
        _ => {}
    }
}
