//! Base64 of RFC 4648, with padding; too little of it is needed for a dependency.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as text.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let letter = ALPHABET[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place > chunk.len() {
                '='
            } else {
                char::from(letter)
            });
        }
    }
    text
}

/// The bytes of a text; nothing where [`encode`] would not have written it like that.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for chunk in text.as_bytes().chunks(4) {
        let padding = chunk.iter().rev().take_while(|&&byte| byte == b'=').count();
        if chunk.len() < 4 || padding > 2 {
            return None;
        }
        let mut bits = 0;
        for &byte in &chunk[..4 - padding] {
            bits = bits << 6 | value(byte)?;
        }
        bits <<= 6 * padding;
        let [_, three @ ..] = bits.to_be_bytes();
        bytes.extend_from_slice(&three[..3 - padding]);
    }
    (encode(&bytes) == text).then_some(bytes)
}

fn value(byte: u8) -> Option<u32> {
    let index = ALPHABET.iter().position(|&letter| letter == byte)?;
    u32::try_from(index).ok()
}
