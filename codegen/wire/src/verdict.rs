//! What came over the socket against what had to.

use serde_json::Value;

use super::Heard;
use super::case::{Bytes, Case, Piece};
use super::encoding::Part;
use super::recorder::Received;

/// The subjects with wrong bytes, and the difference of each.
pub(super) fn judge(case: &Case, received: &Received) -> Vec<(usize, String)> {
    let (path, query) = received
        .target
        .split_once('?')
        .unwrap_or((&received.target, ""));
    let mut pairs: Vec<&str> = query.split('&').filter(|pair| !pair.is_empty()).collect();
    let cookie = header(received, "cookie").unwrap_or_default();
    let cookies: Vec<&str> = cookie.split("; ").collect();
    let mut faults = Vec::new();
    for piece in &case.pieces {
        let fault = match &piece.bytes {
            Bytes::Path => differs(&case.path, path),
            Bytes::Query(expected) => take(expected, &mut pairs),
            Bytes::Cookie(expected) => take(expected, &mut cookies.clone()),
            Bytes::Header(name, expected) => {
                differs(expected, &header(received, name).unwrap_or_default())
            }
            bytes => body(bytes, received),
        };
        faults.extend(fault.map(|fault| (piece.subject, fault)));
    }
    let last = case.pieces.last().map(|piece| piece.subject);
    if let Some(subject) = last {
        let more = (!pairs.is_empty()).then(|| format!("undeclared pairs: {}", pairs.join("&")));
        faults.extend(more.map(|more| (subject, more)));
        let method = differs(&case.method, &received.method);
        faults.extend(method.map(|method| (subject, method)));
        let bodiless = case.content.is_none() && !received.body.is_empty();
        faults.extend(bodiless.then(|| (subject, "a body where there is none".to_owned())));
    }
    faults
}

/// The subjects that a server decodes to other values than were encoded, and how.
pub(super) fn judge_heard(case: &Case, heard: &Heard) -> Vec<(usize, String)> {
    let read = |text: &str| serde_json::from_str(text).unwrap_or(Value::Null);
    let (parameters, body): (Value, Value) = (read(&heard.parameters), read(&heard.body));
    // RFC 6570 writes nothing for what is empty, so it cannot be decoded.
    let decoded = || {
        case.pieces
            .iter()
            .filter_map(|piece| piece.decoded.as_ref())
    };
    let is_form = |piece: &Piece| matches!(piece.bytes, Bytes::Form(_));
    let form = case.pieces.iter().any(is_form).then(|| read(&case.body));
    let has_empty =
        decoded().any(|(_, sent)| is_empty(sent)) || form.as_ref().is_some_and(holds_empty);
    if !case.is_served || has_empty {
        return Vec::new();
    }
    // An operation of which the tests know no exchange keeps nothing of what it decodes.
    let is_kept = !heard.parameters.is_empty() || !heard.body.is_empty();
    if !is_kept && heard.answer.starts_with("HTTP/1.1 501") {
        return Vec::new();
    }
    let mut faults = Vec::new();
    for piece in &case.pieces {
        // The server implements no operation, so what it takes is answered with 501.
        let fault = if !heard.answer.starts_with("HTTP/1.1 501") {
            Some(format!(
                "the server answers {}",
                heard.answer.replace("\r\n", " | ")
            ))
        } else if let Some((name, sent)) = &piece.decoded {
            decodes_otherwise(sent, &parameters[name])
        } else {
            match &piece.bytes {
                Bytes::Json(_, sent) => decodes_otherwise(sent, &body),
                // Other bodies are decoded, but what of them is not kept.
                _ => None,
            }
        };
        faults.extend(fault.map(|fault| (piece.subject, fault)));
    }
    faults
}

fn is_empty(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty)
        || value.as_object().is_some_and(serde_json::Map::is_empty)
}

/// Whether something empty is in a value.
fn holds_empty(value: &Value) -> bool {
    let mut inside: Box<dyn Iterator<Item = &Value>> = match value {
        Value::Array(items) => Box::new(items.iter()),
        Value::Object(members) => Box::new(members.values()),
        _ => return false,
    };
    inside.any(|own| is_empty(own) || holds_empty(own))
}

fn decodes_otherwise(sent: &Value, decoded: &Value) -> Option<String> {
    (!same(sent, decoded)).then(|| format!("sent {sent}, the server decodes {decoded}"))
}

/// Whether two values are the same; of numbers that is their value, not their digits.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.as_f64() == other.as_f64()
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let mut all = one.keys().chain(other.keys());
            let of = |map: &serde_json::Map<String, Value>, key: &str| map.get(key).cloned();
            all.all(|key| match (of(one, key), of(other, key)) {
                (Some(one), Some(other)) => same(&one, &other),
                _ => false,
            })
        }
        (one, other) => one == other,
    }
}

