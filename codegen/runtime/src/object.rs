//! Objects with known properties.
//!
//! The code that serde derives would be most of the code in a crate of models, and slow to compile.
//! `object!` has one line for each property, and leaves the work to the functions
//! here. A line names how the property is held: `required`, `optional`, `or_null` or `nullable`.
//! The methods of that name write the property, read it, and supply its value when it is missing.
//!
//! An object is read from a JSON object only. An array of its values, which derived code accepts,
//! is refused.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use super::nullable::{Nullable, Optional};

/// How a type handles properties that it does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// It ignores them.
    Ignored,
    /// It reports an error.
    #[cfg(feature = "unknown")]
    Closed,
    /// It keeps them in a map.
    #[cfg(feature = "unknown")]
    Kept,
}

/// A structure that is read from an object.
pub trait Object: Sized {
    /// The names of its properties on the wire.
    const NAMES: &'static [&'static str];
    /// How it handles other properties.
    const UNKNOWN: Unknown;

    /// Reads the properties.
    ///
    /// # Errors
    /// A property cannot be read, comes twice, or is missing.
    fn read<'de, A: MapAccess<'de>>(reader: &mut Reader<'de, A>) -> Result<Self, A::Error>;
}

/// `Serialize` of a structure, property by property.
#[doc(hidden)]
#[macro_export]
macro_rules! object_written {
    ($name:ident: $unknown:ident {}) => {
        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                object::Writer::new(serializer).end()
            }
        }
    };
    ($name:ident: $unknown:ident $($rest:ident)? {
        $($index:literal $wire:literal => $field:ident $mode:ident,)*
    }) => {
        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut writer = object::Writer::new(serializer);
                $(writer.$mode($wire, &self.$field);)*
                $(writer.rest(&self.$rest);)?
                writer.end()
            }
        }
    };
}

/// `Deserialize` of a structure, property by property.
#[doc(hidden)]
#[macro_export]
macro_rules! object_read {
    ($name:ident: $($table:tt)*) => {
        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
                object::read(source)
            }
        }

        $crate::object_fields! { $name: $($table)* }
    };
}

/// Reads the properties of a structure.
#[doc(hidden)]
#[macro_export]
macro_rules! object_fields {
    ($name:ident: $unknown:ident $($rest:ident)? $(| $other:ident)? {
        $($index:literal $wire:literal => $field:ident $mode:ident,)*
    }) => {
        impl object::Object for $name {
            const NAMES: &'static [&'static str] = &[$($wire),*];
            const UNKNOWN: object::Unknown = object::Unknown::$unknown;

            fn read<'de, A: ::serde::de::MapAccess<'de>>(
                reader: &mut object::Reader<'de, A>,
            ) -> Result<Self, A::Error> {
                $(let mut $field = None;)*
                $(let mut $rest = ::std::collections::BTreeMap::new();)?
                while let Some(index) = reader.index()? {
                    match index {
                        $($index => reader.$mode(&mut $field),)*
                        _ => {
                            $(reader.rest(&mut $rest)?;)?
                            Ok(())
                        }
                    }?;
                }
                Ok(Self {
                    $($field: match object::$mode($field) {
                        Some(value) => value,
                        None => return Err(object::missing($wire)),
                    },)*
                    $($rest,)?
                    $($other: None,)?
                })
            }
        }
    };
}

/// Implements `Serialize` and `Deserialize` for a structure. The table has the type, how it handles
/// unknown properties, and for each property its number, wire name, field and kind, e.g.
/// `optional`.
#[doc(hidden)]
#[macro_export]
macro_rules! object {
    ($($table:tt)*) => {
        $crate::object_written! { $($table)* }
        $crate::object_read! { $($table)* }
    };
}

/// Parameters of requests: a client writes them, a server reads them.
#[doc(hidden)]
#[macro_export]
macro_rules! parameters {
    ($($table:tt)*) => {
        #[cfg(feature = "client")]
        $crate::object_written! { $($table)* }
        #[cfg(feature = "server")]
        $crate::object_read! { $($table)* }
    };
}

