//! Encodes and decodes percent-encoded text of paths, queries and forms.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// All but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The same without the characters that a query may contain unencoded.
const DELIMITERS: &AsciiSet = &RESERVED
    .remove(b':')
    .remove(b'/')
    .remove(b'?')
    .remove(b'@')
    .remove(b'!')
    .remove(b'$')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b',')
    .remove(b';')
    .remove(b'=');

/// Encodes all but the unreserved characters of RFC 3986.
pub fn encode(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// Encodes all but the unreserved characters and those that a query may contain unencoded; for
/// parameters with `allowReserved`.
pub fn encode_reserved(text: &str) -> String {
    utf8_percent_encode(text, DELIMITERS).to_string()
}

/// Encodes a name or a value of a form: like [`encode`], but a space becomes a plus.
pub fn encode_form(text: &str) -> String {
    encode(text).replace("%20", "+")
}

/// Encodes like [`encode`], and appends the result to `encoded`.
pub(super) fn push(encoded: &mut String, text: &str) {
    encoded.extend(utf8_percent_encode(text, RESERVED));
}

/// Decodes percent-encoded text; `None` when an escape is invalid or the result is not UTF-8.
pub fn decode(text: &str) -> Option<String> {
    // The library leaves an invalid escape unchanged.
    let mut escapes = text.split('%').skip(1);
    let is_whole = |escape: &str| {
        let digits = escape.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    let decoded = escapes.all(is_whole).then(|| percent_decode_str(text));
    Some(decoded?.decode_utf8().ok()?.into_owned())
}

/// Decodes a name or a value of a query or a form, where a plus is a space.
pub fn decode_form(text: &str) -> Option<String> {
    if text.contains('+') {
        return decode(&text.replace('+', " "));
    }
    decode(text)
}

/// Whether the name or value of a query or a form decodes to this text.
pub fn is_form(encoded: &str, text: &str) -> bool {
    if encoded.contains(['%', '+']) {
        return decode_form(encoded).is_some_and(|decoded| decoded == text);
    }
    encoded == text
}
