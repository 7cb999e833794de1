//! Bound: one end of a range, a number or a duration.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::decimal::Decimal;
use crate::duration::Duration;

/// One end of a range.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "String")]
pub enum Bound {
    /// A number.
    Number(Decimal),
    /// A length of time, counted from the moment of the request. A negative one lies before the
    /// request.
    Duration(Duration),
}

impl Bound {
    /// Compares two bounds; `None` if one is a number and the other a duration, or if two durations
    /// cannot be ordered.
    pub fn cmp_value(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Number(one), Self::Number(two)) => Some(one.cmp_value(two)),
            (Self::Duration(one), Self::Duration(two)) => {
                let months = one.months().cmp(&two.months());
                let rest = one.milliseconds().cmp(&two.milliseconds());
                match (months, rest) {
                    (Ordering::Equal, order) | (order, Ordering::Equal) => Some(order),
                    (months, rest) => (months == rest).then_some(months),
                }
            }
            _ => None,
        }
    }

    /// Whether it can bound a length or a number of items: a non-negative whole number.
    pub fn is_size(&self) -> bool {
        match self {
            Self::Number(number) => number.as_str().bytes().all(|byte| byte.is_ascii_digit()),
            Self::Duration(_) => false,
        }
    }

    /// Whether it is a length of time.
    pub fn is_duration(&self) -> bool {
        matches!(self, Self::Duration(_))
    }
}

impl TryFrom<Value> for Bound {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        if let Some(duration) = value.as_str().and_then(Duration::parse) {
            return Ok(Self::Duration(duration));
        }
        let expected = "expected a number such as '9.99', or a duration such as PT24H";
        let error = format!("{expected}, got {value}");
        Decimal::try_from(value)
            .map(Self::Number)
            .map_err(|_| error)
    }
}

impl From<Bound> for String {
    fn from(bound: Bound) -> Self {
        match bound {
            Bound::Number(number) => number.into(),
            Bound::Duration(duration) => duration.into(),
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Duration(duration) => duration.fmt(f),
        }
    }
}
