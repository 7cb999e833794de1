//! Removes card numbers from the free texts of request bodies, so that none is stored, answered or
//! sent.

use std::borrow::Cow;

use bytes::Bytes;
use serde::de::IgnoredAny;

use super::card_number::may_hide_one;
use super::redaction::{masked, token_length, unquoted};
use crate::contract::Contract;

/// The start of a digit's escape sequence.
const ESCAPED_DIGIT: &str = "\\u003";
/// Endings of member names whose values are not free text: long numbers in them are left unchanged.
const EXACT: &[&str] = &[
    "amount",
    "date",
    "destinationaddress",
    "fee",
    "id",
    "phone",
    "phonenumber",
    "proxyvalue",
    "timestamp",
    "url",
    "uuid",
];

/// Replaces possible card numbers in member names and free texts. Members that the contract marks
/// as secret keep their values for the operation.
pub(crate) fn without_card_numbers(body: Bytes, contract: &Contract) -> Bytes {
    let Ok(text) = std::str::from_utf8(&body) else {
        return body;
    };
    if !may_hide_one(text) && !text.contains(ESCAPED_DIGIT) {
        return body;
    }
    match rewritten(text, contract) {
        Some(text) => text.into(),
        None => body,
    }
}

/// `None` when the text is not JSON; no operation accepts it.
fn rewritten(text: &str, contract: &Contract) -> Option<String> {
    serde_json::from_str::<IgnoredAny>(text).ok()?;
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_free = true;
    while let Some(first) = rest.bytes().next() {
        let (token, tail) = rest.split_at(token_length(rest));
        let is_name = first == b'"' && tail.trim_start().starts_with(':');
        if is_name {
            is_free = is_free_text(&unquoted(token), contract);
        }
        let shown = if first == b'"' && (is_name || is_free) {
            masked(token, first)
        } else {
            Cow::Borrowed(token)
        };
        kept.push_str(&shown);
        rest = tail;
    }
    Some(kept)
}

fn is_free_text(name: &str, contract: &Contract) -> bool {
    let lower = name.to_ascii_lowercase();
    !contract.is_sensitive(name) && !EXACT.iter().any(|end| lower.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str) -> String {
        let body = Bytes::copy_from_slice(text.as_bytes());
        let kept = without_card_numbers(body, Contract::bundled());
        String::from_utf8(kept.to_vec()).unwrap()
    }

    #[test]
    fn card_numbers_are_removed_from_free_texts() {
        let table = [
            (
                r#"{"comment": "card 4242 4242 4242 4242"}"#,
                r#"{"comment": "card [card number]"}"#,
            ),
            (
                r#"{"items":[{"name":"4242424242424242","price":4242424242424242}]}"#,
                r#"{"items":[{"name":"[card number]","price":4242424242424242}]}"#,
            ),
            (
                r#"{"fraudFields":{"4242424242424242":"378282246310005"}}"#,
                r#"{"fraudFields":{"[card number]":"[card number]"}}"#,
            ),
            (
                r#"{"address": "4242424242424242 Main Street"}"#,
                r#"{"address": "[card number] Main Street"}"#,
            ),
            (
                r#"{"note":["a","\u0034242424242424242"]}"#,
                r#"{"note":["a","[card number]"]}"#,
            ),
        ];
        for (text, expected) in table {
            assert_eq!(kept(text), expected, "{text}");
        }
    }

    #[test]
    fn other_values_stay_unchanged() {
        let stays = [
            r#"{"card":{"number":"4242424242424242"},"cardNumber":4242424242424242}"#,
            r#"{"merchantTransactionId":"4242424242424242","amount":"4242424242424242"}"#,
            r#"{"customIpnUrl":"http://127.0.0.1/4242424242424242","phone":"+378282246310005"}"#,
            r#"{"paymentSpecificData":{"destinationAddress":"4242424242424242"}}"#,
            r#"{"comment":"4242424242424241"}"#,
            r#"{"comment":"4242424242424242""#,
            "4242424242424242,",
        ];
        for text in stays {
            assert_eq!(kept(text), text);
        }
    }
}
