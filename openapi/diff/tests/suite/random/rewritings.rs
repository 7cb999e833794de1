//! Equivalent rewritings of schemas.

use serde_json::{Map, Value, json};

/// The number of kinds of rewriting.
pub(crate) const KINDS: usize = 7;

/// Keywords that have an effect only together.
const TOGETHER: [&[&str]; 4] = [
    &["type", "nullable", "enum"],
    &["minimum", "exclusiveMinimum"],
    &["maximum", "exclusiveMaximum"],
    &["properties", "additionalProperties"],
];

/// Rewrites a schema; a new component is added to `components`.
pub(crate) fn rewrite(schema: &Value, kind: usize, components: &mut Map<String, Value>) -> Value {
    match kind % KINDS {
        0 => json!({"allOf": [schema]}),
        1 => split(schema),
        2 => {
            let name = format!("Part{}", components.len());
            components.insert(name.clone(), schema.clone());
            json!({"$ref": format!("#/components/schemas/{name}")})
        }
        3 => reversed(schema),
        4 => json!({"oneOf": [schema]}),
        5 => {
            let mut out = schema.clone();
            out["description"] = "of no account".into();
            out["x-note"] = json!({"any": 1});
            out
        }
        _ => twice(schema),
    }
}

/// Moves every second group of keywords to a part of `allOf`.
fn split(schema: &Value) -> Value {
    let Some(map) = schema.as_object() else {
        return schema.clone();
    };
    let group = |key: &str| TOGETHER.iter().position(|keys| keys.contains(&key));
    let (mut left, mut right) = (Map::new(), Map::new());
    for (index, (key, value)) in map.iter().enumerate() {
        let place = group(key).map_or(index + 1, |group| group + 1);
        let side = if place % 2 == 0 {
            &mut left
        } else {
            &mut right
        };
        side.insert(key.clone(), value.clone());
    }
    let mut parts: Vec<Value> = vec![right.into()];
    if let Some(Value::Array(members)) = left.remove("allOf") {
        parts.extend(members);
    }
    left.insert("allOf".to_owned(), parts.into());
    left.into()
}

/// Reverses the order of keys, required names, listed values and alternatives.
fn reversed(schema: &Value) -> Value {
    let Some(map) = schema.as_object() else {
        return schema.clone();
    };
    let turned = |key: &str, value: &Value| match value {
        Value::Array(list) if matches!(key, "required" | "enum" | "oneOf" | "anyOf" | "allOf") => {
            list.iter().rev().cloned().collect()
        }
        Value::Object(inner) if key == "properties" => {
            let entries = inner.iter().rev();
            Value::Object(
                entries
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect(),
            )
        }
        other => other.clone(),
    };
    let entries = map.iter().rev();
    Value::Object(
        entries
            .map(|(key, value)| (key.clone(), turned(key, value)))
            .collect(),
    )
}

/// The schema twice, in an `allOf`.
fn twice(schema: &Value) -> Value {
    json!({"allOf": [schema, schema]})
}
