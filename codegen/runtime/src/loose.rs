//! Objects whose schemas allow any other value, too.

use std::collections::BTreeMap;

use serde::de::Deserializer;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::json;
use super::object::{self, Object, Writer};
use super::union::{self, Kind};

/// A structure that also holds values that are not objects.
pub trait Loose: Object {
    /// Holds a value that is not an object.
    fn loose(value: Value) -> Self;
}

/// The same as `object!` for such a structure; behind `|` the table has the field of other values.
#[doc(hidden)]
#[macro_export]
macro_rules! loose_object {
    ($name:ident: $unknown:ident $($rest:ident)? | $other:ident {
        $($index:literal $wire:literal => $field:ident $mode:ident,)*
    }) => {
        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if let Some(other) = &self.$other {
                    return loose::other(other, serializer);
                }
                let mut writer = object::Writer::new(serializer);
                $(writer.$mode($wire, &self.$field);)*
                $(loose::rest(&mut writer, &self.$rest);)?
                writer.end()
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
                loose::read(source)
            }
        }

        impl loose::Loose for $name {
            fn loose(value: ::serde_json::Value) -> Self {
                Self { $other: Some(value), ..Self::default() }
            }
        }

        $crate::object_fields! {
            $name: $unknown $($rest)? | $other { $($index $wire => $field $mode,)* }
        }
    };
}

/// Reads an object, or any other value.
///
/// # Errors
/// One of the properties cannot be read.
pub fn read<'de, T: Loose, D: Deserializer<'de>>(source: D) -> Result<T, D::Error> {
    let raw = union::capture(source)?;
    if union::kind(&raw) == Kind::Object {
        return union::branch(&raw).map(|Known(value)| value);
    }
    union::branch(&raw).map(T::loose)
}

/// A value read from an object.
struct Known<T>(T);

impl<'de, T: Object> Deserialize<'de> for Known<T> {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        object::read(source).map(Self)
    }
}

/// Writes a value that is not an object; no part of it is declared.
///
/// # Errors
/// The value cannot be written, or the serializer weighs which properties the type declares.
pub fn other<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    if json::is_weighing() {
        return Err(serde::ser::Error::custom("no property is declared"));
    }
    value.serialize(serializer)
}

/// Writes the further properties, which are all undeclared: the schema allows any value.
pub fn rest<S: Serializer, T: Serialize>(writer: &mut Writer<S>, properties: &BTreeMap<String, T>) {
    if !json::is_weighing() {
        writer.rest(properties);
    }
}
