//! Cards: what a caller says of one, and what is left of it when its number is forgotten.

use jiff::Timestamp;

use super::cvv::Cvv;
use super::expiry::Expiry;
use super::outcome::{Outcome, RejectCode};
use super::pan::{Pan, PanError};
use super::rejection::{Code, Rejection};
use super::scheme::{Schemes, TestBin};

/// The issuer of every test card.
const BANK: &str = "Test Bank";
/// How many digits a security code has when the scheme is not known.
const USUAL_CVV: usize = 3;
/// The countries of the European Economic Area.
const EEA: [&str; 30] = [
    "AT", "BE", "BG", "HR", "CY", "CZ", "DK", "EE", "FI", "FR", "DE", "GR", "HU", "IS", "IE", "IT",
    "LV", "LI", "LT", "LU", "MT", "NL", "NO", "PL", "PT", "RO", "SK", "SI", "ES", "SE",
];

/// A card as it may be kept and shown: without its number and without its security code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The first six digits of the number.
    pub bin: String,
    /// The last four digits.
    pub last4: String,
    /// The scheme, of the form `COR_<name>`.
    pub organization: String,
    /// Until when it is good, where that was said.
    pub expiry: Option<Expiry>,
    /// What is known of its issuer.
    pub issuer: Option<Issuer>,
    /// What comes of using it, where that is not acceptance.
    pub outcome: Option<Outcome>,
}

/// Who gave a card out, and as what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issuer {
    /// The bank's name.
    pub bank: String,
    /// Where it is, two letters.
    pub country: String,
    /// What the card is, such as `CDT_DEBIT`.
    pub kind: String,
    /// Whether the card belongs to a company.
    pub commercial: bool,
}

/// Which cards are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Taken {
    /// Those that are made for tests.
    #[default]
    TestCards,
    /// Those of every scheme. A real one may be among them.
    AnyCard,
}

