//! Flow: writes a JSON value as YAML on one line.

use serde_json::Value;

/// Writes a JSON value as YAML on one line.
pub(crate) fn flow(value: &Value) -> String {
    match value {
        Value::Object(entries) => {
            let entries = entries.iter();
            let entries: Vec<String> = { entries }
                .map(|(key, value)| format!("{key}: {}", flow(value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(flow).collect();
            format!("[{}]", items.join(", "))
        }
        Value::String(text) if is_plain(text) => text.clone(),
        // JSON is YAML.
        other => other.to_string(),
    }
}

/// Whether a text is a plain YAML scalar anywhere, and no YAML parser reads it as another type.
fn is_plain(text: &str) -> bool {
    const OTHERS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(is_word)
        && !OTHERS.contains(&text.to_lowercase().as_str())
}
