//! No document makes the crate panic: documents with random wrong parts are loaded, linted, rendered. What another
//! reader of `OpenAPI` refuses is an error here, too.

use openapi_document::{Document, loader};
use openapi_lint::lint;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use serde::Deserialize;
use serde_json::{Value, json};

/// A document with every kind of object in it.
fn document() -> Value {
    json!({
        "openapi": "3.0.4",
        "info": {"title": "t", "version": "1", "license": {"name": "MIT"}},
        "servers": [{"url": "{base}", "variables": {"base": {"default": "x", "enum": ["x"]}}}],
        "tags": [{"name": "a"}],
        "security": [{"key": []}],
        "paths": {"/things/{id}": {
            "parameters": [{"$ref": "#/components/parameters/Id"}],
            "post": {
                "operationId": "addThing",
                "tags": ["a"],
                "requestBody": {"content": {"application/json": {
                    "schema": {"$ref": "#/components/schemas/Thing"},
                    "examples": {"a": {"value": {"amount": "1.00"}}},
                    "encoding": {"amount": {"contentType": "text/plain"}}}}},
                "responses": {"200": {
                    "description": "d",
                    "headers": {"x": {"schema": {"type": "string"}, "example": "y"}},
                    "content": {"application/json": {
                        "schema": {"$ref": "#/components/schemas/Thing"},
                        "examples": {"a": {"$ref": "#/components/examples/A"}}}},
                    "links": {"self": {"operationId": "addThing"}}}},
                "callbacks": {"done": {"{$request.body#/url}": {"post": {"responses": {}}}}}}}},
        "components": {
            "examples": {"A": {"value": {"amount": "1.00"}}},
            "parameters": {"Id": {"name": "id", "in": "path", "required": true,
                "schema": {"type": "string", "pattern": "^a"}, "example": "abc"}},
            "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "k"},
                "o": {"type": "oauth2", "flows": {"implicit": {"authorizationUrl": "u", "scopes": {}}}}},
            "schemas": {"Thing": {
                "type": "object", "required": ["amount"],
                "properties": {
                    "amount": {"type": "string", "format": "decimal", "default": "1"},
                    "self": {"$ref": "#/components/schemas/Thing"},
                    "many": {"type": "array", "items": {"oneOf": [{"type": "integer", "maximum": 3,
                        "exclusiveMaximum": true}, {"type": "string", "nullable": true}]}}},
                "additionalProperties": {"type": "string"}}}}
    })
}

/// Values that are wrong almost anywhere.
fn wrong_values() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        Just(json!(true)),
        Just(json!(-1)),
        Just(json!(18_446_744_073_709_551_615_u64)),
        Just(json!("")),
        Just(json!("#/components/schemas/Thing")),
        Just(json!("(")),
        Just(json!([])),
        Just(json!([{}])),
        Just(json!({})),
        Just(json!({"$ref": "#/components/schemas/Thing"})),
        Just(json!({"$ref": "#/paths"})),
        Just(json!({"$ref": "#/paths/~1things~1{id}/post"})),
        Just(json!({"$ref": 1})),
        Just(json!({"$ref": "#"})),
        Just(json!({"$ref": "http://elsewhere.example/x"})),
        Just(json!({"type": ["string", "null"], "const": 1, "é": {}})),
    ]
}

/// Replaces the value at the place that `at` picks among all of them.
fn replace(value: &mut Value, at: &mut usize, by: &Value) {
    if *at == 0 {
        *value = by.clone();
        *at = usize::MAX;
        return;
    }
    *at -= 1;
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| descend(item, at, by)),
        Value::Object(map) => map.values_mut().for_each(|item| descend(item, at, by)),
        _ => {}
    }
}

fn descend(value: &mut Value, at: &mut usize, by: &Value) {
    if *at != usize::MAX {
        replace(value, at, by);
    }
}

/// Whether another reader of `OpenAPI` 3.0 takes the document.
fn is_read_by_another(tree: &Value) -> bool {
    openapiv3::OpenAPI::deserialize(tree).is_ok()
}

/// Lints and renders; gives whether there are errors.
fn check(document: &Document) -> bool {
    let findings = lint(document);
    let rendered = findings.render(&document.sources, false);
    assert_eq!(rendered.is_empty(), findings.is_empty());
    for finding in findings.iter() {
        assert!(finding.primary.is_some(), "{} has no place", finding.rule);
        assert!(
            rendered.contains(finding.rule),
            "{} is not shown",
            finding.rule
        );
    }
    for operation in document.operations() {
        let _ = (
            operation.parameters(),
            operation.request_body(),
            operation.security(),
        );
        let _: Vec<_> = operation
            .responses()
            .iter()
            .map(|r| (r.content(), r.headers()))
            .collect();
    }
    findings.has_errors()
}

proptest! {
    #![proptest_config(Config {
        failure_persistence: None, rng_seed: RngSeed::Fixed(2026), ..Config::default()
    })]

    #[test]
    fn wrong_parts_are_findings(
        version in prop_oneof![Just("3.0.4"), Just("3.1.0")],
        changes in prop::collection::vec((0_usize..190, wrong_values()), 1..4),
    ) {
        let mut tree = document();
        tree["openapi"] = version.into();
        for (mut at, by) in changes {
            replace(&mut tree, &mut at, &by);
        }
        let has_errors = match loader::load_text("t.json", &tree.to_string()) {
            Ok(document) => check(&document),
            Err(error) => {
                prop_assert!(error.diagnostics.has_errors());
                prop_assert!(error.diagnostics.iter().all(|own| own.primary.is_some()));
                true
            }
        };
        if version == "3.0.4" && !is_read_by_another(&tree) {
            prop_assert!(has_errors, "nothing is found in {tree}");
        }
    }
}

#[test]
fn the_document_itself_loads() {
    check(&loader::load_text("t.json", &document().to_string()).unwrap());
    assert!(is_read_by_another(&document()));
}
