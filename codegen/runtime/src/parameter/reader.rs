//! Reading typed values from a tree of texts.

use serde::de::value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeOwned, Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Error;

use super::super::json::{Unreadable, content, pointer};
#[cfg(feature = "texts")]
use super::super::number::RAW_TOKEN;
#[cfg(feature = "texts")]
use super::super::texts;
use super::tree::Tree;

/// Reads a value. Parses numbers and booleans from their texts when the type requires them.
pub fn read_tree<T: DeserializeOwned>(tree: Tree) -> Result<T, Unreadable> {
    serde_path_to_error::deserialize(tree)
        .map_err(|error| content(pointer(error.path()), &error.inner().to_string()))
}

/// Reads a structure from its fields without tracking places; an error has no details.
#[cfg(feature = "server")]
pub(in super::super) fn read_quickly<T: DeserializeOwned>(
    fields: Vec<(&'static str, Tree)>,
) -> Option<T> {
    T::deserialize(MapDeserializer::<_, Error>::new(fields.into_iter())).ok()
}

macro_rules! parsed {
    ($($deserialize:ident $visit:ident $expected:literal),* $(,)?) => {
        $(fn $deserialize<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self {
                Self::Text(text) => match text.parse() {
                    Ok(value) => visitor.$visit(value),
                    Err(_) => Err(Error::custom(concat!("expected ", $expected))),
                },
                other => other.deserialize_any(visitor),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for Tree {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Text(text) => visitor.visit_string(text),
            Self::List(items) => visitor.visit_seq(SeqDeserializer::new(items.into_iter())),
            Self::Map(entries) => visitor.visit_map(MapDeserializer::new(entries.into_iter())),
        }
    }

    parsed! {
        deserialize_bool visit_bool "true or false",
        deserialize_i8 visit_i8 "an integer",
        deserialize_i16 visit_i16 "an integer",
        deserialize_i32 visit_i32 "an integer",
        deserialize_i64 visit_i64 "an integer",
        deserialize_u8 visit_u8 "an integer",
        deserialize_u16 visit_u16 "an integer",
        deserialize_u32 visit_u32 "an integer",
        deserialize_u64 visit_u64 "an integer",
        deserialize_f32 visit_f32 "a number",
        deserialize_f64 visit_f64 "a number",
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Text(_) => visitor.visit_seq(SeqDeserializer::new(std::iter::once(self))),
            other => other.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self {
            Self::Text(text) => visitor.visit_enum(text.into_deserializer()),
            Self::List(_) => Err(Error::custom("expected text")),
            Self::Map(entries) => {
                let map = MapDeserializer::new(entries.into_iter());
                visitor.visit_enum(MapAccessDeserializer::new(map))
            }
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.or_json().deserialize_any(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.or_json().deserialize_any(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        #[cfg(not(feature = "texts"))]
        let _ = name;
        #[cfg(feature = "texts")]
        if name == RAW_TOKEN {
            let raw = std::iter::once((RAW_TOKEN, texts::marked(&self)?));
            return visitor.visit_map(MapDeserializer::new(raw));
        }
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        i128 u128 char str string bytes byte_buf unit unit_struct tuple tuple_struct
        identifier ignored_any
    }
}

impl IntoDeserializer<'_, Error> for Tree {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl Tree {
    /// What an object is that travels as JSON text.
    fn or_json(self) -> Self {
        let object = match &self {
            Self::Text(text) if text.starts_with('{') => Self::read(text).ok().flatten(),
            _ => None,
        };
        object.unwrap_or(self)
    }
}
