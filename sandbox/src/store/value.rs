//! Values of statements and rows: integers, text and blobs in forms that both databases support.

use std::borrow::Cow;

use jiff::Timestamp;
use uuid::Uuid;

use super::error::StoreError;
use super::{Merchant, Tenant};
use crate::domain::currency::Currency;

/// A value for a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// Null.
    Null,
    /// A number, a time in milliseconds, or a flag as 0 or 1.
    Integer(i64),
    /// Text; ids are written with hyphens.
    Text(Cow<'a, str>),
    /// Bytes.
    Blob(Cow<'a, [u8]>),
}

/// A value in a row.
#[derive(Clone, Copy, Debug)]
pub enum Raw<'a> {
    /// Null.
    Null,
    /// A number or a flag.
    Integer(i64),
    /// Text.
    Text(&'a str),
    /// Bytes.
    Blob(&'a [u8]),
}

/// A type that a column can be read as.
pub trait Column: Sized {
    /// Converts a value; `None` when it has another type.
    fn read(raw: Raw<'_>) -> Option<Self>;
}

/// Values for a statement, in the order of its placeholders.
#[macro_export]
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        &[$($crate::store::Value::from($value)),*]
    };
}

impl Value<'_> {
    /// The same value without borrowed data.
    pub(super) fn into_owned(self) -> Value<'static> {
        match self {
            Self::Null => Value::Null,
            Self::Integer(number) => Value::Integer(number),
            Self::Text(text) => Value::Text(text.into_owned().into()),
            Self::Blob(bytes) => Value::Blob(bytes.into_owned().into()),
        }
    }

    /// Refuses text with a NUL character, which PostgreSQL cannot store.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        match self {
            Self::Text(text) if text.contains('\0') => Err(StoreError::Nul),
            _ => Ok(()),
        }
    }
}

macro_rules! integers {
    ($($kind:ty),*) => {
        $(impl From<$kind> for Value<'_> {
            fn from(number: $kind) -> Self {
                Self::Integer(i64::from(number))
            }
        }

        impl Column for $kind {
            fn read(raw: Raw<'_>) -> Option<Self> {
                match raw {
                    Raw::Integer(number) => Self::try_from(number).ok(),
                    _ => None,
                }
            }
        })*
    };
}

integers!(i64, i32, u32, u16, u8);

impl From<bool> for Value<'_> {
    fn from(flag: bool) -> Self {
        Self::Integer(i64::from(flag))
    }
}

impl From<Tenant> for Value<'_> {
    fn from(tenant: Tenant) -> Self {
        Self::Integer(tenant.0)
    }
}

impl From<Merchant> for Value<'_> {
    fn from(merchant: Merchant) -> Self {
        Self::Integer(merchant.0)
    }
}

impl From<Timestamp> for Value<'_> {
    fn from(time: Timestamp) -> Self {
        Self::Integer(time.as_millisecond())
    }
}

impl From<Uuid> for Value<'_> {
    fn from(id: Uuid) -> Self {
        Self::Text(id.hyphenated().to_string().into())
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text.into())
    }
}

impl<'a> From<&'a Currency> for Value<'a> {
    fn from(currency: &'a Currency) -> Self {
        Self::Text(currency.code().into())
    }
}

impl<'a> From<&'a [u8]> for Value<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Blob(bytes.into())
    }
}

impl<'a> From<&'a Vec<u8>> for Value<'a> {
    fn from(bytes: &'a Vec<u8>) -> Self {
        Self::Blob(bytes.into())
    }
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<'a> From<&'a Option<String>> for Value<'a> {
    fn from(text: &'a Option<String>) -> Self {
        text.as_deref().into()
    }
}

impl Column for bool {
    fn read(raw: Raw<'_>) -> Option<Self> {
        match raw {
            Raw::Integer(0) => Some(false),
            Raw::Integer(1) => Some(true),
            _ => None,
        }
    }
}

impl Column for Timestamp {
    fn read(raw: Raw<'_>) -> Option<Self> {
        i64::read(raw).and_then(|millis| Self::from_millisecond(millis).ok())
    }
}

impl Column for Tenant {
    fn read(raw: Raw<'_>) -> Option<Self> {
        i64::read(raw).map(Self)
    }
}

impl Column for Merchant {
    fn read(raw: Raw<'_>) -> Option<Self> {
        i64::read(raw).map(Self)
    }
}

impl Column for Uuid {
    fn read(raw: Raw<'_>) -> Option<Self> {
        match raw {
            Raw::Text(text) => text.parse().ok(),
            _ => None,
        }
    }
}

impl Column for Currency {
    fn read(raw: Raw<'_>) -> Option<Self> {
        match raw {
            Raw::Text(text) => Self::parse(text).ok(),
            _ => None,
        }
    }
}

impl Column for String {
    fn read(raw: Raw<'_>) -> Option<Self> {
        match raw {
            Raw::Text(text) => Some(text.to_owned()),
            _ => None,
        }
    }
}

impl Column for Vec<u8> {
    fn read(raw: Raw<'_>) -> Option<Self> {
        match raw {
            Raw::Blob(bytes) => Some(bytes.to_vec()),
            _ => None,
        }
    }
}

impl<T: Column> Column for Option<T> {
    fn read(raw: Raw<'_>) -> Option<Self> {
        match raw {
            Raw::Null => Some(None),
            raw => T::read(raw).map(Some),
        }
    }
}
