//! Cards: the details that a caller enters, and the part of them that the sandbox keeps.

use jiff::Timestamp;

use super::cvv::Cvv;
use super::expiry::Expiry;
use super::outcome::{Outcome, RejectCode};
use super::pan::{Pan, PanError};
use super::rejection::{Code, Rejection};
use super::scheme::{Schemes, TestBin};

/// The issuer of every test card.
const BANK: &str = "Test Bank";
/// The number of digits of a security code when the scheme is unknown.
const USUAL_CVV: usize = 3;
/// The countries of the European Economic Area.
const EEA: [&str; 30] = [
    "AT", "BE", "BG", "HR", "CY", "CZ", "DK", "EE", "FI", "FR", "DE", "GR", "HU", "IS", "IE", "IT",
    "LV", "LI", "LT", "LU", "MT", "NL", "NO", "PL", "PT", "RO", "SK", "SI", "ES", "SE",
];

/// The part of a card that may be stored and shown: neither its number nor its security code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The first six digits of the number.
    pub bin: String,
    /// The last four digits.
    pub last4: String,
    /// The scheme, of the form `COR_<name>`.
    pub organization: String,
    /// The last month in which the card is valid; `None` when the caller did not give it.
    pub expiry: Option<Expiry>,
    /// The issuer; `None` for cards that are not test cards.
    pub issuer: Option<Issuer>,
    /// The outcome of every use of a magic test card; `None` for all other cards.
    pub outcome: Option<Outcome>,
}

/// The bank that issued a card, and the kind of card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issuer {
    /// The bank's name.
    pub bank: String,
    /// Its country, two letters.
    pub country: String,
    /// The kind of card, such as `CDT_DEBIT`.
    pub kind: String,
    /// Whether the card belongs to a company.
    pub commercial: bool,
}

/// Which cards the sandbox accepts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AcceptedCards {
    /// Only test cards.
    #[default]
    TestCards,
    /// Cards of every scheme, possibly real ones.
    AnyCard,
}

/// Card details as a caller entered them, each with its JSON pointer in the body.
#[expect(missing_debug_implementations, reason = "it holds a card number")]
pub struct Entered {
    /// The number, or why it could not be parsed.
    pub number: Result<Pan, PanError>,
    /// The pointer of the number.
    pub number_at: &'static str,
    /// The expiry date, `MMYY`, and its pointer.
    pub expiry: Option<(String, &'static str)>,
    /// The security code and its pointer.
    pub cvv: Option<(i64, &'static str)>,
}

impl Entered {
    /// Checks all details; the rejection lists every mistake.
    pub fn check(&self, accepted: AcceptedCards, now: Timestamp) -> Result<Card, Rejection> {
        let mut wrong = Vec::new();
        let card = match self.recognise(accepted) {
            Ok(card) => Some(card),
            Err(detail) => {
                wrong.push(refused(self.number_at, detail));
                None
            }
        };
        let expiry = match &self.expiry {
            Some((text, at)) => parse_expiry(text, now)
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
            return Err(saving_declined(&code, self.number_at));
        }
        let card = card.ok_or_else(|| Rejection::unknown("card"))?;
        Ok(Card { expiry, ..card })
    }

    fn recognise(&self, accepted: AcceptedCards) -> Result<Card, String> {
        let pan = self.number.as_ref().map_err(ToString::to_string)?;
        let schemes = Schemes::seeded();
        let scheme = schemes
            .of(pan)
            .ok_or("no scheme has cards of this number")?;
        let issuer = Issuer::of(pan.bin());
        if issuer.is_none() && accepted == AcceptedCards::TestCards {
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
    /// The number of digits of the card's security code.
    pub fn cvv_length(&self) -> usize {
        let scheme = Schemes::seeded().named(&self.organization);
        scheme.map_or(USUAL_CVV, |scheme| scheme.cvv)
    }

    /// The default name of the card: its brand and last four digits.
    pub fn usual_name(&self) -> String {
        let scheme = Schemes::seeded().named(&self.organization);
        let brand = scheme.map_or("card", |scheme| &scheme.brand);
        format!("{brand} {}", self.last4)
    }

    /// Whether the card has expired.
    pub fn has_expired(&self, now: Timestamp) -> bool {
        self.expiry.is_some_and(|expiry| expiry.is_past(now))
    }
}

impl Issuer {
    /// The issuer of the test cards with this BIN; `None` for all other BINs.
    pub fn of(bin: &str) -> Option<Self> {
        Schemes::seeded().test_bin(bin).map(Self::from)
    }

    /// Whether the issuer is in the European Economic Area.
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

/// Parses an expiry date that is not in the past; the error describes what is wrong.
fn parse_expiry(text: &str, now: Timestamp) -> Result<Expiry, String> {
    let expiry = Expiry::parse(text).map_err(|error| error.to_string())?;
    if expiry.is_past(now) {
        return Err("is past".to_owned());
    }
    Ok(expiry)
}

fn refused(at: &str, detail: String) -> Rejection {
    Rejection::at(Code::ContractViolation, at, detail)
}

/// The issuer refuses to let the card be saved.
fn saving_declined(code: &RejectCode, at: &str) -> Rejection {
    Rejection::at(Code::CardDeclined, at, code.reason())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(
        number: &str,
        expiry: &str,
        cvv: i64,
        accepted: AcceptedCards,
    ) -> Result<Card, Vec<String>> {
        let entered = Entered {
            number: Pan::parse(number),
            number_at: "/number",
            expiry: Some((expiry.to_owned(), "/expiryDate")),
            cvv: Some((cvv, "/cvv")),
        };
        let now = "2026-11-30T23:59:59.999Z".parse().unwrap();
        match entered.check(accepted, now) {
            Ok(card) => Ok(card),
            Err(rejection) => {
                let all = std::iter::once(&rejection).chain(&rejection.also);
                Err(all.filter_map(|one| one.pointer.clone()).collect())
            }
        }
    }

    #[test]
    fn every_mistake_is_reported() {
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
            let found = check(number, expiry, cvv, AcceptedCards::TestCards).unwrap_err();
            assert_eq!(found, wrong, "{number} {expiry} {cvv}");
        }
    }

    #[test]
    fn a_card_is_described_without_its_number() {
        let card = check("378734493671000", "1126", 12, AcceptedCards::TestCards).unwrap();
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
        let card = check("4111111111111111", "1130", 0, AcceptedCards::TestCards).unwrap();
        assert!(card.issuer.unwrap().is_in_eea());
    }

    #[test]
    fn real_cards_are_accepted_only_when_allowed() {
        // A number of a scheme that is not in the list of test cards.
        let number = "4929000000000000";
        assert_eq!(
            check(number, "1130", 1, AcceptedCards::TestCards),
            Err(vec!["/number".to_owned()])
        );
        let card = check(number, "1130", 1, AcceptedCards::AnyCard).unwrap();
        assert_eq!(
            (card.organization.as_str(), card.issuer),
            ("COR_VISA", None)
        );
    }
}
