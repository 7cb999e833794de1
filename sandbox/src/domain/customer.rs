//! Checks the contact details and names of customers and recipients.

use super::rejection::{Code, Rejection};

/// The length limit of a customer's id, in characters.
pub const LONGEST_ID: usize = 255;

/// Checks the id that the merchant gives a new customer: it has to fit into a path.
pub fn check_id(id: &str) -> Option<Rejection> {
    let length = id.chars().count();
    let readable = (1..=LONGEST_ID).contains(&length) && !id.chars().any(char::is_control);
    (!readable).then(|| {
        let detail = format!("has 1 to {LONGEST_ID} characters, none of which is invisible");
        wrong("/merchantCustomerId", detail)
    })
}

/// Checks an e-mail address: text before and after a single `@`.
pub fn check_email(email: &str) -> Option<Rejection> {
    let parts = email.split_once('@');
    let plain = |part: &str| {
        let odd = |c: char| c.is_whitespace() || c.is_control() || c == '@' || "<>,;".contains(c);
        !part.is_empty() && !part.contains(odd)
    };
    let fits = parts.is_some_and(|(name, domain)| plain(name) && plain(domain));
    (!fits).then(|| wrong("/email", "is not an address of electronic mail"))
}

/// Checks a telephone number in international form: `+` and 7 to 15 digits.
pub fn check_telephone(number: &str, pointer: &str) -> Option<Rejection> {
    let digits = number.strip_prefix('+').unwrap_or_default();
    let fits = (7..=15).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && !digits.starts_with('0');
    (!fits).then(|| wrong(pointer, "is not a telephone number: + and 7 to 15 digits"))
}

/// Checks a display name: its length, that it is not blank, and that it has no invisible
/// characters.
pub fn check_name(name: &str, pointer: &str) -> Option<Rejection> {
    let seen = (1..=LONGEST_ID).contains(&name.chars().count())
        && !name.trim().is_empty()
        && !name.chars().any(char::is_control);
    (!seen).then(|| {
        let detail = format!("has 1 to {LONGEST_ID} characters, not all blank and none invisible");
        wrong(pointer, detail)
    })
}

fn wrong(pointer: &str, detail: impl Into<String>) -> Rejection {
    Rejection::at(Code::ContractViolation, pointer, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_fit_into_a_path() {
        for (id, fits) in [
            ("shopper-42", true),
            ("ü/ &?", true),
            ("", false),
            ("a\0b", false),
            ("a\nb", false),
        ] {
            assert_eq!(check_id(id).is_none(), fits, "{id:?}");
        }
        assert!(check_id(&"ü".repeat(255)).is_none());
        assert!(check_id(&"a".repeat(256)).is_some());
    }

    #[test]
    fn e_mail_addresses() {
        for (email, fits) in [
            ("customer@merchant.example", true),
            ("a+b@c", true),
            ("nowhere", false),
            ("@c", false),
            ("a@", false),
            ("a@b@c", false),
            ("a b@c", false),
            ("Sample <a@c>", false),
        ] {
            assert_eq!(check_email(email).is_none(), fits, "{email}");
        }
    }

    #[test]
    fn names_are_visible() {
        for (name, fits) in [
            ("main card", true),
            ("", false),
            (" ", false),
            ("a\0", false),
        ] {
            assert_eq!(check_name(name, "/alias").is_none(), fits, "{name:?}");
        }
        assert!(check_name(&"a".repeat(256), "/alias").is_some());
    }

    #[test]
    fn telephone_numbers() {
        for (number, fits) in [
            ("+15555550104", true),
            ("+1555555", true),
            ("somewhere", false),
            ("15555550104", false),
            ("+0555555555", false),
            ("+155555", false),
            ("+1234567890123456", false),
            ("+1 555 555", false),
        ] {
            assert_eq!(
                check_telephone(number, "/proxyValue").is_none(),
                fits,
                "{number}"
            );
        }
    }
}
