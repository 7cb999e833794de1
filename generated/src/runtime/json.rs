//! Reads JSON, with a JSON pointer for each error.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_path_to_error::{Path, Segment};

use super::whole;

/// Why a text could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Where in the value, as a JSON pointer.
    pub pointer: String,
    /// What was expected there.
    pub message: String,
    /// Whether the text is not even JSON.
    pub malformed: bool,
}

impl Unreadable {
    /// A text that is not of the expected form at all.
    pub fn malformed(message: impl fmt::Display) -> Self {
        Self {
            pointer: String::new(),
            message: message.to_string(),
            malformed: true,
        }
    }
}

/// Reads a value from JSON text.
pub fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, Unreadable> {
    let mut source = serde_json::Deserializer::from_slice(text);
    // Keeping track of places costs as much as reading; what cannot be read is read once more.
    if let Ok(value) = T::deserialize(&mut source)
        && source.end().is_ok()
    {
        return Ok(value);
    }
    // `1.0` is an integer to JSON Schema, and none to serde.
    if let Some(plain) = whole::plain(text)
        && let Ok(value) = serde_json::from_slice(&plain)
    {
        return Ok(value);
    }
    let mut source = serde_json::Deserializer::from_slice(text);
    let value = serde_path_to_error::deserialize(&mut source).map_err(|error| {
        let pointer = pointer(error.path());
        unreadable(pointer, &error.into_inner(), text)
    })?;
    source
        .end()
        .map_err(|error| unreadable(String::new(), &error, text))?;
    Ok(value)
}

thread_local! {
    static WEIGHING: Cell<bool> = const { Cell::new(false) };
}

/// Whether only what a document declares is written on this thread.
pub(super) fn is_weighing() -> bool {
    WEIGHING.get()
}

/// The JSON text of a value without properties that only an object without a `type` keeps.
pub(super) fn declared<T: Serialize>(value: &T) -> Option<String> {
    let before = WEIGHING.replace(true);
    let text = serde_json::to_string(value);
    WEIGHING.set(before);
    text.ok()
}

/// The text of a value within a JSON text, by its JSON pointer.
pub fn at<'t>(text: &'t [u8], pointer: &str) -> Option<&'t RawValue> {
    let mut value: &RawValue = serde_json::from_slice(text).ok()?;
    for segment in pointer.split('/').skip(1) {
        let name = segment.replace("~1", "/").replace("~0", "~");
        value = match value.get().as_bytes().first() {
            Some(b'{') => member(value, &name)?,
            Some(b'[') => items(value)?.get(name.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(value)
}

/// The texts of the items of an array.
pub fn items(array: &RawValue) -> Option<Vec<&RawValue>> {
    serde_json::from_str(array.get()).ok()
}

fn member<'t>(object: &'t RawValue, name: &str) -> Option<&'t RawValue> {
    let members: BTreeMap<String, &RawValue> = serde_json::from_str(object.get()).ok()?;
    members.get(name).copied()
}

/// A reader may stop at a wrong type before it meets what makes the text no JSON at all; the
/// latter goes first.
fn unreadable(pointer: String, error: &serde_json::Error, text: &[u8]) -> Unreadable {
    match serde_json::from_slice::<&RawValue>(text) {
        Err(syntax) => Unreadable::malformed(syntax),
        Ok(_) => content(pointer, &error.to_string()),
    }
}

/// A missing property is reported at the place where it should be.
pub(super) fn content(mut pointer: String, message: &str) -> Unreadable {
    let message = message.split(" at line ").next().unwrap_or(message);
    if let Some(name) = missing(message) {
        pointer = format!("{pointer}/{}", escape(name));
    }
    Unreadable {
        pointer,
        message: in_words_of_json(message),
        malformed: false,
    }
}

/// A message of serde without the names of Rust's types, which mean nothing to who sent the JSON,
/// and without the value that was found, which may be secret.
fn in_words_of_json(message: &str) -> String {
    let Some((found, expected)) = message.rsplit_once(", expected ") else {
        return message.to_owned();
    };
    let found = match found.find(['`', '"']) {
        Some(value) if found.starts_with("invalid ") => found[..value].trim_end(),
        _ => found,
    };
    let found = found
        .replace("invalid type: map", "invalid type: object")
        .replace("invalid type: sequence", "invalid type: array");
    let expected = match expected {
        "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64" => "an integer",
        "f32" | "f64" => "a number",
        "a sequence" => "an array",
        "a map" => "an object",
        other if other.starts_with("struct ") => "an object",
        other => other,
    };
    format!("{found}, expected {expected}")
}

/// The property that a message of serde says is missing.
pub(super) fn missing(message: &str) -> Option<&str> {
    message.strip_prefix("missing field `")?.strip_suffix('`')
}

/// The path of a failed read as a JSON pointer.
pub(super) fn pointer(path: &Path) -> String {
    let mut pointer = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => pointer = format!("{pointer}/{index}"),
            Segment::Map { key } => pointer = format!("{pointer}/{}", escape(key)),
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    pointer
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => f.write_str(&self.message),
            pointer => write!(f, "{pointer}: {}", self.message),
        }
    }
}

impl std::error::Error for Unreadable {}

/// A property name as one part of a JSON pointer.
pub(super) fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
