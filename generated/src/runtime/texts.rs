//! JSON whose scalars are all texts: values of parameters and forms, before their types are known.
//!
//! The JSON is marked, so that its reader parses numbers and booleans from their texts.

use serde::Serialize;

const BEGIN: &str = "{\"$texts\":";

/// The JSON of a value whose scalars are texts, marked as such.
pub(super) fn marked<T: Serialize>(value: &T) -> serde_json::Result<String> {
    Ok(format!("{BEGIN}{}}}", serde_json::to_string(value)?))
}

/// The JSON inside the mark; `None` for any other JSON.
pub(super) fn within(json: &str) -> Option<&str> {
    json.strip_prefix(BEGIN)?.strip_suffix('}')
}
