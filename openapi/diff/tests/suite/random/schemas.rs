//! Generates random schemas.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// A schema with a depth of at most three.
pub(crate) fn schema() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![2 => scalar(), 3 => object(inner.clone()), 2 => array(inner.clone()), 1 => choice(inner)]
    })
}

/// A schema for scalars.
pub(crate) fn scalar() -> impl Strategy<Value = Value> {
    let nullable = any::<bool>();
    let text =
        (option(0..4_u64), option(4..9_u64), any::<bool>()).prop_map(|(low, high, listed)| {
            let mut schema = json!({"type": "string"});
            put(&mut schema, "minLength", low);
            put(&mut schema, "maxLength", high);
            if listed {
                return json!({"type": "string", "enum": ["red", "green", "blue"]});
            }
            schema
        });
    let number = (
        prop_oneof![Just("integer"), Just("number")],
        option(0..10_u64),
        option(10..20_u64),
        any::<bool>(),
        option(1..4_u64),
    )
        .prop_map(|(kind, low, high, exclusive, multiple)| {
            let mut schema = json!({"type": kind});
            put(&mut schema, "minimum", low);
            put(&mut schema, "maximum", high);
            put(&mut schema, "multipleOf", multiple);
            if exclusive && low.is_some() {
                schema["exclusiveMinimum"] = true.into();
            }
            schema
        });
    let flag = Just(json!({"type": "boolean"}));
    (prop_oneof![3 => text, 3 => number, 1 => flag], nullable).prop_map(|(mut schema, nullable)| {
        if nullable {
            schema["nullable"] = true.into();
        }
        schema
    })
}

fn object(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let properties = prop::collection::vec((inner, any::<bool>()), 0..4);
    (properties, 0..4_u8, option(1..3_u64)).prop_map(|(properties, rest, most)| {
        let mut schema = json!({"type": "object"});
        let required: Vec<_> = properties
            .iter()
            .zip(NAMES)
            .filter_map(|((_, required), name)| required.then_some(name))
            .collect();
        if !required.is_empty() {
            schema["required"] = required.into();
        }
        let named = properties.into_iter().zip(NAMES);
        let named: Map<String, Value> = named
            .map(|((schema, _), name)| (name.to_owned(), schema))
            .collect();
        schema["properties"] = named.into();
        match rest {
            1 => schema["additionalProperties"] = false.into(),
            2 => schema["additionalProperties"] = json!({"type": "integer"}),
            _ => put(&mut schema, "maxProperties", most.map(|most| most + 4)),
        }
        schema
    })
}

fn array(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    (inner, option(0..2_u64), option(2..4_u64), any::<bool>()).prop_map(
        |(items, low, high, unique)| {
            let mut schema = json!({"type": "array", "items": items});
            put(&mut schema, "minItems", low);
            put(&mut schema, "maxItems", high);
            if unique {
                schema["uniqueItems"] = true.into();
            }
            schema
        },
    )
}

/// Alternatives that differ in type, or in the value of a required property.
fn choice(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let tagged = |tag: &str, schema: Value| {
        json!({"type": "object", "required": ["kind"],
            "properties": {"kind": {"type": "string", "enum": [tag]}, "value": schema}})
    };
    (prop::collection::vec(inner, 2..4), any::<bool>()).prop_map(move |(inner, exactly_one)| {
        let tags = ["card", "bank", "cash"];
        let all = inner
            .into_iter()
            .zip(tags)
            .map(|(schema, tag)| tagged(tag, schema));
        let key = if exactly_one { "oneOf" } else { "anyOf" };
        json!({key: all.collect::<Vec<_>>()})
    })
}

fn option<S: Strategy>(inner: S) -> impl Strategy<Value = Option<S::Value>> {
    prop::option::of(inner)
}

fn put(schema: &mut Value, key: &str, value: Option<u64>) {
    if let Some(value) = value {
        schema[key] = value.into();
    }
}