/// What a caller says of a card, and where in the body each part stands.
#[expect(missing_debug_implementations, reason = "it holds a card number")]
pub struct Entered {
    /// The number, read or not.
    pub number: Result<Pan, PanError>,
    /// Where the number stands.
    pub number_at: &'static str,
    /// The date of expiry, `MMYY`, and where it stands.
    pub expiry: Option<(String, &'static str)>,
    /// The security code, and where it stands.
    pub cvv: Option<(i64, &'static str)>,
}

impl Entered {
    /// Checks all of it; every mistake is reported.
    pub fn check(&self, taken: Taken, now: Timestamp) -> Result<Card, Rejection> {
        let mut wrong = Vec::new();
        let card = match self.recognise(taken) {
            Ok(card) => Some(card),
            Err(detail) => {
                wrong.push(refused(self.number_at, detail));
                None
            }
        };
        let expiry = match &self.expiry {
            Some((text, at)) => good(text, now)
                .map_err(|detail| wrong.push(refused(at, detail)))
                .ok(),
            None => None,
        };
        if let Some((number, at)) = self.cvv {
            let length = card.as_ref().map_or(USUAL_CVV, Card::cvv_length);
            if let Err(error) = Cvv::from_integer(number, length) {
                wrong.push(refused(at, error.to_string()));
            }
        }
        Rejection::collected(wrong)?;
        let refusal = self.number.as_ref().ok();
        if let Some(code) = refusal.and_then(|pan| Schemes::seeded().refuses(pan)) {
            return Err(declined(&code, self.number_at));
        }
        let card = card.ok_or_else(|| Rejection::unknown("card"))?;
        Ok(Card { expiry, ..card })
    }

    fn recognise(&self, taken: Taken) -> Result<Card, String> {
        let pan = self.number.as_ref().map_err(ToString::to_string)?;
        let schemes = Schemes::seeded();
        let scheme = schemes
            .of(pan)
            .ok_or("no scheme has cards of this number")?;
        let issuer = Issuer::of(pan.bin());
        if issuer.is_none() && taken == Taken::TestCards {
            return Err("is not the number of a test card, and only those are taken".to_owned());
        }
        Ok(Card {
            bin: pan.bin().to_owned(),
            last4: pan.last4().to_owned(),
            organization: scheme.organization.clone(),
            expiry: None,
            issuer,
            outcome: schemes.outcome(pan),
        })
    }
}

impl Card {
    /// How many digits a security code of the card has.
    pub fn cvv_length(&self) -> usize {
        let scheme = Schemes::seeded().named(&self.organization);
        scheme.map_or(USUAL_CVV, |scheme| scheme.cvv)
    }

    /// What the card is called where its customer has no name for it.
    pub fn usual_name(&self) -> String {
        let scheme = Schemes::seeded().named(&self.organization);
        let brand = scheme.map_or("card", |scheme| &scheme.brand);
        format!("{brand} {}", self.last4)
    }

    /// Whether it is past its last day.
    pub fn has_expired(&self, now: Timestamp) -> bool {
        self.expiry.is_some_and(|expiry| expiry.is_past(now))
    }
}

impl Issuer {
    /// What is known of the issuer of cards whose numbers begin like this.
    pub fn of(bin: &str) -> Option<Self> {
        Schemes::seeded().test_bin(bin).map(Self::from)
    }

    /// Whether it is in the European Economic Area.
    pub fn is_in_eea(&self) -> bool {
        EEA.contains(&self.country.as_str())
    }
}

impl From<&TestBin> for Issuer {
    fn from(test: &TestBin) -> Self {
        Self {
            bank: BANK.to_owned(),
            country: test.country.clone(),
            kind: test.r#type.clone(),
            commercial: test.commercial,
        }
    }
}

/// A month that is not past, or what is wrong with it.
fn good(text: &str, now: Timestamp) -> Result<Expiry, String> {
    let expiry = Expiry::parse(text).map_err(|error| error.to_string())?;
    if expiry.is_past(now) {
        return Err("is past".to_owned());
    }
    Ok(expiry)
}

fn refused(at: &str, detail: String) -> Rejection {
    Rejection::at(Code::ContractViolation, at, detail)
}

/// The issuer does not want the card to be saved.
fn declined(code: &RejectCode, at: &str) -> Rejection {
    Rejection::at(Code::CardDeclined, at, code.reason())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(number: &str, expiry: &str, cvv: i64, taken: Taken) -> Result<Card, Vec<String>> {
        let entered = Entered {
            number: Pan::parse(number),
            number_at: "/number",
            expiry: Some((expiry.to_owned(), "/expiryDate")),
            cvv: Some((cvv, "/cvv")),
        };
        let now = "2026-11-30T23:59:59.999Z".parse().unwrap();
        match entered.check(taken, now) {
            Ok(card) => Ok(card),
            Err(rejection) => {
                let all = std::iter::once(&rejection).chain(&rejection.also);
                Err(all.filter_map(|one| one.pointer.clone()).collect())
            }
        }
    }

    #[test]
    fn all_that_is_wrong_is_reported() {
        let table: [(&str, &str, i64, &[&str]); 7] = [
            ("4111111111111112", "1130", 123, &["/number"]),
            ("4111111111111111", "1026", 123, &["/expiryDate"]),
            ("4111111111111111", "1330", 1234, &["/expiryDate", "/cvv"]),
            ("378282246310005", "1130", 12_345, &["/cvv"]),
            ("1", "0000", -1, &["/number", "/expiryDate", "/cvv"]),
            ("1000000000000008", "1130", 123, &["/number"]),
            ("4000000000000002", "1130", 123, &["/number"]),
        ];
        for (number, expiry, cvv, wrong) in table {
            let found = check(number, expiry, cvv, Taken::TestCards).unwrap_err();
            assert_eq!(found, wrong, "{number} {expiry} {cvv}");
        }
    }

    #[test]
    fn a_card_is_what_its_number_says_without_the_number() {
        let card = check("378734493671000", "1126", 12, Taken::TestCards).unwrap();
        assert_eq!(
            (
                card.bin.as_str(),
                card.last4.as_str(),
                card.organization.as_str()
            ),
            ("378734", "1000", "COR_AMEX")
        );
        let issuer = card.issuer.clone().unwrap();
        assert!(issuer.commercial && !issuer.is_in_eea());
        assert!(!format!("{card:?}").contains("3787344"), "{card:?}");
        let card = check("4111111111111111", "1130", 0, Taken::TestCards).unwrap();
        assert!(card.issuer.unwrap().is_in_eea());
    }

    #[test]
    fn cards_of_people_are_taken_only_when_that_is_allowed() {
        // A number of the scheme that no list of test cards has.
        let number = "4929000000000000";
        assert_eq!(
            check(number, "1130", 1, Taken::TestCards),
            Err(vec!["/number".to_owned()])
        );
        let card = check(number, "1130", 1, Taken::AnyCard).unwrap();
        assert_eq!(
            (card.organization.as_str(), card.issuer),
            ("COR_VISA", None)
        );
    }
}
