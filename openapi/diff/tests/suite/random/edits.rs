//! Edits of schemas that may change the valid values.

use serde_json::{Value, json};

/// The possible edits of one schema.
pub(crate) fn edits(schema: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    let kind = schema
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default();
    match kind {
        "string" => text(schema, &mut all),
        "integer" | "number" => number(schema, &mut all),
        "array" => {
            lengths(schema, &mut all, ["minItems", "maxItems"]);
            all.push(toggled(schema, "uniqueItems"));
        }
        "object" => object(schema, &mut all),
        _ => {}
    }
    if !kind.is_empty() {
        all.push(toggled(schema, "nullable"));
        all.extend(["string", "integer", "boolean", "object"].map(|other| json!({"type": other})));
        all.push(without(schema, &["type", "nullable"]));
    }
    for key in ["oneOf", "anyOf"] {
        let Some(list) = schema.get(key).and_then(Value::as_array) else {
            continue;
        };
        all.push(with(schema, key, list[1..].into()));
        let mut more = list.clone();
        more.push(json!({"type": "object", "required": ["kind"],
            "properties": {"kind": {"type": "string", "enum": ["cheque"]}}}));
        all.push(with(schema, key, more.into()));
        all.push(list[0].clone());
    }
    all
}

fn text(schema: &Value, all: &mut Vec<Value>) {
    lengths(schema, all, ["minLength", "maxLength"]);
    match schema.get("enum").and_then(Value::as_array) {
        Some(values) => {
            all.push(with(schema, "enum", values[1..].into()));
            let mut more = values.clone();
            more.push("yellow".into());
            all.push(with(schema, "enum", more.into()));
            all.push(without(schema, &["enum"]));
        }
        None => all.push(with(schema, "enum", json!(["red", "green"]))),
    }
    all.push(with(schema, "pattern", "^[a-z]*$".into()));
    all.push(with(schema, "format", "date".into()));
    all.push(with(schema, "not", json!({"enum": ["red"]})));
}

fn number(schema: &Value, all: &mut Vec<Value>) {
    lengths(schema, all, ["minimum", "maximum"]);
    all.push(toggled(schema, "exclusiveMinimum"));
    all.push(toggled(schema, "exclusiveMaximum"));
    all.push(with(schema, "multipleOf", json!(2)));
    all.push(with(schema, "multipleOf", json!(6)));
    all.push(without(schema, &["multipleOf"]));
    let other = if schema["type"] == "integer" {
        "number"
    } else {
        "integer"
    };
    all.push(with(schema, "type", other.into()));
}

/// Two bounds, each increased, decreased, removed or added.
fn lengths(schema: &Value, all: &mut Vec<Value>, keys: [&str; 2]) {
    for key in keys {
        match schema.get(key).and_then(Value::as_u64) {
            Some(bound) => {
                all.push(with(schema, key, (bound + 1).into()));
                all.push(with(schema, key, bound.saturating_sub(1).into()));
                all.push(without(schema, &[key]));
            }
            None => all.push(with(schema, key, 3.into())),
        }
    }
}

fn object(schema: &Value, all: &mut Vec<Value>) {
    lengths(schema, all, ["minProperties", "maxProperties"]);
    let names: Vec<String> = schema["properties"]
        .as_object()
        .map(|properties| properties.keys().cloned().collect())
        .unwrap_or_default();
    let required: Vec<Value> = schema["required"].as_array().cloned().unwrap_or_default();
    for name in names {
        let listed = required.iter().any(|other| *other == name.as_str());
        let mut others: Vec<Value> = required
            .iter()
            .filter(|other| **other != name.as_str())
            .cloned()
            .collect();
        let less = with(schema, "required", others.clone().into());
        let mut gone = if listed { less.clone() } else { schema.clone() };
        gone["properties"]
            .as_object_mut()
            .map(|properties| properties.remove(&name));
        all.push(gone);
        if listed {
            all.push(less);
        } else {
            others.push(name.into());
            all.push(with(schema, "required", others.into()));
        }
    }
    let mut more = schema.clone();
    more["properties"]["e"] = json!({"type": "string"});
    all.push(more.clone());
    let mut named = required;
    named.push("e".into());
    all.push(with(&more, "required", named.into()));
    all.push(with(schema, "additionalProperties", false.into()));
    all.push(with(
        schema,
        "additionalProperties",
        json!({"type": "integer", "maximum": 5}),
    ));
    all.push(without(schema, &["additionalProperties"]));
}

fn with(schema: &Value, key: &str, value: Value) -> Value {
    let mut out = schema.clone();
    if out.is_object() {
        out[key] = value;
    }
    out
}

fn without(schema: &Value, keys: &[&str]) -> Value {
    let mut out = schema.clone();
    if let Some(map) = out.as_object_mut() {
        for key in keys {
            map.remove(*key);
        }
    }
    out
}

fn toggled(schema: &Value, key: &str) -> Value {
    let flag = schema.get(key).and_then(Value::as_bool) == Some(true);
    with(schema, key, (!flag).into())
}
