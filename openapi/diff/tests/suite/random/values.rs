//! Generates values that match a schema or nearly do. Objects have only listed properties.

use serde_json::{Map, Value, json};

/// The maximum number of values per schema.
const MOST: usize = 14;

/// Values around the limits of a schema.
pub(crate) fn values(schema: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => texts(schema, &mut all),
        Some("integer" | "number") => numbers(schema, &mut all),
        Some("boolean") => all.extend([json!(true), json!(false)]),
        Some("array") => arrays(schema, &mut all),
        Some("object") => objects(schema, &mut all),
        _ => {}
    }
    for key in ["oneOf", "anyOf", "allOf"] {
        let list = schema.get(key).and_then(Value::as_array);
        all.extend(list.into_iter().flatten().flat_map(values));
    }
    if schema.get("type").is_none() && all.is_empty() {
        all.extend([json!("red"), json!(7), json!({}), json!([]), json!(true)]);
    }
    if schema.get("nullable").is_some() {
        all.push(Value::Null);
    }
    all.truncate(MOST);
    all
}

fn texts(schema: &Value, all: &mut Vec<Value>) {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        all.extend(values.iter().rev().cloned());
    }
    for key in ["minLength", "maxLength"] {
        if let Some(length) = schema.get(key).and_then(Value::as_u64) {
            for length in [length.saturating_sub(1), length, length + 1] {
                all.push("x".repeat(usize::try_from(length).unwrap()).into());
            }
        }
    }
    all.extend(["", "red", "yellow", "Xx", "2026-01-01", "xxxxxxxxxxxxxxxx"].map(Value::from));
}

fn numbers(schema: &Value, all: &mut Vec<Value>) {
    for key in ["minimum", "maximum"] {
        if let Some(bound) = schema.get(key).and_then(Value::as_i64) {
            all.extend([bound - 1, bound, bound + 1, bound + 2].map(Value::from));
        }
    }
    all.extend([0, 1, 6, 12, 100, -100].map(Value::from));
    all.push(json!(10.5));
}

fn arrays(schema: &Value, all: &mut Vec<Value>) {
    let items = schema.get("items").map(values).unwrap_or_default();
    all.push(json!([]));
    for item in items.iter().take(6) {
        all.push(json!([item]));
        all.push(json!([item, item]));
    }
    for length in 2..=4 {
        all.push(
            items
                .iter()
                .cycle()
                .take(length.min(items.len() * length))
                .cloned()
                .collect(),
        );
    }
    all.reverse();
}

fn objects(schema: &Value, all: &mut Vec<Value>) {
    let none = Map::new();
    let properties = schema
        .get("properties")
        .and_then(Value::as_object)
        .unwrap_or(&none);
    let choices: Vec<(&String, Vec<Value>)> = properties
        .iter()
        .map(|(name, schema)| (name, values(schema)))
        .collect();
    let first = |index: usize| -> Map<String, Value> {
        let pick = |values: &Vec<Value>| values.get(index % values.len().max(1)).cloned();
        choices
            .iter()
            .filter_map(|(name, values)| Some(((*name).clone(), pick(values)?)))
            .collect()
    };
    all.push(json!({}));
    // Each property takes each of its values in turn, beside valid ones.
    for (name, values) in &choices {
        for value in values.iter().take(6) {
            let mut object = fitting(schema);
            object.insert((*name).clone(), value.clone());
            all.push(object.clone().into());
        }
        let mut object = fitting(schema);
        object.remove(*name);
        all.push(object.into());
    }
    all.extend((0..3).map(|index| first(index).into()));
    if schema
        .get("additionalProperties")
        .is_some_and(Value::is_object)
    {
        let mut object = fitting(schema);
        object.insert("other".to_owned(), json!(3));
        all.push(object.clone().into());
        object.insert("other".to_owned(), json!(8));
        all.push(object.into());
    }
    all.reverse();
}

/// An object with a probably valid value for each property.
fn fitting(schema: &Value) -> Map<String, Value> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties
        .into_iter()
        .flatten()
        .map(|(name, schema)| (name.clone(), likely(schema)))
        .collect()
}

/// A value that is probably valid.
fn likely(schema: &Value) -> Value {
    if let Some(value) = schema.get("enum").and_then(|values| values.get(0)) {
        return value.clone();
    }
    let number = |key: &str| schema.get(key).and_then(Value::as_u64);
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => "x"
            .repeat(usize::try_from(number("minLength").unwrap_or(1)).unwrap())
            .into(),
        Some("integer" | "number") => 12.into(),
        Some("boolean") => true.into(),
        Some("array") => {
            let item = schema.get("items").map_or(Value::Null, likely);
            let length = number("minItems").unwrap_or(1);
            (0..length).map(|_| item.clone()).collect()
        }
        Some("object") => fitting(schema).into(),
        _ => ["oneOf", "anyOf"]
            .iter()
            .find_map(|key| schema.get(*key)?.get(0))
            .map_or(Value::Null, likely),
    }
}
