//! The schemas within a schema.

use serde_json::{Map, Value};

/// The schemas directly within a schema, with the segments that lead to them.
pub(super) fn subschemas(fields: &mut Map<String, Value>) -> Vec<(Vec<String>, &mut Value)> {
    let mut all = Vec::new();
    for (key, value) in fields {
        match (key.as_str(), value) {
            ("const" | "enum" | "required", _) => {}
            ("properties" | "patternProperties" | "dependentSchemas", Value::Object(map)) => {
                let within = map.iter_mut();
                all.extend(within.map(|(name, schema)| (vec![key.clone(), name.clone()], schema)));
            }
            (_, Value::Array(items)) => {
                let within = items.iter_mut().enumerate();
                all.extend(within.map(|(at, item)| (vec![key.clone(), at.to_string()], item)));
            }
            (_, value @ (Value::Object(_) | Value::Bool(_))) => {
                all.push((vec![key.clone()], value));
            }
            _ => {}
        }
    }
    all
}
