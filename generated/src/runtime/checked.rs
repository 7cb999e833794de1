//! Values that are known to keep to their schemas.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::constraint::{Validate, Violation, Violations};

/// A value that was held against the constraints of its schema when it was made, and that cannot
/// be changed without being held against them again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Checked<T>(T);

impl<T: Validate> Checked<T> {
    /// The value, if it keeps to its schema.
    ///
    /// # Errors
    /// All that breaks a constraint.
    pub fn new(value: T) -> Result<Self, Broken> {
        let violations = value.violations();
        if violations.is_empty() {
            Ok(Self(value))
        } else {
            Err(Broken { violations })
        }
    }

    /// The value with a change, if it keeps to its schema with it, too.
    ///
    /// # Errors
    /// All that breaks a constraint after the change.
    pub fn with(self, change: impl FnOnce(&mut T)) -> Result<Self, Broken> {
        let mut value = self.0;
        change(&mut value);
        Self::new(value)
    }
}

impl<T> Checked<T> {
    /// The value, free to be changed.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Checked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> AsRef<T> for Checked<T> {
    fn as_ref(&self) -> &T {
        &self.0
    }
}

/// Nothing is left to find.
impl<T: Validate> Validate for Checked<T> {
    fn validate(&self, _found: &mut Violations<'_>) {}
}

impl<T: Serialize> Serialize for Checked<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Read, and checked.
impl<'de, T: Deserialize<'de> + Validate> Deserialize<'de> for Checked<T> {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        Self::new(T::deserialize(source)?).map_err(serde::de::Error::custom)
    }
}

/// A value breaks constraints of its schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// All that was found, in the order of the properties; never empty.
    pub violations: Vec<Violation>,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, violation) in self.violations.iter().enumerate() {
            let joint = if index == 0 { "" } else { "; " };
            write!(f, "{joint}{violation}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Broken {}
