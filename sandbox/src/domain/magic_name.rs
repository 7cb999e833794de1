//! Magic customer names: outcomes for callers that can set little besides a name.

use super::outcome::{Final, Outcome, RejectCode};

/// The provider's answer for a customer with this last name; `None` for ordinary names.
///
/// `PENDING` stays pending, `3DS` asks the customer, and `REJECT_` with a code is refused.
pub fn outcome(last_name: &str) -> Option<Outcome> {
    match last_name {
        "PENDING" => Some(Outcome::Pending),
        "3DS" => Some(Outcome::Challenge {
            then: Final::Accept,
        }),
        name => {
            let code = RejectCode::parse(name.strip_prefix("REJECT_")?)?;
            Some(Outcome::Now(Final::Reject(code)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_names_are_magic() {
        let table = [
            ("PENDING", Some("pending")),
            ("3DS", Some("3ds;then=accept")),
            ("REJECT_E1005", Some("reject;code=E1005")),
            ("REJECT_", None),
            ("REJECT_1005", None),
            ("Pending", None),
            ("Customer", None),
            ("", None),
        ];
        for (name, expected) in table {
            let found = outcome(name).map(|outcome| outcome.to_string());
            assert_eq!(found.as_deref(), expected, "{name}");
        }
    }
}
