//! Replaces secrets in JSON, headers and addresses; all other characters stay unchanged.

use std::borrow::Cow;

use merchant_payments::runtime::percent;
use serde::de::IgnoredAny;

use super::card_number::{FEWEST_DIGITS, mask, may_hide_one};
use crate::contract::Contract;

/// The text that replaces a secret.
pub(super) const PLACEHOLDER: &str = "[redacted]";
/// Headers with credentials.
const CREDENTIALS: &[&str] = &[
    "api-key",
    "authorization",
    "cookie",
    "proxy-authorization",
    "set-cookie",
    "x-access-token",
    "x-api-key",
    "x-auth-token",
    "x-authorization",
];

/// Replaces the values of sensitive members; `None` when the text is not JSON, because its secrets
/// cannot be located.
pub(super) fn json(text: &str, contract: &Contract) -> Option<String> {
    serde_json::from_str::<IgnoredAny>(text).ok()?;
    let mut redacted = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_secret = false;
    while let Some(first) = rest.bytes().next() {
        let (token, tail) = rest.split_at(if is_secret && starts_value(first) {
            value_length(rest)
        } else {
            token_length(rest)
        });
        let is_key = first == b'"' && tail.trim_start().starts_with(':');
        if is_key {
            is_secret = contract.is_sensitive(&unquoted(token));
            redacted.push_str(&masked(token, first));
        } else if is_secret && starts_value(first) {
            is_secret = false;
            redacted.push('"');
            redacted.push_str(PLACEHOLDER);
            redacted.push('"');
        } else {
            redacted.push_str(&masked(token, first));
        }
        rest = tail;
    }
    Some(redacted)
}

/// Redacts a header's value.
pub(super) fn header(name: &str, text: &str, contract: &Contract) -> String {
    value(name, text, contract)
}

/// Redacts a parameter's value.
pub(super) fn value(name: &str, value: &str, contract: &Contract) -> String {
    let lets_in = { CREDENTIALS.iter() }.any(|known| known.eq_ignore_ascii_case(name));
    if lets_in || contract.is_sensitive(name) {
        return PLACEHOLDER.to_owned();
    }
    mask(value)
}

/// Redacts a path and a query.
pub(super) fn target(path: &str, query: Option<&str>, contract: &Contract) -> String {
    let mut target = self::path(path, contract);
    let pairs = query.into_iter().flat_map(|query| query.split('&'));
    for (index, pair) in pairs.enumerate() {
        target.push(if index == 0 { '?' } else { '&' });
        match pair.split_once('=') {
            Some((name, text)) => {
                let plain = percent::decode_form(name).unwrap_or_else(|| name.to_owned());
                target.push_str(&encoded(name, percent::decode_form, mask));
                target.push('=');
                let shown = |text: &str| value(&plain, text, contract);
                target.push_str(&encoded(text, percent::decode_form, shown));
            }
            None => target.push_str(&encoded(pair, percent::decode_form, mask)),
        }
    }
    target
}

/// Redacts a path.
pub(super) fn path(path: &str, contract: &Contract) -> String {
    encoded(&contract.shown(path), percent::decode, mask)
}

/// An encoded text, unchanged unless its decoded form contains a secret.
fn encoded(
    text: &str,
    decode: impl Fn(&str) -> Option<String>,
    shown: impl Fn(&str) -> String,
) -> String {
    let plain = decode(text).unwrap_or_else(|| text.to_owned());
    let redacted = shown(&plain);
    if redacted == plain {
        text.to_owned()
    } else {
        redacted
    }
}

/// Masks card numbers in a string or number token.
pub(super) fn masked(token: &str, first: u8) -> Cow<'_, str> {
    // Escaped digits make a token longer, never shorter.
    let is_short = token.len() < FEWEST_DIGITS;
    if is_short || (!token.contains('\\') && !may_hide_one(token)) {
        return Cow::Borrowed(token);
    }
    let is_number = first.is_ascii_digit() || first == b'-';
    let plain = match first {
        b'"' => unquoted(token),
        _ if is_number => Cow::Borrowed(token),
        _ => return Cow::Borrowed(token),
    };
    let masked = mask(&plain);
    if masked == plain {
        return Cow::Borrowed(token);
    }
    // A number that became text needs quotes.
    Cow::Owned(serde_json::Value::String(masked).to_string())
}

fn starts_value(first: u8) -> bool {
    !matches!(first, b':' | b',' | b'}' | b']') && !first.is_ascii_whitespace()
}

