//! Card schemes, the test cards of each, and the few of them that behave in a way of their own.

use std::sync::LazyLock;

use serde::Deserialize;

use super::bin_range::BinRange;
use super::outcome::{Outcome, RejectCode};
use super::pan::Pan;

/// All that is known of cards by their numbers.
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
    /// The name that people know.
    pub brand: String,
    /// Its picture.
    pub logo_url: String,
    /// How many digits its security codes have.
    pub cvv: usize,
    bins: Vec<BinRange>,
    lengths: Vec<usize>,
}

/// The beginning of numbers that are made for tests: no such card was ever given to anybody.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestBin {
    bin: String,
    /// What the card is, such as `CDT_DEBIT`.
    pub r#type: String,
    /// Where it is from, two letters.
    pub country: String,
    /// Whether it belongs to a company.
    pub commercial: bool,
}

/// A test card that does not simply work.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MagicNumber {
    /// Its number.
    pub number: String,
    /// The code with which the issuer refuses to let it be saved, where it does.
    #[serde(default)]
    pub saving: Option<String>,
    /// The outcome of using it.
    pub using: String,
}

impl Schemes {
    /// The seeded ones.
    pub fn seeded() -> &'static Self {
        static SCHEMES: LazyLock<Schemes> = LazyLock::new(|| {
            serde_json::from_str(include_str!("../seed/cards.json"))
                .expect("the schemes are read by a test")
        });
        &SCHEMES
    }

    /// The scheme whose numbers begin like this.
    pub fn of_bin(&self, start: &str) -> Option<&Scheme> {
        let begins = |scheme: &&Scheme| scheme.bins.iter().any(|bin| bin.contains(start));
        self.known.iter().find(begins)
    }

    /// The scheme that has cards of this number.
    pub fn of(&self, pan: &Pan) -> Option<&Scheme> {
        let scheme = self.of_bin(pan.bin())?;
        scheme.lengths.contains(&pan.length()).then_some(scheme)
    }

    /// The scheme of that name.
    pub fn named(&self, organization: &str) -> Option<&Scheme> {
        let mut schemes = self.known.iter();
        schemes.find(|scheme| scheme.organization == organization)
    }

    /// The test cards whose numbers begin like this.
    pub fn test_bin(&self, bin: &str) -> Option<&TestBin> {
        self.test_bins.iter().find(|test| test.bin == bin)
    }

    /// Why the issuer does not let the card be saved, where it does not.
    pub fn refuses(&self, pan: &Pan) -> Option<RejectCode> {
        RejectCode::parse(self.magic(pan)?.saving.as_deref()?)
    }

    /// What comes of using the card, where that is not acceptance.
    pub fn outcome(&self, pan: &Pan) -> Option<Outcome> {
        self.magic(pan)?.using.parse().ok()
    }

    /// The test cards that do not simply work.
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
    fn numbers_tell_their_scheme() {
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
        // An American Express card with sixteen digits, and a number of no scheme.
        for number in ["3782822463100003", "1000000000000008"] {
            let pan = Pan::parse(number).ok().unwrap();
            assert_eq!(schemes.of(&pan), None, "{number}");
        }
    }

    #[test]
    fn magic_numbers_are_test_cards_and_mean_something() {
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
