//! Seeded card tokens: each makes the provider answer in one way.

use uuid::Uuid;

use super::outcome::{Final, Outcome, RejectCode};

/// All seeded tokens but for their last four digits.
const FAMILY: &str = "00000000-0000-4000-8000-00000000";

/// What the provider answers for this token, or `None` when there is no such token.
///
/// The last four digits decide: `0000` accepts, `0001` stays pending, `1xxx` is refused with
/// the code `E1xxx`, `2xxx` accepts the first purchase of a subscription and refuses its charges; of
/// `3000` the customer is asked, of `3001` the issuer knows the customer without, and `3002` is
/// refused although the customer was asked and said yes.
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

/// What the provider answers to the charges of a subscription that this token pays for, where it is not what
/// it answers to a purchase: `2xxx` refuses them with the code `E1xxx`.
pub fn charges(token: Uuid) -> Option<Outcome> {
    let text = token.hyphenated().to_string();
    let digits = text.strip_prefix(FAMILY)?;
    match digits.as_bytes().first() {
        Some(b'2') => refusal(digits),
        // The customer is not there to be asked.
        Some(b'3') => None,
        _ => outcome(token),
    }
}

/// The refusal with the code `E1xxx`, of which the digits after the first are given.
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
    fn a_card_may_pay_once_and_never_again() {
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
