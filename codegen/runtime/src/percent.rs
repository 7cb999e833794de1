//! Percent-encoding.

/// Encodes all but the unreserved characters of RFC 3986.
pub fn encode(text: &str) -> String {
    encode_except(text, b"")
}

/// Encodes all but the unreserved characters and those that a query may hold undisturbed; for
/// parameters with `allowReserved`.
pub fn encode_reserved(text: &str) -> String {
    encode_except(text, b":/?@!$'()*,;=")
}

/// Encodes a name or a value of a form: as [`encode`], but a space becomes a plus.
pub fn encode_form(text: &str) -> String {
    encode_except(text, b" ").replace(' ', "+")
}

/// For each byte whether it is an unreserved character of RFC 3986.
const UNRESERVED: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        let extra = matches!(byte, b'-' | b'.' | b'_' | b'~');
        table[byte as usize] = byte.is_ascii_alphanumeric() || extra;
        byte += 1;
    }
    table
};

fn encode_except(text: &str, kept: &[u8]) -> String {
    let mut encoded = String::with_capacity(text.len());
    push_except(&mut encoded, text, kept);
    encoded
}

/// Encodes as [`encode`], after what is there already.
pub(super) fn push(encoded: &mut String, text: &str) {
    push_except(encoded, text, b"");
}

fn push_except(encoded: &mut String, text: &str, kept: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let stays = |byte: &u8| UNRESERVED[usize::from(*byte)] || kept.contains(byte);
    let mut rest = text;
    while let Some(place) = rest.bytes().position(|byte| !stays(&byte)) {
        // What stays is ASCII; what does not goes byte by byte up to the next that stays.
        let (whole, others) = rest.split_at(place);
        encoded.push_str(whole);
        let end = others.bytes().position(|byte| stays(&byte));
        let (others, tail) = others.split_at(end.unwrap_or(others.len()));
        for byte in others.bytes() {
            encoded.push('%');
            encoded.push(char::from(DIGITS[usize::from(byte >> 4)]));
            encoded.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
        rest = tail;
    }
    encoded.push_str(rest);
}

/// Decodes percent-encoded text; nothing when an escape is broken or the result is not UTF-8.
pub fn decode(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut decoded = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let (high, low) = (digit(bytes.next()?)?, digit(bytes.next()?)?);
            decoded.push(high << 4 | low);
        } else {
            decoded.push(byte);
        }
    }
    String::from_utf8(decoded).ok()
}

/// Decodes a name or a value of a query or a form, where a plus is a space.
pub fn decode_form(text: &str) -> Option<String> {
    if text.contains('+') {
        return decode(&text.replace('+', " "));
    }
    decode(text)
}

/// Whether the name or value of a query or a form is this one, once decoded.
pub fn is_form(encoded: &str, text: &str) -> bool {
    if encoded.contains(['%', '+']) {
        return decode_form(encoded).is_some_and(|decoded| decoded == text);
    }
    encoded == text
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte)
        .to_digit(16)
        .and_then(|digit| u8::try_from(digit).ok())
}
