//! Rounding: how a computed number is rounded.

use serde::{Deserialize, Serialize};

use crate::decimal::Decimal;

/// How a number is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rounding {
    /// To the next greater number.
    Up,
    /// To the next smaller number.
    Down,
    /// To the nearest number; a half goes to the greater one.
    HalfUp,
}

impl Rounding {
    /// The word for it in an entry.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::HalfUp => "half up",
        }
    }

    /// Whether a rounded number may lie `below` the exact one by this much, with `places` decimals.
    pub(crate) fn allows(self, below: &Decimal, places: u32) -> bool {
        match self {
            Self::Down => below.is_below(places) && !below.is_negative(),
            Self::Up => below.is_below(places) && !below.negated().is_negative(),
            Self::HalfUp => {
                let twice = below.plus(below);
                let half = |twice: &Decimal| twice.plus(&Decimal::unit(places));
                twice.is_some_and(|twice| {
                    twice.is_below(places) || half(&twice).is_some_and(|rest| rest.is_zero())
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mode_allows_only_correctly_rounded_numbers() {
        for (rounding, exact, rounded, expected) in [
            (Rounding::Up, "12.5", "13", true),
            (Rounding::Up, "12.5", "12", false),
            (Rounding::Up, "12", "12", true),
            (Rounding::Up, "12", "13", false),
            (Rounding::Down, "12.9", "12", true),
            (Rounding::Down, "12.9", "13", false),
            (Rounding::Down, "-1.5", "-2", true),
            (Rounding::HalfUp, "12.5", "13", true),
            (Rounding::HalfUp, "12.5", "12", false),
            (Rounding::HalfUp, "12.4", "12", true),
            (Rounding::HalfUp, "12.4", "13", false),
            (Rounding::HalfUp, "12.6", "13", true),
        ] {
            let exact_one = Decimal::parse(exact).unwrap();
            let rounded_one = Decimal::parse(rounded).unwrap();
            let below = exact_one.plus(&rounded_one.negated()).unwrap();
            assert_eq!(rounding.allows(&below, 0), expected, "{exact} as {rounded}");
        }
    }
}
