//! What the specification demands on the wire, written from its text alone: `OpenAPI` 3.0.4 and
//! 3.1.1 (parameter and encoding objects), RFC 6570, RFC 7578, and RFC 1866 with the escapes of RFC
//! 3986. It shares nothing with the code that generated crates carry.
//!
//! `None` means that the specification knows no bytes for a value in that style. Two things it
//! leaves open are taken as everybody takes them: `deepObject` nests its brackets to any depth and
//! counts the items of a list from zero.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::description::text;

/// How a value is spread over pairs or joined.
#[derive(Clone, Copy)]
pub(super) struct Style<'d> {
    pub(super) word: &'d str,
    pub(super) explode: bool,
    pub(super) reserved: bool,
}

impl<'d> Style<'d> {
    /// Of a parameter, or of an encoding object that stands in for one of a query.
    pub(super) fn of(owner: &'d Value, default: &'d str) -> Self {
        let word = match text(owner, "style") {
            "" => default,
            word => word,
        };
        let flag = |name: &str| owner.get(name).and_then(Value::as_bool);
        Self {
            word,
            explode: flag("explode").unwrap_or(word == "form"),
            reserved: flag("allowReserved").unwrap_or(false),
        }
    }
}

/// The text of a scalar.
pub(super) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// RFC 3986: all but the unreserved characters is escaped. Where reserved characters may stand, those
/// that end a query or a pair still must not.
pub(super) fn escaped(text: &str, reserved: bool) -> String {
    let kept = if reserved { ":/?@!$'()*,;=" } else { "" };
    let mut escaped = String::new();
    for byte in text.bytes() {
        let char = char::from(byte);
        if char.is_ascii_alphanumeric() || "-._~".contains(char) || kept.contains(char) {
            escaped.push(char);
        } else {
            let _ = write!(escaped, "%{byte:02X}");
        }
    }
    escaped
}

/// The pairs of a query or cookie parameter.
pub(super) fn pairs(name: &str, value: &Value, style: Style<'_>) -> Option<Vec<String>> {
    let name = escaped(name, false);
    let text = |value: &Value| Some(escaped(&scalar(value)?, style.reserved));
    if style.word == "deepObject" {
        let mut pairs = Vec::new();
        deep(&name, value, style.reserved, &mut pairs);
        return Some(pairs);
    }
    match value {
        Value::Array(items) if style.explode => items
            .iter()
            .map(|item| Some(format!("{name}={}", text(item)?)))
            .collect(),
        Value::Object(members) if style.explode => members
            .iter()
            .map(|(key, value)| Some(format!("{}={}", escaped(key, false), text(value)?)))
            .collect(),
        Value::Array(_) | Value::Object(_) => {
            let delimiter = match style.word {
                "form" => ",",
                "spaceDelimited" => "%20",
                "pipeDelimited" => "%7C",
                _ => return None,
            };
            let parts: Option<Vec<String>> = parts(value).iter().map(text).collect();
            Some(vec![format!("{name}={}", parts?.join(delimiter))])
        }
        plain => Some(vec![format!("{name}={}", text(plain)?)]),
    }
}

fn deep(name: &str, value: &Value, reserved: bool, pairs: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                deep(&format!("{name}%5B{index}%5D"), item, reserved, pairs);
            }
        }
        Value::Object(members) => {
            for (key, value) in members {
                let name = format!("{name}%5B{}%5D", escaped(key, false));
                deep(&name, value, reserved, pairs);
            }
        }
        plain => {
            let text = scalar(plain).map(|text| escaped(&text, reserved));
            pairs.extend(text.map(|text| format!("{name}={text}")));
        }
    }
}

/// Items, or names and values in turn.
fn parts(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items.clone(),
        Value::Object(members) => members
            .iter()
            .flat_map(|(key, value)| [Value::String(key.clone()), value.clone()])
            .collect(),
        plain => vec![plain.clone()],
    }
}

/// A path parameter, in place of `{name}`.
pub(super) fn segment(name: &str, value: &Value, style: Style<'_>) -> Option<String> {
    let (first, next, named) = match style.word {
        "simple" => ("", ",", false),
        "label" => (".", if style.explode { "." } else { "," }, false),
        "matrix" => (";", if style.explode { ";" } else { "," }, true),
        _ => return None,
    };
    let text = |value: &Value| Some(escaped(&scalar(value)?, false));
    let parts: Vec<String> = match value {
        Value::Object(members) if style.explode => members
            .iter()
            .map(|(key, value)| Some(format!("{}={}", escaped(key, false), text(value)?)))
            .collect::<Option<_>>()?,
        Value::Array(items) if style.explode && named => items
            .iter()
            .map(|item| Some(format!("{name}={}", text(item)?)))
            .collect::<Option<_>>()?,
        other => parts(other).iter().map(text).collect::<Option<_>>()?,
    };
    let named = named && !(style.explode && (value.is_object() || value.is_array()));
    let name = if named {
        format!("{name}=")
    } else {
        String::new()
    };
    Some(format!("{first}{name}{}", parts.join(next)))
}