/// Headers of answers: a server writes them, a client reads them.
#[doc(hidden)]
#[macro_export]
macro_rules! headers {
    ($($table:tt)*) => {
        #[cfg(feature = "server")]
        $crate::object_written! { $($table)* }
        #[cfg(feature = "client")]
        $crate::object_read! { $($table)* }
    };
}

/// Writes an object. [`Writer::end`] returns the first failure.
pub struct Writer<S: Serializer> {
    entries: Result<S::SerializeMap, S::Error>,
}

impl<S: Serializer> fmt::Debug for Writer<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

impl<S: Serializer> Writer<S> {
    /// Begins an object.
    pub fn new(serializer: S) -> Self {
        Self {
            entries: serializer.serialize_map(None),
        }
    }

    /// A required property.
    pub fn required<T: Serialize>(&mut self, name: &str, value: &T) {
        if let Ok(entries) = &mut self.entries
            && let Err(error) = entries.serialize_entry(name, value)
        {
            self.entries = Err(error);
        }
    }

    /// A property that may be absent.
    pub fn optional<T: Serialize>(&mut self, name: &str, value: &Option<T>) {
        if let Some(value) = value {
            self.required(name, value);
        }
    }

    /// A property that may be `null`.
    pub fn or_null<T: Serialize>(&mut self, name: &str, value: &Option<T>) {
        self.required(name, value);
    }

    /// A property that may be absent or `null`.
    pub fn nullable<T: Serialize>(&mut self, name: &str, value: &Nullable<T>) {
        if !value.is_absent() {
            self.required(name, value);
        }
    }

    /// Further properties.
    #[cfg(feature = "unknown")]
    pub fn rest<T: Serialize>(&mut self, properties: &BTreeMap<String, T>) {
        for (name, value) in properties {
            self.required(name, value);
        }
    }

    /// Ends the object.
    ///
    /// # Errors
    /// The first failure, if there was one.
    pub fn end(self) -> Result<S::Ok, S::Error> {
        self.entries?.end()
    }
}

/// Reads an object.
///
/// # Errors
/// The value is not an object, or one of its properties cannot be read.
pub fn read<'de, T: Object, D: Deserializer<'de>>(source: D) -> Result<T, D::Error> {
    source.deserialize_map(Whole(PhantomData))
}

struct Whole<T>(PhantomData<T>);

impl<'de, T: Object> Visitor<'de> for Whole<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<T, A::Error> {
        T::read(&mut Reader {
            entries,
            names: T::NAMES,
            unknown: T::UNKNOWN,
            next: 0,
            #[cfg(feature = "unknown")]
            name: String::new(),
            source: PhantomData,
        })
    }
}

/// Reads the properties of an object one by one.
#[derive(Debug)]
pub struct Reader<'de, A> {
    entries: A,
    names: &'static [&'static str],
    unknown: Unknown,
    /// The property that follows the last one in the table, which most often comes next.
    next: usize,
    /// The last name that the table does not have, where it is needed.
    #[cfg(feature = "unknown")]
    name: String,
    source: PhantomData<&'de ()>,
}

