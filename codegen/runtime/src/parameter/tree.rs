//! Tree: a value whose scalars are texts.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::super::whole::text_length;

/// A value whose scalars are texts: what a parameter or a form can carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// A string, number or boolean.
    Text(String),
    /// An array.
    List(Vec<Tree>),
    /// An object, in order.
    Map(Vec<Entry>),
}

/// A property and its value.
pub(super) type Entry = (String, Tree);

impl Tree {
    /// Takes a value apart. Numbers keep their digits; `null` is nothing.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Option<Self>, serde_json::Error> {
        self::value(&mut &*serde_json::to_string(value)?)
    }

    /// Takes JSON text apart.
    pub fn read(json: &str) -> Result<Option<Self>, serde_json::Error> {
        let json: &RawValue = serde_json::from_str(json)?;
        value(&mut json.get())
    }

    /// The empty object.
    pub const fn empty() -> Self {
        Self::Map(Vec::new())
    }

    /// The text of a scalar.
    pub fn into_text(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text),
            Self::List(_) | Self::Map(_) => None,
        }
    }

    /// The value of a property.
    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Map(entries) => entries
                .iter()
                .find(|(key, _)| key == name)
                .map(|(_, value)| value),
            Self::Text(_) | Self::List(_) => None,
        }
    }
}

/// As JSON whose scalars are strings.
impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Map(entries) => {
                serializer.collect_map(entries.iter().map(|(name, value)| (name, value)))
            }
        }
    }
}

/// Takes the value at the beginning of valid JSON apart, and leaves what follows it.
fn value(json: &mut &str) -> Result<Option<Tree>, serde_json::Error> {
    *json = json.trim_start();
    match json.as_bytes().first() {
        Some(b'"') => Ok(Some(Tree::Text(text(json)?))),
        Some(b'[') => {
            let mut items = Vec::new();
            while has_more(json, ']') {
                items.extend(value(json)?);
            }
            Ok(Some(Tree::List(items)))
        }
        Some(b'{') => {
            let mut members = BTreeMap::new();
            while has_more(json, '}') {
                let name = text(json)?;
                *json = json.trim_start().trim_start_matches(':');
                members.insert(name, value(json)?);
            }
            let members = members.into_iter();
            let entries = members.filter_map(|(name, member)| Some((name, member?)));
            Ok(Some(Tree::Map(entries.collect())))
        }
        _ => {
            let end =
                json.find(|next: char| !next.is_ascii_alphanumeric() && !"+-.".contains(next));
            let (scalar, rest) = json.split_at(end.unwrap_or(json.len()));
            *json = rest;
            Ok((scalar != "null").then(|| Tree::Text(scalar.to_owned())))
        }
    }
}

/// Whether a list or an object has another part; passes over the mark before it, or over the end.
fn has_more(json: &mut &str, end: char) -> bool {
    let mut marks = json.trim_start().chars();
    let ended = marks.next().is_none_or(|mark| mark == end);
    *json = marks.as_str().trim_start();
    let empty = json.strip_prefix(end).filter(|_| !ended);
    *json = empty.unwrap_or(json);
    !ended && empty.is_none()
}

fn text(json: &mut &str) -> Result<String, serde_json::Error> {
    let (text, rest) = json.split_at(text_length(json.as_bytes()));
    *json = rest;
    if text.contains('\\') {
        return serde_json::from_str(text);
    }
    Ok(text.trim_matches('"').to_owned())
}
