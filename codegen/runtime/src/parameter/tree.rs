//! Tree: a value whose scalars are texts.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

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
        parse(&serde_json::to_string(value)?)
    }

    /// Takes JSON text apart.
    #[cfg(any(feature = "links", feature = "styles", feature = "texts"))]
    pub fn read(json: &str) -> Result<Option<Self>, serde_json::Error> {
        let json: &RawValue = serde_json::from_str(json)?;
        parse(json.get())
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

/// Takes JSON text apart.
pub(super) fn parse(json: &str) -> Result<Option<Tree>, serde_json::Error> {
    Ok(match json.as_bytes().first() {
        Some(b'n') => None,
        Some(b'"') => Some(Tree::Text(serde_json::from_str(json)?)),
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(json)?;
            let trees: Vec<_> = items
                .iter()
                .map(|item| parse(item.get()))
                .collect::<Result<_, _>>()?;
            Some(Tree::List(trees.into_iter().flatten().collect()))
        }
        Some(b'{') => {
            let members: BTreeMap<String, &RawValue> = serde_json::from_str(json)?;
            let mut entries = Vec::with_capacity(members.len());
            for (name, member) in members {
                entries.extend(parse(member.get())?.map(|tree| (name, tree)));
            }
            Some(Tree::Map(entries))
        }
        _ => Some(Tree::Text(json.to_owned())),
    })
}
