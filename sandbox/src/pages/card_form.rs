//! Reads the fields of a card form and describes its mistakes.

use super::fields::Fields;
use crate::domain::Rejection;
use crate::domain::card::Entered;
use crate::domain::pan::Pan;

/// A mistake in a field. It never contains the entered text.
pub(super) struct Mistake {
    /// The JSON pointer of the field.
    pub(super) at: String,
    /// The description for the customer.
    pub(super) text: String,
}

/// Reads the card from the fields, ignoring spaces, hyphens and slashes.
pub(super) fn entered(fields: &Fields) -> Entered {
    let digits = |name| -> String {
        let typed = fields.raw(name).chars();
        typed
            .filter(|letter| !matches!(letter, ' ' | '-' | '/'))
            .collect()
    };
    let code = digits("code");
    // A code of another length is invalid, and -1 is never a valid code.
    let code = if (3..=4).contains(&code.len()) {
        code
    } else {
        "-1".to_owned()
    };
    Entered {
        number: Pan::parse(&digits("number")),
        number_at: "/number",
        expiry: Some((digits("expiry"), "/expiry")),
        cvv: Some((code.parse().unwrap_or(-1), "/code")),
    }
}

/// Describes all mistakes for the customer.
pub(super) fn mistakes_of(mut rejection: Rejection) -> Vec<Mistake> {
    let also = std::mem::take(&mut rejection.also);
    let wrong = |one: Rejection| {
        let at = one.pointer.unwrap_or_default();
        let text = match at.as_str() {
            "/number" => format!("Card number: {}.", one.detail),
            "/expiry" => format!("Valid until: {}.", one.detail),
            "/code" => format!("Security code: {}.", one.detail),
            _ => format!("{}.", one.detail),
        };
        Mistake { at, text }
    };
    std::iter::once(rejection).chain(also).map(wrong).collect()
}
