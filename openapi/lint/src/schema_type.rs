//! Schema type: compares values with the `type` of a schema.

use openapi_document::node::Node;

/// The types of JSON Schema.
pub(super) const TYPES: [&str; 7] = [
    "string", "number", "integer", "boolean", "array", "object", "null",
];

/// The names under `type`: one, several (since 3.1), or none.
pub(super) fn types(schema: &Node) -> Vec<&str> {
    match schema.get("type") {
        Some(node) => node.as_str().into_iter().chain(node.strings()).collect(),
        None => Vec::new(),
    }
}

/// Whether a 3.0 schema has `nullable: true` and a `type`, without which it has no effect.
pub(super) fn is_nullable(schema: &Node) -> bool {
    schema.get("nullable").and_then(Node::as_bool) == Some(true) && schema.get("type").is_some()
}

/// Whether a value has a type.
pub(super) fn fits(value: &Node, name: &str) -> bool {
    match name {
        "integer" => value.as_number().is_some_and(is_whole),
        _ => value.type_name() == name,
    }
}

/// Whether a JSON number is whole: no digits remain after the point when the exponent is applied.
pub(super) fn is_whole(digits: &str) -> bool {
    let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let significant = format!("{whole}{fraction}");
    let significant = significant.trim_end_matches('0');
    if significant.trim_start_matches(['-', '0']).is_empty() {
        return true;
    }
    let behind = i64::try_from(significant.len()).unwrap_or(i64::MAX)
        - i64::try_from(whole.len()).unwrap_or(i64::MAX);
    match exponent.parse::<i64>() {
        Ok(exponent) => exponent >= behind,
        // The exponent is larger than any number of digits.
        Err(_) => !exponent.starts_with('-'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_integers() {
        let node = |text| openapi_document::json::read_text(text).unwrap();
        for whole in [
            "1",
            "-20",
            "1.0",
            "1e3",
            "0e-9",
            "1.50e1",
            "120e-1",
            "1e99999999999999999999",
        ] {
            assert!(fits(&node(whole), "integer"), "{whole}");
        }
        for other in [
            "1.5",
            "\"1\"",
            "null",
            "1e-3",
            "1.55e1",
            "125e-1",
            "1e-99999999999999999999",
        ] {
            assert!(!fits(&node(other), "integer"), "{other}");
        }
        assert!(fits(&node("1.5"), "number"));
    }
}
