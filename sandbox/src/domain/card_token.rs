//! Seeded card tokens: the last digits decide the provider's answer.

use uuid::Uuid;

use super::outcome::{Final, Outcome, RejectCode};

/// The common prefix of all seeded tokens; four digits follow.
const FAMILY: &str = "00000000-0000-4000-8000-00000000";

/// The provider's answer for this token; `None` when it is not a seeded token.
///
/// The last four digits decide:
///
/// - `0000` accepts.
/// - `0001` stays pending.
/// - `1xxx` is refused with the code `E1xxx`.
/// - `2xxx` accepts the first purchase of a subscription and refuses its charges.
/// - `3000` asks the customer.
/// - `3001` is accepted because the issuer recognizes the customer.
/// - `3002` asks the customer and is refused even if they approve.
pub fn outcome(token: Uuid) -> Option<Outcome> {
    let text = token.hyphenated().to_string();
    match text.strip_prefix(FAMILY)? {
        "0000" => Some(Outcome::ACCEPT),
        digits if digits.starts_with('2') => refusal(digits).map(|_| Outcome::ACCEPT),
        "0001" => Some(Outcome::Pending),
        "3000" => Some(Outcome::Challenge {
            then: Final::Accept,
        }),
        "3001" => Some(Outcome::Frictionless),
        "3002" => Some(Outcome::Challenge {
            then: Final::Reject(RejectCode::default()),
        }),
        digits if digits.starts_with('1') => refusal(digits),
        _ => None,
    }
}

/// The provider's answer to the charges of a subscription that this token pays for.
///
/// `2xxx` refuses them with the code `E1xxx`. `None` means that charges are accepted.
pub fn charges(token: Uuid) -> Option<Outcome> {
    let text = token.hyphenated().to_string();
    let digits = text.strip_prefix(FAMILY)?;
    match digits.as_bytes().first() {
        Some(b'2') => refusal(digits),
        // A charge happens without the customer, so they cannot be asked.
        Some(b'3') => None,
        _ => outcome(token),
    }
}

/// The refusal with the code `E1xxx`, where `xxx` are the digits after the first.
fn refusal(digits: &str) -> Option<Outcome> {
    let code = RejectCode::parse(&format!("E1{}", digits.get(1..)?))?;
    Some(Outcome::Now(Final::Reject(code)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_digits_decide() {
        let table = [
            ("00000000-0000-4000-8000-000000000000", Some("accept")),
            ("00000000-0000-4000-8000-000000000001", Some("pending")),
            (
                "00000000-0000-4000-8000-000000001005",
                Some("reject;code=E1005"),
            ),
            (
                "00000000-0000-4000-8000-000000001999",
                Some("reject;code=E1999"),
            ),
            (
                "00000000-0000-4000-8000-000000003000",
                Some("3ds;then=accept"),
            ),
            ("00000000-0000-4000-8000-000000003001", Some("frictionless")),
            (
                "00000000-0000-4000-8000-000000003002",
                Some("3ds;then=reject;code=E1005"),
            ),
            ("00000000-0000-4000-8000-00000000100a", None),
            ("00000000-0000-4000-8000-000000000002", None),
            ("00000000-0000-4000-8000-000000002006", Some("accept")),
            ("00000000-0000-4000-8000-000000003003", None),
            ("11111111-0000-4000-8000-000000000000", None),
        ];
        for (token, expected) in table {
            let found = outcome(token.parse().unwrap()).map(|outcome| outcome.to_string());
            assert_eq!(found.as_deref(), expected, "{token}");
        }
    }

    #[test]
    fn a_card_can_pay_the_first_purchase_and_refuse_the_charges() {
        let table = [
            ("00000000-0000-4000-8000-000000000000", Some("accept")),
            (
                "00000000-0000-4000-8000-000000001005",
                Some("reject;code=E1005"),
            ),
            (
                "00000000-0000-4000-8000-000000002006",
                Some("reject;code=E1006"),
            ),
            ("00000000-0000-4000-8000-000000003000", None),
            ("00000000-0000-4000-8000-00000000200a", None),
            ("11111111-0000-4000-8000-000000002006", None),
        ];
        for (token, expected) in table {
            let found = charges(token.parse().unwrap()).map(|outcome| outcome.to_string());
            assert_eq!(found.as_deref(), expected, "{token}");
        }
    }
}
