//! Seeded card tokens: each makes the provider answer in one way.

use uuid::Uuid;

use super::outcome::{Final, Outcome, RejectCode};

/// All seeded tokens but for their last four digits.
const FAMILY: &str = "00000000-0000-4000-8000-00000000";

/// What the provider answers for this token, or `None` when there is no such token.
///
/// The last four digits decide: `0000` accepts, `0001` stays pending, `1xxx` is refused with
/// the code `E1xxx`.
pub fn outcome(token: Uuid) -> Option<Outcome> {
    let text = token.hyphenated().to_string();
    match text.strip_prefix(FAMILY)? {
        "0000" => Some(Outcome::ACCEPT),
        "0001" => Some(Outcome::Pending),
        digits if digits.starts_with('1') => {
            RejectCode::parse(&format!("E{digits}")).map(|code| Outcome::Now(Final::Reject(code)))
        }
        _ => None,
    }
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
            ("00000000-0000-4000-8000-00000000100a", None),
            ("00000000-0000-4000-8000-000000000002", None),
            ("00000000-0000-4000-8000-000000002000", None),
            ("11111111-0000-4000-8000-000000000000", None),
        ];
        for (token, expected) in table {
            let found = outcome(token.parse().unwrap()).map(|outcome| outcome.to_string());
            assert_eq!(found.as_deref(), expected, "{token}");
        }
    }
}
