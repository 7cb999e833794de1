//! Test values for developers as tables: test cards, card tokens, last names and outcomes.
//!
//! The tables list only the values; the effect of each value comes from the domain.

use uuid::Uuid;

use crate::domain::outcome::{Final, Outcome, RejectCode};
use crate::domain::pan::Pan;
use crate::domain::scheme::Schemes;
use crate::domain::{card_token, magic_name};

/// A table of test values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The kind of values.
    pub title: &'static str,
    /// Where to use them.
    pub place: &'static str,
    /// Each value with its effect.
    pub rows: Vec<(String, String)>,
}

/// A card of each common scheme without special behaviour.
const CARDS: [&str; 4] = [
    "4242424242424242",
    "5555555555554444",
    "378282246310005",
    "6011111111111117",
];
/// Seeded card tokens, one of each kind.
const TOKENS: [&str; 8] = [
    "00000000-0000-4000-8000-000000000000",
    "00000000-0000-4000-8000-000000000001",
    "00000000-0000-4000-8000-000000001005",
    "00000000-0000-4000-8000-000000001006",
    "00000000-0000-4000-8000-000000002006",
    "00000000-0000-4000-8000-000000003000",
    "00000000-0000-4000-8000-000000003001",
    "00000000-0000-4000-8000-000000003002",
];
/// Outcomes, one of each form.
const OUTCOMES: [&str; 8] = [
    "accept",
    "reject;code=E1005",
    "expire",
    "pending",
    "pending;after=PT2S",
    "3ds",
    "3ds;then=reject;code=E1005",
    "frictionless",
];
/// Last names, one of each form.
const NAMES: [&str; 3] = ["PENDING", "3DS", "REJECT_E1005"];

/// The body of a purchase that holds the money first.
pub const TWO_STEPS: &str =
    r#"{"amount": "24.90", "currency": "EUR", "authorization": {"type": "TWO_STEP"}}"#;

/// The types of an authorization.
const STEPS: &str = "`authorization.type` of a purchase says how the money is taken: `DIRECT` at once, which is usual; \
    `TWO_STEP` holds it until `POST /v1/transactions/capture`, for seven days at most.";

/// Every table, the most useful first.
pub fn tables() -> Vec<Table> {
    vec![
        Table {
            title: "Test cards",
            place: "On pages and where a card is saved. Any expiry in the future and any security code will do.",
            rows: cards(),
        },
        Table {
            title: "Card tokens",
            place: "As cardToken of a purchase. In 1005, 1006 and 2006 the last three digits choose the code.",
            rows: TOKENS.into_iter().filter_map(token).collect(),
        },
        Table {
            title: "Outcomes",
            place: "In the header sandbox-outcome of a call, or as fraudFields[\"sandbox.outcome\"] of a purchase or payout.",
            rows: rows(&OUTCOMES, |text| text.parse().ok()),
        },
        Table {
            title: "Last names",
            place: "As customer.lastName of a purchase or payout.",
            rows: rows(&NAMES, magic_name::outcome),
        },
    ]
}

/// The tables in Markdown, with the two-step purchase.
pub fn markdown() -> String {
    let row = |(value, effect): (String, String)| format!("| `{value}` | {effect} |\n");
    let table = |table: Table| {
        let (title, place) = (table.title, table.place);
        let rows: String = table.rows.into_iter().map(row).collect();
        format!("## {title}\n\n{place}\n\n| value | effect |\n|---|---|\n{rows}\n")
    };
    let tables: String = tables().into_iter().map(table).collect();
    format!("\n\n# Values to try\n\n{tables}## Two steps\n\n{STEPS}\n\n```json\n{TWO_STEPS}\n```\n")
}

fn rows(values: &[&str], outcome: impl Fn(&str) -> Option<Outcome>) -> Vec<(String, String)> {
    let row = |value: &&str| Some(((*value).to_owned(), effect(&outcome(value)?)));
    values.iter().filter_map(row).collect()
}

fn cards() -> Vec<(String, String)> {
    let schemes = Schemes::seeded();
    let plain = CARDS.into_iter().filter_map(|number| {
        let pan = Pan::parse(number).ok()?;
        let brand = &schemes.of(&pan)?.brand;
        Some((number.to_owned(), format!("{brand}: accepted")))
    });
    let magic = schemes.magic_numbers().iter().filter_map(|magic| {
        let effect = effect(&magic.using.parse().ok()?);
        let saving = magic.saving.as_ref();
        let saving = saving.map_or_else(String::new, |code| {
            format!("; refused with {code} when it is saved")
        });
        Some((magic.number.clone(), format!("{effect}{saving}")))
    });
    plain.chain(magic).collect()
}

fn token(text: &str) -> Option<(String, String)> {
    let token: Uuid = text.parse().ok()?;
    let outcome = card_token::outcome(token)?;
    let charges = card_token::charges(token).filter(|charges| *charges != outcome);
    let charges = charges.map_or_else(String::new, |charges| {
        format!("; charges of a subscription are {}", effect(&charges))
    });
    Some((text.to_owned(), format!("{}{charges}", effect(&outcome))))
}

/// The effect of an outcome on a payment, in words.
fn effect(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Now(ending) => self::ending(ending),
        Outcome::Pending => "stays pending".to_owned(),
        Outcome::Later { after, then } => {
            format!("pending, and after {after:#} {}", ending(then))
        }
        Outcome::Challenge { then } => {
            format!("the customer is asked (3-D Secure), then {}", ending(then))
        }
        Outcome::Frictionless => {
            "accepted, and the issuer knows the customer (3-D Secure)".to_owned()
        }
    }
}

fn ending(ending: &Final) -> String {
    match ending {
        Final::Accept => "accepted".to_owned(),
        Final::Reject(code) => format!(
            "rejected with {}: {}",
            code.as_str(),
            RejectCode::reason(code)
        ),
        Final::Expire => "expired".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_does_something() {
        let tables = tables();
        let rows = |title| {
            tables
                .iter()
                .find(|table| table.title == title)
                .unwrap()
                .rows
                .len()
        };
        assert_eq!(
            rows("Test cards"),
            CARDS.len() + Schemes::seeded().magic_numbers().len()
        );
        assert_eq!(rows("Card tokens"), TOKENS.len());
        assert_eq!(rows("Outcomes"), OUTCOMES.len());
        assert_eq!(rows("Last names"), NAMES.len());
    }

    #[test]
    fn effects_are_described_in_words() {
        let tables = tables();
        let effect_of = |value: &str| {
            let mut rows = tables.iter().flat_map(|table| &table.rows);
            rows.find(|(found, _)| found == value).unwrap().1.as_str()
        };
        assert_eq!(effect_of("4242424242424242"), "VISA: accepted");
        assert_eq!(
            effect_of("pending;after=PT2S"),
            "pending, and after 2s accepted"
        );
        assert_eq!(
            effect_of("00000000-0000-4000-8000-000000002006"),
            "accepted; charges of a subscription are rejected with E1006: insufficient funds of the customer"
        );
    }
}
