//! Beginnings of card numbers.

use std::ops::RangeInclusive;

use serde::Deserialize;

/// Beginnings of card numbers, all of one length.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct BinRange {
    digits: usize,
    range: RangeInclusive<u32>,
}

impl BinRange {
    /// Whether a card number that begins like this is one of them.
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