fn header(received: &Received, name: &str) -> Option<String> {
    let named = received.headers.iter().filter(|(own, _)| own == name);
    let values: Vec<&str> = named.map(|(_, value)| value.as_str()).collect();
    (!values.is_empty()).then(|| values.join(","))
}

fn differs(expected: &str, actual: &str) -> Option<String> {
    (expected != actual).then(|| format!("expected {expected:?}, received {actual:?}"))
}

/// Takes the pairs of one parameter, in their order, out of those that came.
fn take(expected: &[String], pairs: &mut Vec<&str>) -> Option<String> {
    let mut from = 0;
    for pair in expected {
        let position = pairs
            .iter()
            .skip(from)
            .position(|actual| is_same_pair(pair, actual));
        let Some(position) = position.map(|position| from + position) else {
            return Some(format!("expected {pair:?} in {:?}", pairs.join("&")));
        };
        pairs.remove(position);
        from = position;
    }
    None
}

/// Whether two pairs are the same; the members of a value that is JSON may come in any order.
fn is_same_pair(expected: &str, actual: &str) -> bool {
    let json = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        let text = percent_decoded(value)?;
        let value: Value = serde_json::from_str(&text).ok()?;
        value.is_object().then(|| (name.to_owned(), value))
    };
    expected == actual || json(expected).is_some_and(|own| json(actual) == Some(own))
}

/// The text of a form's value.
fn percent_decoded(value: &str) -> Option<String> {
    let mut bytes = value.bytes();
    let mut decoded = Vec::new();
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [bytes.next()?, bytes.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(decoded).ok()
}

fn body(expected: &Bytes, received: &Received) -> Option<String> {
    let text = String::from_utf8_lossy(&received.body);
    let said = header(received, "content-type").unwrap_or_default();
    match expected {
        Bytes::Json(media_type, value) => differs(media_type, &said).or_else(|| {
            let same = serde_json::from_str::<Value>(&text).is_ok_and(|actual| actual == *value);
            (!same).then(|| format!("expected {value}, received {text}"))
        }),
        Bytes::Plain(media_type, plain) => {
            differs(media_type, &said).or_else(|| differs(plain, &text))
        }
        Bytes::Form(pairs) => differs("application/x-www-form-urlencoded", &said).or_else(|| {
            let mut actual: Vec<&str> = text.split('&').filter(|pair| !pair.is_empty()).collect();
            let missing = take_all(pairs, &mut actual);
            missing.or_else(|| differs("", &actual.join("&")))
        }),
        Bytes::Multipart(parts) => match split(&said, &received.body) {
            Some(actual) if actual == *parts => None,
            actual => Some(format!("expected {parts:?}, received {actual:?}")),
        },
        Bytes::Path | Bytes::Query(_) | Bytes::Cookie(_) | Bytes::Header(..) => None,
    }
}

/// Takes pairs out: those of one name in their order, names in any.
fn take_all(expected: &[String], actual: &mut Vec<&str>) -> Option<String> {
    let name = |pair: &str| pair.split('=').next().unwrap_or_default().to_owned();
    let mut expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    expected.sort_by_key(|pair| name(pair));
    actual.sort_by_key(|pair| name(pair));
    let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
    take(&expected, actual)
}

/// The parts of a body, by RFC 7578.
fn split(media_type: &str, body: &[u8]) -> Option<Vec<Part>> {
    let boundary = media_type.strip_prefix("multipart/form-data; boundary=")?;
    let text = String::from_utf8(body.to_vec()).ok()?;
    let inner = text.strip_prefix(&format!("--{boundary}\r\n"));
    let Some(inner) = inner else {
        return (text == format!("--{boundary}--\r\n")).then(Vec::new);
    };
    let inner = inner.strip_suffix(&format!("\r\n--{boundary}--\r\n"))?;
    let delimiter = format!("\r\n--{boundary}\r\n");
    let mut parts: Vec<Part> = inner.split(&delimiter).map(part).collect::<Option<_>>()?;
    parts.sort();
    Some(parts)
}

fn part(text: &str) -> Option<Part> {
    let (head, content) = text.split_once("\r\n\r\n")?;
    let header = |name: &str| {
        let mut lines = head.lines().filter_map(|line| line.split_once(": "));
        lines
            .find(|(own, _)| own.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.to_owned())
    };
    let disposition = header("content-disposition")?;
    let directive = |name: &str| {
        let (_, value) = disposition.split_once(&format!("; {name}=\""))?;
        Some(value.split('"').next()?.to_owned())
    };
    Some(Part {
        name: directive("name")?,
        file: directive("filename"),
        media_type: header("content-type"),
        content: content.to_owned(),
    })
}
