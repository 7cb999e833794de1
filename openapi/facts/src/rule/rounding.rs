//! Rounding: which way a computed number is rounded.

use serde::{Deserialize, Serialize};

use crate::decimal::Decimal;

/// Which way a number is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rounding {
    /// To the next greater one.
    Up,
    /// To the next smaller one.
    Down,
    /// To the nearest one; a half to the greater one.
    HalfUp,
}

impl Rounding {
    /// The word of an entry for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::HalfUp => "half up",
        }
    }

    /// Whether a number may be so far below the exact one, to so many decimals.
    pub(crate) fn allows(self, below: &Decimal, places: u32) -> bool {
        match self {
            Self::Down => below.is_below(places) && !below.is_negative(),
            Self::Up => below.is_below(places) && !below.negated().is_negative(),
            Self::HalfUp => {
                let twice = below.plus(below);
                let half = |twice: &Decimal| twice.plus(&Decimal::unit(places));
                twice.is_some_and(|twice| {
                    twice.is_below(places) || half(&twice).is_some_and(|own| own.is_zero())
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_allows_its_own_numbers() {
        for (rounding, exact, told, expected) in [
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
            let told_one = Decimal::parse(told).unwrap();
            let below = exact_one.plus(&told_one.negated()).unwrap();
            assert_eq!(rounding.allows(&below, 0), expected, "{exact} as {told}");
        }
    }
}
