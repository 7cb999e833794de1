//! A value that is never printed.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::constraint::{Validate, Violations};
use super::json;

/// A secret: it travels as it is, but neither `Debug` nor an error message shows it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Sensitive<T> {
    secret: T,
}

impl<T> Sensitive<T> {
    /// Marks a value as secret.
    pub const fn new(secret: T) -> Self {
        Self { secret }
    }

    /// The secret in the clear.
    pub const fn expose(&self) -> &T {
        &self.secret
    }

    /// The secret in the clear, owned.
    pub fn into_exposed(self) -> T {
        self.secret
    }
}

impl<T> From<T> for Sensitive<T> {
    fn from(secret: T) -> Self {
        Self { secret }
    }
}

impl From<&str> for Sensitive<String> {
    fn from(secret: &str) -> Self {
        Self {
            secret: secret.to_owned(),
        }
    }
}

impl<T> fmt::Debug for Sensitive<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}

impl<T: Serialize> Serialize for Sensitive<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.secret.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Sensitive<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer)
            .map(Self::new)
            .map_err(|error| {
                // That there is no secret is none.
                if json::missing(&error.to_string()).is_some() {
                    return error;
                }
                // Any other reason is dropped because it may quote the secret.
                serde::de::Error::custom("the value is not of the documented type")
            })
    }
}

impl<T: Validate> Validate for Sensitive<T> {
    fn validate(&self, found: &mut Violations<'_>) {
        self.expose().validate(found);
    }
}
