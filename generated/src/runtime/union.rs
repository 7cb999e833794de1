//! Values that are one of several types.
//!
//! They are read from their JSON text, so that numbers keep their digits and an error has a JSON
//! pointer.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::de::{DeserializeOwned, Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::json;
use super::number::{Number, RAW_TOKEN};
use super::parameter::{Tree, read_tree};
use super::texts;

/// The kind of a JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`
    Bool,
    /// A number.
    Number,
    /// A string.
    Text,
    /// An array.
    List,
    /// An object.
    Object,
    /// An object, or a value that no other candidate accepts.
    Loose,
    /// More than one of these.
    Any,
}

impl Kind {
    /// The kind of a value; `null` is of every kind. The kind of a text that stands for any scalar
    /// is guessed.
    fn of(raw: &RawValue) -> Self {
        let json = json_of(raw);
        let is_scalar = json.starts_with('"') && json.len() < raw.get().len();
        let text = is_scalar.then(|| serde_json::from_str::<String>(json).unwrap_or_default());
        match text.as_deref() {
            None => Self::of_json(json),
            Some("true" | "false") => Self::Bool,
            Some(text) if text.starts_with('{') => Self::Object,
            Some(text) if Number::new(text).is_ok() => Self::Number,
            Some(_) => Self::Text,
        }
    }

    fn of_json(json: &str) -> Self {
        match json.as_bytes().first() {
            Some(b'{') => Self::Object,
            Some(b'[') => Self::List,
            Some(b'"') => Self::Text,
            Some(b't' | b'f') => Self::Bool,
            Some(b'n') | None => Self::Any,
            Some(_) => Self::Number,
        }
    }

    fn takes(self, other: Self) -> bool {
        let own = if self == Self::Loose {
            Self::Object
        } else {
            self
        };
        own == Self::Any || other == Self::Any || own == other
    }
}

/// The number of reasons that the error shows when no type fits.
const SHOWN: usize = 3;

/// One of the types: the kind of its values, and how they are read.
pub type Candidate<T> = (Kind, fn(&RawValue) -> serde_json::Result<T>);

/// The JSON text of a value.
pub fn capture<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Box<RawValue>, D::Error> {
    deserializer.deserialize_newtype_struct(RAW_TOKEN, RawVisitor)
}

/// Takes the JSON text from formats that offer it. Values that serde has buffered have no text, so
/// it writes them as JSON again.
struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Box<RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let entry = map.next_entry::<String, String>()?;
        let text = entry.map(|(_, text)| text).unwrap_or_default();
        RawValue::from_string(text).map_err(Error::custom)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        source: D,
    ) -> Result<Self::Value, D::Error> {
        let value = serde_json::Value::deserialize(source)?;
        RawValue::from_string(value.to_string()).map_err(Error::custom)
    }
}

/// The kind of a value.
pub fn kind(raw: &RawValue) -> Kind {
    Kind::of(raw)
}

/// The JSON text of a value, whether or not its scalars are all texts.
fn json_of(raw: &RawValue) -> &str {
    texts::within(raw.get()).unwrap_or(raw.get())
}

/// Reads a value from its text. The error says where inside the value.
pub fn read<T: DeserializeOwned>(raw: &RawValue) -> serde_json::Result<T> {
    let Some(texts) = texts::within(raw.get()) else {
        return json::read(raw.get().as_bytes()).map_err(Error::custom);
    };
    let tree = Tree::read(texts)?.unwrap_or(Tree::empty());
    read_tree(tree).map_err(Error::custom)
}

/// Reads the value as the type that its tag names.
pub fn branch<T: DeserializeOwned, E: Error>(raw: &RawValue) -> Result<T, E> {
    read(raw).map_err(E::custom)
}

/// The text of the property that distinguishes the types.
pub fn tag<E: Error>(raw: &RawValue, property: &'static str) -> Result<String, E> {
    let members: BTreeMap<String, &RawValue> =
        serde_json::from_str(json_of(raw)).map_err(|_| E::custom("expected an object"))?;
    let member = members
        .get(property)
        .ok_or_else(|| E::missing_field(property))?;
    serde_json::from_str(member.get())
        .map_err(|_| E::custom(format_args!("/{property}: expected text")))
}

