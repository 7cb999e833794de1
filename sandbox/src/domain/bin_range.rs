//! Ranges of BINs, the first digits of card numbers.

use std::ops::RangeInclusive;

use serde::Deserialize;

/// A range of BINs that all have the same length.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct BinRange {
    digits: usize,
    range: RangeInclusive<u32>,
}

impl BinRange {
    /// Whether `bin` begins with a number of the range.
    pub(super) fn contains(&self, bin: &str) -> bool {
        let start = bin.get(..self.digits).and_then(|start| start.parse().ok());
        start.is_some_and(|start| self.range.contains(&start))
    }
}

impl TryFrom<String> for BinRange {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let (first, last) = text.split_once('-').unwrap_or((&text, &text));
        let range = first.parse()?..=last.parse()?;
        let digits = first.len();
        Ok(Self { digits, range })
    }
}
