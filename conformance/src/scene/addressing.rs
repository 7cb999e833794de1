//! Addressing: how requests name records, in path parameters, headers and body properties.

use openapi_document::Node;

use crate::exchange::Sent;
use crate::model::{Call, Role, segment_before};
use crate::names;
use crate::style::encode;
use crate::value;

/// Whether a request has a header that later requests on the same record repeat. Request ids and idempotency keys are
/// not repeated.
pub(crate) fn is_repeated_header(name: &str, with: &Sent) -> bool {
    let words = names::words(name);
    let tells_apart = words
        .iter()
        .any(|word| word == "request" || word == "idempotency");
    !tells_apart && with.header(name).is_some()
}

/// Whether a record, or the request that it came with, has all path parameters of a reader or list.
pub(crate) fn can_address(reader: &Call<'_>, record: &Node, with: &Sent) -> bool {
    let mut names = reader.path_parameters().into_iter();
    names.all(|name| bound(reader, name, record, with).is_some())
}

/// The value of a path parameter: from the record, else from the request that the record came with.
pub(crate) fn bound(
    reader: &Call<'_>,
    parameter: &str,
    record: &Node,
    with: &Sent,
) -> Option<Node> {
    let properties: Vec<&str> = record.entries().map(|entry| entry.key.as_str()).collect();
    let path = reader.operation.path;
    let kind = reader
        .record()
        .map(|record| record.name.clone())
        .unwrap_or_default();
    let segment = names::singular(segment_before(path, parameter).unwrap_or_default());
    // The last parameter is the record's key; those before it are keys of its parents.
    let is_last = path.rfind('{') == path.find(&format!("{{{parameter}}}"));
    let is_same = is_last && reader.role != Role::List;
    let key_property = || {
        let linked = reader.link(parameter).map(|link| link.property.as_str());
        let linked = properties
            .iter()
            .find(|name| Some(**name) == linked)
            .copied();
        linked
            .or_else(|| names::key_property(parameter, &kind, &properties))
            .or_else(|| names::key_property(parameter, &segment, &properties))
    };
    let exact = properties
        .iter()
        .copied()
        .find(|name| names::same(name, parameter));
    let of_request = || {
        let mut arguments = with.path_arguments.iter();
        let (_, text) = arguments.find(|(name, _)| names::same(name, parameter))?;
        Some(value::string(text))
    };
    let of_record = |name: Option<&str>| {
        let node = record.get(name?)?;
        (!node.is_null()).then(|| node.clone())
    };
    // Both requests are below the same record: `/environments/{environment}/strategies`.
    let is_below = |value: &Node| {
        let before = segment_before(path, parameter).unwrap_or_default();
        let here = format!("/{before}/{}/", encode(&value::plain(value)));
        !path.trim_end_matches('/').ends_with('}') && format!("{}/", with.url).contains(&here)
    };
    if let Some(value) = of_request().filter(is_below) {
        return Some(value);
    }
    if is_same {
        of_record(key_property()).or_else(of_request)
    } else {
        of_request().or_else(|| of_record(exact))
    }
}

/// Whether a writing request names a key in its path, or in a body property that can hold keys.
pub(crate) fn names_key(call: &Call<'_>, sent: &Sent, key: &Node) -> bool {
    let text = value::plain(key);
    let in_path = sent.path_arguments.iter().any(|(_, item)| *item == text);
    // A long text hardly equals another record's key by chance.
    let is_long = key.as_str().is_some_and(|text| text.len() >= 8);
    let in_body = sent.json.iter().flat_map(Node::entries).any(|entry| {
        (is_long || names::subject(&entry.key).is_some()) && entry.value.same_value(key)
    });
    (in_path || in_body) && !call.operation.method.is_safe()
}

/// Whether the body of a request names a record by another property than its key, such as the `code` of a voucher.
pub(crate) fn names_otherwise(creator: &Call<'_>, record: &Node, sent: &Sent) -> bool {
    let Some(kind) = creator.record() else {
        return false;
    };
    let properties: Vec<&str> = record.entries().map(|entry| entry.key.as_str()).collect();
    let mut entries = sent.json.iter().flat_map(Node::entries);
    entries.any(|entry| {
        let meant = names::property_of(&entry.key, &kind.name, &properties);
        let value = meant.and_then(|name| record.get(name));
        value.is_some_and(|node| node.same_value(&entry.value))
    })
}

/// Whether a nested part of a request's body names a key: `links: {mandate: MD0001}`.
pub(crate) fn names_within(call: &Call<'_>, sent: &Sent, key: &Node) -> bool {
    let text = key.as_str().unwrap_or_default();
    let has = |is: fn(&char) -> bool| text.chars().any(|item| is(&item));
    let is_mixed = text.len() >= 5 && has(char::is_ascii_digit) && has(char::is_ascii_alphabetic);
    let is_telling = text.len() >= 8 || is_mixed;
    let mut parts = sent.json.iter().flat_map(Node::entries);
    let is_within = parts.any(|entry| has_value(&entry.value, key, 1));
    is_telling && is_within && !call.operation.method.is_safe()
}

/// Nested parts are searched to this depth.
const DEEPEST: usize = 2;

fn has_value(part: &Node, key: &Node, depth: usize) -> bool {
    let mut entries = part.entries();
    entries.any(|entry| {
        entry.value.same_value(key) || (depth < DEEPEST && has_value(&entry.value, key, depth + 1))
    })
}