/// The error for a tag that no type has.
pub fn unknown_tag<E: Error>(property: &str, tag: &str) -> E {
    E::custom(format_args!(
        "/{property}: `{tag}` is not one of the known values"
    ))
}

/// Reads the value as the candidate that keeps most of it; the first one of several equals.
pub fn choose<T: Serialize, E: Error>(raw: &RawValue, candidates: &[Candidate<T>]) -> Result<T, E> {
    let kind = Kind::of(raw);
    let of_kind = || candidates.iter().filter(|(own, _)| own.takes(kind));
    let is_guess = texts::within(raw.get()).is_some();
    if of_kind().count() == 1
        && !is_guess
        && let Some((_, read)) = of_kind().next()
    {
        return read(raw).map_err(E::custom);
    }
    // The guessed kind may be wrong, so try the others, too.
    let others = candidates.iter().filter(|(own, _)| !own.takes(kind));
    // Candidates that accept anything are tried last.
    let is_left = of_kind().count() == 0;
    let others = others.filter(|(own, _)| is_guess || (is_left && *own == Kind::Loose));
    let mut fitting = of_kind().chain(others);
    best(raw, &mut fitting).map(|(_, value)| value)
}

/// The same, where the last candidate keeps everything: it is taken where two others keep what no
/// one of them keeps alone.
pub fn combine<T: Serialize, E: Error>(
    raw: &RawValue,
    candidates: &[Candidate<T>],
) -> Result<T, E> {
    let Some(((_, whole), others)) = candidates.split_last() else {
        return choose(raw, candidates);
    };
    let kind = Kind::of(raw);
    let mut fitting = others.iter().filter(|(own, _)| own.takes(kind));
    let (lost, value) = best(raw, &mut fitting)?;
    if lost == 0 || kind != Kind::Object {
        return Ok(value);
    }
    let names = |value: &T| -> BTreeSet<String> {
        let written = serde_json::to_value(value).unwrap_or_default();
        let members = written.as_object().cloned().unwrap_or_default();
        members.into_iter().map(|(name, _)| name).collect()
    };
    let kept = names(&value);
    let fits = others.iter().filter_map(|(_, read)| read(raw).ok());
    let more = fits
        .into_iter()
        .any(|other| !names(&other).is_subset(&kept));
    if more {
        whole(raw).map_err(E::custom)
    } else {
        Ok(value)
    }
}

/// The candidate that loses least, and how much.
fn best<T: Serialize, E: Error>(
    raw: &RawValue,
    fitting: &mut dyn Iterator<Item = &Candidate<T>>,
) -> Result<(usize, T), E> {
    let mut best: Option<(usize, T)> = None;
    let mut reasons = Vec::new();
    for (_, read) in fitting {
        match read(raw) {
            Ok(value) => {
                let lost = lost(raw, &value);
                if lost == 0 {
                    return Ok((0, value));
                }
                if best.as_ref().is_none_or(|(least, _)| lost < *least) {
                    best = Some((lost, value));
                }
            }
            Err(error) => reasons.push(error.to_string()),
        }
    }
    best.ok_or_else(|| none(reasons))
}

/// The error where no candidate fits.
fn none<E: Error>(mut reasons: Vec<String>) -> E {
    if reasons.is_empty() {
        return E::custom("no alternative is of this type");
    }
    let more = reasons.len().saturating_sub(SHOWN);
    reasons.truncate(SHOWN);
    let reasons = reasons.join("; ");
    let more = if more > 0 {
        format!("; and {more} more")
    } else {
        String::new()
    };
    E::custom(format_args!("no alternative fits: {reasons}{more}"))
}

/// How many parts of the text are not in the value that was read from it.
fn lost<T: Serialize>(raw: &RawValue, value: &T) -> usize {
    let all = parts(json_of(raw));
    json::declared(value).map_or(all, |written| all.saturating_sub(parts(&written)))
}

fn parts(json: &str) -> usize {
    match json.as_bytes().first() {
        Some(b'{') => {
            let members: BTreeMap<String, &RawValue> =
                serde_json::from_str(json).unwrap_or_default();
            1 + members
                .values()
                .map(|member| parts(member.get()))
                .sum::<usize>()
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
            1 + items.iter().map(|item| parts(item.get())).sum::<usize>()
        }
        _ => 1,
    }
}