impl<'de, A: MapAccess<'de>> Reader<'de, A> {
    /// The number of the next property; one past the last for an unknown property that is kept.
    ///
    /// # Errors
    /// The text is not valid, or the type refuses the property.
    pub fn index(&mut self) -> Result<Option<usize>, A::Error> {
        loop {
            let key = Key {
                names: self.names,
                next: self.next,
                #[cfg(feature = "unknown")]
                kept: (self.unknown != Unknown::Ignored).then_some(&mut self.name),
            };
            match self.entries.next_key_seed(key)? {
                None => return Ok(None),
                Some(Some(index)) => {
                    self.next = index + 1;
                    return Ok(Some(index));
                }
                Some(None) => {}
            }
            match self.unknown {
                Unknown::Ignored => self.entries.next_value::<IgnoredAny>().map(drop)?,
                #[cfg(feature = "unknown")]
                Unknown::Closed => return Err(A::Error::unknown_field(&self.name, self.names)),
                #[cfg(feature = "unknown")]
                Unknown::Kept => return Ok(Some(self.names.len())),
            }
        }
    }

    /// Refuses a property that comes a second time.
    fn first<T>(&self, slot: Option<&T>) -> Result<(), A::Error> {
        let last = self.next.checked_sub(1);
        match (slot, last.and_then(|index| self.names.get(index))) {
            (Some(_), Some(name)) => Err(A::Error::duplicate_field(name)),
            _ => Ok(()),
        }
    }

    /// A required property.
    ///
    /// # Errors
    /// The property cannot be read, or comes twice.
    pub fn required<T: Deserialize<'de>>(&mut self, slot: &mut Option<T>) -> Result<(), A::Error> {
        self.first(slot.as_ref())?;
        *slot = Some(self.entries.next_value()?);
        Ok(())
    }

    /// A property that may be absent. A server refuses `null`, a client treats it as absent.
    ///
    /// # Errors
    /// The property cannot be read, or comes twice.
    pub fn optional<T: Deserialize<'de>>(
        &mut self,
        slot: &mut Option<Option<T>>,
    ) -> Result<(), A::Error> {
        self.first(slot.as_ref())?;
        let seed = Optional(PhantomData);
        *slot = Some(self.entries.next_value_seed(seed)?);
        Ok(())
    }

    /// A property that may be `null`.
    ///
    /// # Errors
    /// The property cannot be read, or comes twice.
    pub fn or_null<T: Deserialize<'de>>(
        &mut self,
        slot: &mut Option<Option<T>>,
    ) -> Result<(), A::Error> {
        self.required(slot)
    }

    /// A property that may be absent or `null`.
    ///
    /// # Errors
    /// The property cannot be read, or comes twice.
    pub fn nullable<T: Deserialize<'de>>(
        &mut self,
        slot: &mut Option<Nullable<T>>,
    ) -> Result<(), A::Error> {
        self.required(slot)
    }

    /// A property that the type does not name.
    ///
    /// # Errors
    /// It cannot be read.
    #[cfg(feature = "unknown")]
    pub fn rest<T: Deserialize<'de>>(
        &mut self,
        properties: &mut BTreeMap<String, T>,
    ) -> Result<(), A::Error> {
        let value = self.entries.next_value()?;
        properties.insert(std::mem::take(&mut self.name), value);
        Ok(())
    }
}

/// Reads the name of a property as its number in the table.
struct Key<'k> {
    names: &'k [&'static str],
    next: usize,
    #[cfg(feature = "unknown")]
    kept: Option<&'k mut String>,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Option<usize>, D::Error> {
        source.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a property")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Option<usize>, E> {
        if self.names.get(self.next) == Some(&name) {
            return Ok(Some(self.next));
        }
        let index = self.names.iter().position(|known| *known == name);
        #[cfg(feature = "unknown")]
        if let (None, Some(kept)) = (index, self.kept) {
            name.clone_into(kept);
        }
        Ok(index)
    }
}

/// The value of a required property; nothing when the property is missing.
pub fn required<T>(slot: Option<T>) -> Option<T> {
    slot
}

/// The value of a property that may be absent.
#[allow(
    clippy::option_option,
    reason = "a property that is missing has no value"
)]
pub fn optional<T>(slot: Option<Option<T>>) -> Option<Option<T>> {
    Some(slot.flatten())
}

/// The value of a property that may be `null`; nothing when the property is missing.
pub fn or_null<T>(slot: Option<Option<T>>) -> Option<Option<T>> {
    slot
}

/// The value of a property that may be absent or `null`.
pub fn nullable<T>(slot: Option<Nullable<T>>) -> Option<Nullable<T>> {
    Some(slot.unwrap_or_default())
}

/// The error for a missing property.
pub fn missing<E: serde::de::Error>(name: &'static str) -> E {
    E::missing_field(name)
}