/// The value of a header: as it is, for headers know no escapes.
pub(super) fn header(value: &Value, style: Style<'_>) -> Option<String> {
    let parts: Option<Vec<String>> = match value {
        Value::Object(members) if style.explode => members
            .iter()
            .map(|(key, value)| Some(format!("{key}={}", scalar(value)?)))
            .collect(),
        other => parts(other).iter().map(scalar).collect(),
    };
    Some(parts?.join(","))
}

/// The pairs of a form.
pub(super) fn form(body: &Value, encodings: &Value) -> Option<Vec<String>> {
    let none = Map::new();
    let mut pairs = Vec::new();
    for (name, value) in body.as_object().unwrap_or(&none) {
        let encoding = encodings.get(name).unwrap_or(&Value::Null);
        let styled = ["style", "explode", "allowReserved"];
        if styled.iter().any(|word| encoding.get(*word).is_some()) {
            pairs.extend(self::pairs(name, value, Style::of(encoding, "form"))?);
            continue;
        }
        // Without a style the media type decides: that of scalars is text, that of objects JSON.
        let items = value
            .as_array()
            .map_or_else(|| vec![value], |items| items.iter().collect());
        let json = text(encoding, "contentType").contains("json");
        for item in items {
            let text = scalar(item)
                .filter(|_| !json)
                .unwrap_or_else(|| item.to_string());
            pairs.push(format!(
                "{}={}",
                escaped(name, false),
                escaped(&text, false)
            ));
        }
    }
    Some(
        pairs
            .into_iter()
            .map(|pair| pair.replace("%20", "+"))
            .collect(),
    )
}

/// A part of a body.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) file: Option<String>,
    pub(super) media_type: Option<String>,
    pub(super) content: String,
}

/// The parts of a body: one for each value, and one for each item of a list.
pub(super) fn multipart(
    body: &Value,
    encodings: &Value,
    is_file: impl Fn(&str) -> bool,
) -> Vec<Part> {
    let none = Map::new();
    let mut parts = Vec::new();
    for (name, value) in body.as_object().unwrap_or(&none) {
        let encoding = encodings.get(name).unwrap_or(&Value::Null);
        if encoding.get("style").is_some() {
            let part = |pair: String| {
                let (name, content) = pair.split_once('=').unwrap_or((&pair, ""));
                (unescaped(name), unescaped(content))
            };
            let style = Style::of(encoding, "form");
            let pairs = pairs(name, value, style)
                .unwrap_or_default()
                .into_iter()
                .map(part);
            parts.extend(pairs.map(|(name, content)| Part {
                name,
                file: None,
                media_type: None,
                content,
            }));
            continue;
        }
        let items = value
            .as_array()
            .map_or_else(|| vec![value], |items| items.iter().collect());
        for item in items {
            let declared = match text(encoding, "contentType") {
                "" => None,
                said => Some(said.split(',').next().unwrap_or(said).to_owned()),
            };
            let file = is_file(name).then(|| "a.bin".to_owned());
            let default = match (item, &file) {
                (_, Some(_)) => Some("application/octet-stream".to_owned()),
                (Value::Object(_) | Value::Array(_), None) => Some("application/json".to_owned()),
                _ => None,
            };
            let media_type = declared.or(default);
            // A text that is said to be JSON stands between quotes.
            let is_json = media_type.as_ref().is_some_and(|own| own.ends_with("json"));
            parts.push(Part {
                name: name.clone(),
                file,
                content: scalar(item)
                    .filter(|_| !is_json)
                    .unwrap_or_else(|| item.to_string()),
                media_type,
            });
        }
    }
    parts.sort();
    parts
}

fn unescaped(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let digits = || Some([rest.clone().next()?, rest.clone().nth(1)?]);
        let escape = (byte == b'%').then(digits).flatten();
        let escape = escape.and_then(|digits| {
            let digits = String::from_utf8(digits.to_vec()).ok()?;
            u8::from_str_radix(&digits, 16).ok()
        });
        if escape.is_some() {
            rest.nth(1);
        }
        bytes.push(escape.unwrap_or(byte));
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
