//! A request or an answer without secrets, for the log of exchanges.

use http::{HeaderMap, header};

use super::redaction;
use crate::contract::Contract;

/// The most bytes of a body that are kept.
const LONGEST: usize = 16 << 10;

/// A request or an answer without its secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Names and values, in their original order.
    pub headers: Vec<(String, String)>,
    /// The text of a JSON body.
    pub body: Option<String>,
    /// A note when the body is not kept or truncated.
    pub note: Option<String>,
}

impl Message {
    /// The redacted headers and body.
    pub fn of(headers: &HeaderMap, body: &[u8], contract: &Contract) -> Self {
        let shown = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
            let text = String::from_utf8_lossy(value.as_bytes());
            let value = redaction::header(name.as_str(), &text, contract);
            (name.as_str().to_owned(), value)
        };
        let mut message = Self {
            headers: headers.iter().map(shown).collect(),
            ..Self::default()
        };
        if body.is_empty() {
            return message;
        }
        let text = std::str::from_utf8(body).ok();
        match text.and_then(|text| redaction::json(text, contract)) {
            Some(text) => message.keep(text),
            None => message.note = Some(not_kept(headers, body.len())),
        }
        message
    }

    /// The redacted path.
    pub fn path(path: &str, contract: &Contract) -> String {
        redaction::path(path, contract)
    }

    /// The redacted path and query.
    pub fn target(path: &str, query: Option<&str>, contract: &Contract) -> String {
        redaction::target(path, query, contract)
    }

    /// The text with card numbers masked.
    pub fn text(text: &str) -> String {
        super::card_number::mask(text)
    }

    fn keep(&mut self, mut text: String) {
        let length = text.len();
        if length > LONGEST {
            text.truncate(text.floor_char_boundary(LONGEST));
            self.note = Some(format!("the first {LONGEST} of {length} bytes"));
        }
        self.body = Some(text);
    }
}

fn not_kept(headers: &HeaderMap, length: usize) -> String {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or("body");
    let kind = super::card_number::mask(kind);
    format!("{length} bytes of {kind} that are not JSON and are not kept")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(body: &[u8]) -> Message {
        let mut headers = HeaderMap::new();
        headers.insert("authorization", "key".parse().unwrap());
        headers.insert("content-type", "text/csv".parse().unwrap());
        Message::of(&headers, body, Contract::bundled())
    }

    #[test]
    fn only_json_is_kept() {
        let kept = message(br#"{"cvv":"1"}"#);
        assert_eq!(kept.body.as_deref(), Some(r#"{"cvv":"[redacted]"}"#));
        assert_eq!(kept.headers[0].1, "[redacted]");
        assert_eq!(message(b"").note, None);
        for body in [&b"cvv,1"[..], b"\xff"] {
            let dropped = message(body);
            assert_eq!(dropped.body, None);
            assert!(dropped.note.unwrap().contains("text/csv"));
        }
    }

    #[test]
    fn a_long_body_is_cut_between_characters() {
        let kept = message(format!("\"{}\"", "é".repeat(LONGEST)).as_bytes());
        assert!(kept.body.unwrap().len() <= LONGEST);
        assert!(kept.note.unwrap().starts_with("the first "));
    }
}