/// The length of the first token of valid JSON.
pub(super) fn token_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    match bytes[0] {
        b'"' => string_length(bytes),
        b'{' | b'}' | b'[' | b']' | b':' | b',' => 1,
        first if first.is_ascii_whitespace() => 1,
        _ => {
            let ends =
                |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b'}' | b']' | b':');
            bytes.iter().position(ends).unwrap_or(bytes.len())
        }
    }
}

fn string_length(bytes: &[u8]) -> usize {
    let mut at = 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// The length of the first value of valid JSON.
fn value_length(text: &str) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    loop {
        match text.as_bytes()[at] {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += token_length(&text[at..]);
        if depth == 0 || at >= text.len() {
            return at;
        }
    }
}

/// The text of a string token; other tokens are returned unchanged.
pub(super) fn unquoted(token: &str) -> Cow<'_, str> {
    let inside = token
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    if let Some(plain) = inside.filter(|inside| !inside.contains('\\')) {
        return Cow::Borrowed(plain);
    }
    serde_json::from_str(token).map_or(Cow::Borrowed(token), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn redact(text: &str) -> Option<String> {
        json(text, Contract::bundled())
    }

    #[test]
    fn secrets_are_replaced_and_nothing_else() {
        let table = [
            (
                r#"{"cvv": 12 , "amount":"10.00"}"#,
                r#"{"cvv": "[redacted]" , "amount":"10.00"}"#,
            ),
            (
                r#"{"card":{"number":"1","cvv":null},"n":1.10}"#,
                r#"{"card":{"number":"[redacted]","cvv":"[redacted]"},"n":1.10}"#,
            ),
            (r#"{"c\u0076v":"9\"9"}"#, r#"{"c\u0076v":"[redacted]"}"#),
            (
                r#"{"token" : {"a":["}",{"b":1}]} ,"x":[]}"#,
                r#"{"token" : "[redacted]" ,"x":[]}"#,
            ),
            (r#"{"password":[1,2]}"#, r#"{"password":"[redacted]"}"#),
            (
                r#"{"comment":"card 4242 4242 4242 4242"}"#,
                r#"{"comment":"card [card number]"}"#,
            ),
            (
                r#"{"4242424242424242":"\u0034242424242424242"}"#,
                r#"{"[card number]":"[card number]"}"#,
            ),
            (
                r#"{"a":"\u0034\u0032\u0034\u0032\u0034\u0032\u0034\u0032\u0034\u0032\u0034\u0032\u0034\u0032\u0034\u0032"}"#,
                r#"{"a":"[card number]"}"#,
            ),
            ("[4242424242424242,7]", r#"["[card number]",7]"#),
            (r#""cvv""#, r#""cvv""#),
            (" 12 ", " 12 "),
        ];
        for (text, expected) in table {
            assert_eq!(redact(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_formats_are_not_kept() {
        for text in ["", "cvv=123", "{\"cvv\": 123", "{}{}"] {
            assert_eq!(redact(text), None, "{text}");
        }
    }

    #[test]
    fn addresses_and_headers_are_redacted() {
        let contract = Contract::bundled();
        let redacted = target(
            "/a/4242424242424242",
            Some("cvv=1&page=2&4242424242424242"),
            contract,
        );
        assert_eq!(
            redacted,
            "/a/[card number]?cvv=[redacted]&page=2&[card number]"
        );
        let hidden = target(
            "/a/4242%204242%204242%204242",
            Some(
                "c%76v=1&q=4242+4242+4242+4242&4242424242424242=%34242424242424242&a=%20+&%zz=%zz",
            ),
            contract,
        );
        assert_eq!(
            hidden,
            "/a/[card number]?c%76v=[redacted]&q=[card number]&[card number]=[card number]&a=%20+&%zz=%zz"
        );
        assert_eq!(target("/a", None, contract), "/a");
        assert_eq!(
            target("/a", Some("X-Api-Key=k"), contract),
            "/a?X-Api-Key=[redacted]"
        );
        assert_eq!(header("x-access-token", "t", contract), PLACEHOLDER);
        assert_eq!(header("authorization", "key", contract), PLACEHOLDER);
        assert_eq!(header("request-id", "r-1", contract), "r-1");
    }

    proptest! {
        #[test]
        fn a_secret_is_removed_and_the_rest_stays_json(
            secret in "[a-z]{8}", other in "[a-z\\\\\"{}\\[\\],: ]{0,8}", depth in 0_usize..4,
        ) {
            let mut value = serde_json::json!({"cvv": secret, "other": other});
            for _ in 0..depth {
                value = serde_json::json!({"cardNumber": [value], "outer": [value, other]});
            }
            let redacted = redact(&value.to_string()).unwrap();
            prop_assert!(!redacted.contains(&secret));
            prop_assert!(serde_json::from_str::<serde_json::Value>(&redacted).is_ok());
        }
    }
}
