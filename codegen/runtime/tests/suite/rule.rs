use openapi_generate_runtime::rule::check;
use serde_json::{Value, json};

/// The keyword of the schema that the value breaks; `None` when the value is valid.
fn broken(schema: &Value, value: &Value) -> Option<&'static str> {
    check(&schema.to_string(), value).err()
}

#[test]
fn the_keyword_that_is_broken_is_told() {
    for (schema, good, bad, keyword) in [
        (
            json!({"not": {"type": "string"}}),
            json!(1),
            json!("a"),
            "not",
        ),
        (
            json!({"const": {"a": 1, "b": 2}}),
            json!({"b": 2.0, "a": 1}),
            json!({"a": 1}),
            "const",
        ),
        (json!({"type": "integer"}), json!(1.0), json!(1.5), "type"),
        (
            json!({"oneOf": [{"minimum": 1}, {"minimum": 3}]}),
            json!(2),
            json!(3),
            "oneOf",
        ),
        (
            json!({"dependentRequired": {"a": ["b"]}}),
            json!({"b": 1}),
            json!({"a": 1}),
            "dependentRequired",
        ),
        (
            json!({"contains": {"const": 1}, "maxContains": 1}),
            json!([1, 2]),
            json!([1, 1]),
            "maxContains",
        ),
        (
            json!({"propertyNames": {"pattern": "^x-"}}),
            json!({"x-a": 1}),
            json!({"a": 1}),
            "propertyNames",
        ),
        (
            json!({"if": {"const": 1}, "else": false}),
            json!(1),
            json!(2),
            "if",
        ),
        (
            json!({"prefixItems": [true, false]}),
            json!([1]),
            json!([1, 2]),
            "prefixItems",
        ),
        (
            json!({"multipleOf": 0.01}),
            json!(19.99),
            json!(0.001),
            "multipleOf",
        ),
        (json!({"maxLength": 1e20}), json!("a"), json!("a"), ""),
    ] {
        assert_eq!(broken(&schema, &good), None, "{schema}");
        let keyword = (!keyword.is_empty()).then_some(keyword);
        assert_eq!(broken(&schema, &bad), keyword, "{schema}");
    }
}

#[test]
fn only_the_same_schema_and_those_within_count_as_evaluated() {
    let cousins = json!({"allOf": [{"properties": {"a": true}}, {"unevaluatedProperties": false}]});
    assert_eq!(
        broken(&cousins, &json!({"a": 1})),
        Some("unevaluatedProperties")
    );
    let within = json!({"allOf": [{"properties": {"a": true}}], "unevaluatedProperties": false});
    assert_eq!(broken(&within, &json!({"a": 1})), None);
}

#[test]
fn what_never_ends_is_given_up_and_allowed() {
    assert_eq!(broken(&json!({"$ref": "#"}), &json!(1)), None);
    let twice =
        json!({"anyOf": [{"$ref": "#"}, {"$ref": "#"}], "allOf": [{"$ref": "#"}, {"$ref": "#"}]});
    assert_eq!(broken(&twice, &json!(1)), None);
}
