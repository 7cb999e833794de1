//! Absent, null and a value: three different things.

use std::cell::Cell;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A property that may be left out, and may be `null`, and those two differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Nullable<T> {
    /// The property is not there.
    #[default]
    Absent,
    /// The property is there and is `null`.
    Null,
    /// The property is there and has a value.
    Value(T),
}

impl<T> Nullable<T> {
    /// Whether the property is not there.
    pub const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Whether the property is `null`.
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The value, if there is one.
    pub const fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// The value, if there is one, owned.
    pub fn into_value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }
}

impl<T> From<T> for Nullable<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

impl<T: Serialize> Serialize for Nullable<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value().serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Nullable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map_or(Self::Null, Self::Value))
    }
}

/// Reads a property that may be left out but not be `null`.
///
/// A client is lenient and takes `null` for absent; a server refuses it.
pub(super) struct Optional<T>(pub(super) PhantomData<T>);

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for Optional<T> {
    type Value = Option<T>;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Option<T>, D::Error> {
        let value = Option::deserialize(source)?;
        if value.is_none() && STRICT.get() {
            return Err(D::Error::custom("null is not allowed here"));
        }
        Ok(value)
    }
}

thread_local! {
    static STRICT: Cell<bool> = const { Cell::new(false) };
}

/// Runs a read on this thread in which [`optional`] refuses `null`.
#[cfg(feature = "server")]
pub(super) fn refusing_null<R>(read: impl FnOnce() -> R) -> R {
    let before = STRICT.replace(true);
    let result = read();
    STRICT.set(before);
    result
}
