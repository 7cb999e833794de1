//! Rewrites whole numbers that have a fraction or an exponent, such as `1.0` or `1e3`, as integers.

use super::canonical;

/// The JSON text with each such number written as an integer; `None` when it has no such number.
pub(super) fn plain(json: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    let mut changed = false;
    let mut rest = json;
    while let Some(&first) = rest.first() {
        let length = match first {
            b'"' => text_length(rest),
            b'-' | b'0'..=b'9' => number_length(rest),
            _ => 1,
        };
        let (token, after) = rest.split_at(length);
        match integer(token).filter(|_| first != b'"') {
            Some(integer) => {
                changed = true;
                plain.extend(integer.as_bytes());
            }
            None => plain.extend(token),
        }
        rest = after;
    }
    changed.then_some(plain)
}

/// The length of the text in quotes at the beginning of valid JSON.
pub(super) fn text_length(json: &[u8]) -> usize {
    let mut escaped = false;
    let ends = |byte: &u8| {
        let ends = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        ends
    };
    let end = json[1..].iter().position(ends);
    end.map_or(json.len(), |end| end + 2)
}

fn number_length(json: &[u8]) -> usize {
    let is_of_number = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
    let others = json.iter().position(|byte| !is_of_number(byte));
    others.unwrap_or(json.len())
}

fn integer(token: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(token).ok()?;
    let written_plain = !text.contains(['.', 'e', 'E']);
    let exact = canonical::decimal(text).filter(|_| !written_plain)?;
    let whole = exact.normalize();
    whole.fract().is_zero().then(|| whole.trunc().to_string())
}
