//! Replaces texts in a body or in the target of a request.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::Value;

/// The characters to encode in a segment or a value: all but the unreserved ones of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The replacement of a text; `None` keeps it. The first argument is the name of the member.
pub(super) type Change<'c> = &'c mut dyn FnMut(&str, &str) -> Option<String>;

/// Replaces texts in a body. Returns whether any was replaced.
pub(super) fn map(body: &mut Value, change: Change<'_>) -> bool {
    map_member("", body, change)
}

fn map_member(name: &str, value: &mut Value, change: Change<'_>) -> bool {
    match value {
        Value::String(text) => match change(name, text) {
            Some(other) => {
                *text = other;
                true
            }
            None => false,
        },
        Value::Array(items) => items.iter_mut().fold(false, |is_changed, item| {
            map_member(name, item, change) | is_changed
        }),
        Value::Object(members) => members.iter_mut().fold(false, |is_changed, (name, value)| {
            map_member(name, value, change) | is_changed
        }),
        _ => false,
    }
}

/// Replaces segments of a path and values of a query.
pub(super) fn map_target(target: &str, change: &mut dyn FnMut(&str) -> Option<String>) -> String {
    let (path, query) = match target.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (target, None),
    };
    let path: Vec<String> = path.split('/').map(|part| encoded(part, change)).collect();
    let mut target = path.join("/");
    if let Some(query) = query {
        let pairs: Vec<String> = query
            .split('&')
            .map(|pair| match pair.split_once('=') {
                Some((name, value)) => {
                    let values: Vec<String> =
                        value.split(',').map(|part| encoded(part, change)).collect();
                    format!("{name}={}", values.join(","))
                }
                None => pair.to_owned(),
            })
            .collect();
        target = format!("{target}?{}", pairs.join("&"));
    }
    target
}

fn encoded(part: &str, change: &mut dyn FnMut(&str) -> Option<String>) -> String {
    let text = percent_decode_str(part).decode_utf8_lossy();
    match change(&text) {
        Some(other) => utf8_percent_encode(&other, RESERVED).to_string(),
        None => part.to_owned(),
    }
}
