//! Card schemes, their test cards, and the magic numbers with special behaviour.

use std::sync::LazyLock;

use serde::Deserialize;

use super::bin_range::BinRange;
use super::outcome::{Outcome, RejectCode};
use super::pan::Pan;

/// The known schemes, test cards and magic numbers.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Schemes {
    #[serde(rename = "schemes")]
    known: Vec<Scheme>,
    test_bins: Vec<TestBin>,
    magic_numbers: Vec<MagicNumber>,
}

/// A card scheme.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Scheme {
    /// The scheme, of the form `COR_<name>`.
    pub organization: String,
    /// The brand name.
    pub brand: String,
    /// The address of its logo.
    pub logo_url: String,
    /// The number of digits of its security codes.
    pub cvv: usize,
    bins: Vec<BinRange>,
    lengths: Vec<usize>,
}

/// A BIN of test cards; no real card has a number with it.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestBin {
    bin: String,
    /// The kind of card, such as `CDT_DEBIT`.
    pub r#type: String,
    /// The issuer's country, two letters.
    pub country: String,
    /// Whether the card belongs to a company.
    pub commercial: bool,
}

/// A test card with special behaviour.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MagicNumber {
    /// Its number.
    pub number: String,
    /// The code with which the issuer refuses to save the card; `None` when it can be saved.
    #[serde(default)]
    pub saving: Option<String>,
    /// The outcome of a payment with the card.
    pub using: String,
}

impl Schemes {
    /// The seeded schemes.
    pub fn seeded() -> &'static Self {
        static SCHEMES: LazyLock<Schemes> = LazyLock::new(|| {
            serde_json::from_str(include_str!("../seed/cards.json"))
                .expect("the schemes are read by a test")
        });
        &SCHEMES
    }

    /// The scheme whose numbers begin with `start`.
    pub fn of_bin(&self, start: &str) -> Option<&Scheme> {
        let begins = |scheme: &&Scheme| scheme.bins.iter().any(|bin| bin.contains(start));
        self.known.iter().find(begins)
    }

    /// The scheme of a card number; `None` when no scheme has such a number.
    pub fn of(&self, pan: &Pan) -> Option<&Scheme> {
        let scheme = self.of_bin(pan.bin())?;
        scheme.lengths.contains(&pan.length()).then_some(scheme)
    }

    /// The scheme with that name.
    pub fn named(&self, organization: &str) -> Option<&Scheme> {
        let mut schemes = self.known.iter();
        schemes.find(|scheme| scheme.organization == organization)
    }

    /// The test cards with this BIN.
    pub fn test_bin(&self, bin: &str) -> Option<&TestBin> {
        self.test_bins.iter().find(|test| test.bin == bin)
    }

    /// The code with which the issuer refuses to save the card; `None` when it can be saved.
    pub fn refuses(&self, pan: &Pan) -> Option<RejectCode> {
        RejectCode::parse(self.magic(pan)?.saving.as_deref()?)
    }

    /// The outcome of a payment with the card; `None` for cards without special behaviour.
    pub fn outcome(&self, pan: &Pan) -> Option<Outcome> {
        self.magic(pan)?.using.parse().ok()
    }

    /// The test cards with special behaviour.
    pub fn magic_numbers(&self) -> &[MagicNumber] {
        &self.magic_numbers
    }

    fn magic(&self, pan: &Pan) -> Option<&MagicNumber> {
        let mut numbers = self.magic_numbers.iter();
        numbers.find(|magic| magic.number == pan.expose())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_belong_to_their_scheme() {
        let table = [
            ("4111111111111111", "COR_VISA"),
            ("4222222222222", "COR_VISA"),
            ("5555555555554444", "COR_MASTERCARD"),
            ("2223003122003222", "COR_MASTERCARD"),
            ("378282246310005", "COR_AMEX"),
            ("371449635398431", "COR_AMEX"),
            ("378734493671000", "COR_AMEX"),
            ("6011111111111117", "COR_DISCOVER"),
            ("6011000990139424", "COR_DISCOVER"),
            ("3056930009020004", "COR_DINERS"),
            ("36227206271667", "COR_DINERS"),
            ("3566002020360505", "COR_JCB"),
            ("3530111333300000", "COR_JCB"),
            ("6200000000000005", "COR_UNIONPAY"),
            ("6205500000000000004", "COR_UNIONPAY"),
            ("6759649826438453", "COR_MAESTRO"),
            ("501800000009", "COR_MAESTRO"),
            ("9792030000000000007", "COR_TROY"),
        ];
        let schemes = Schemes::seeded();
        for (number, organization) in table {
            let pan = Pan::parse(number).ok().unwrap();
            let scheme = schemes.of(&pan).map(|scheme| scheme.organization.as_str());
            assert_eq!(scheme, Some(organization), "{number}");
            assert!(
                schemes.test_bin(pan.bin()).is_some(),
                "{number} is no test card"
            );
        }
        // An American Express card with sixteen digits, and a number without a scheme.
        for number in ["3782822463100003", "1000000000000008"] {
            let pan = Pan::parse(number).ok().unwrap();
            assert_eq!(schemes.of(&pan), None, "{number}");
        }
    }

    #[test]
    fn magic_numbers_are_test_cards_with_an_outcome() {
        let schemes = Schemes::seeded();
        for magic in &schemes.magic_numbers {
            let pan = Pan::parse(&magic.number).ok().unwrap();
            assert!(schemes.of(&pan).is_some() && schemes.test_bin(pan.bin()).is_some());
            assert!(schemes.outcome(&pan).is_some(), "{}", magic.using);
            assert_eq!(schemes.refuses(&pan).is_some(), magic.saving.is_some());
        }
        assert!(schemes.magic_numbers.len() > 3);
        let plain = Pan::parse("4111111111111111").ok().unwrap();
        assert_eq!(
            (schemes.outcome(&plain), schemes.refuses(&plain)),
            (None, None)
        );
    }

    #[test]
    fn every_test_bin_belongs_to_one_scheme() {
        let schemes = Schemes::seeded();
        for test in &schemes.test_bins {
            let begins = |scheme: &&Scheme| scheme.bins.iter().any(|bin| bin.contains(&test.bin));
            assert_eq!(
                schemes.known.iter().filter(begins).count(),
                1,
                "{}",
                test.bin
            );
            assert_eq!(test.bin.len(), 6);
        }
    }
}
