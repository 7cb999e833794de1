//! Matches one secret in all its spellings with a regular expression.

use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use regex::{NoExpand, Regex, RegexBuilder};

use crate::value;

/// The limit for compiled expressions, in bytes. Long secrets with several spellings need much.
const SIZE: usize = 32 << 20;

/// The shortest Base64 text to search. Shorter ones would match by chance.
const SHORTEST_CORE: usize = 8;

/// The length of a clue in bytes.
pub(super) const CLUE: usize = 5;

/// Some bytes, with letters in lower case.
pub(super) type Clue = [u8; CLUE];

/// The clue of the first bytes.
pub(super) fn clue(bytes: &[u8]) -> Clue {
    let mut clue = [0; CLUE];
    for (to, from) in clue.iter_mut().zip(bytes) {
        *to = from.to_ascii_lowercase();
    }
    clue
}

/// A secret text with its placeholder. The expression is compiled on first use.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    secret: String,
    placeholder: String,
    compiled: Arc<OnceLock<Option<Regex>>>,
}

impl Pattern {
    pub(super) fn new(secret: &str, placeholder: &str) -> Self {
        Self {
            secret: secret.to_owned(),
            placeholder: placeholder.to_owned(),
            compiled: Arc::default(),
        }
    }

    pub(super) fn secret(&self) -> &str {
        &self.secret
    }

    pub(super) fn placeholder(&self) -> &str {
        &self.placeholder
    }

    /// A few bytes of each spelling that are certainly in it. `None` when there are none.
    pub(super) fn clues(&self) -> Option<Vec<Clue>> {
        let runs = self
            .secret
            .split(|char: char| !char.is_ascii_alphanumeric());
        let longest = runs.max_by_key(|run| run.len())?;
        let mut clues = vec![
            longest
                .as_bytes()
                .last_chunk::<CLUE>()
                .map(|end| clue(end))?,
        ];
        let hex = value::hex(self.secret.as_bytes());
        let coded = cores(&self.secret).into_iter().map(|(_, core)| core);
        for text in coded.chain([hex]) {
            clues.extend(text.as_bytes().last_chunk::<CLUE>().map(|end| clue(end)));
        }
        clues.sort_unstable();
        clues.dedup();
        Some(clues)
    }

    /// A sort key that puts the longest secrets first.
    pub(super) fn rank(&self) -> std::cmp::Reverse<usize> {
        std::cmp::Reverse(self.secret.len())
    }

    /// The text without this secret.
    pub(super) fn redact(&self, text: String) -> String {
        let compile = || {
            let mut builder = RegexBuilder::new(&source(&self.secret));
            builder.size_limit(SIZE).dfa_size_limit(SIZE).build().ok()
        };
        match self.compiled.get_or_init(compile) {
            Some(regex) if regex.is_match(&text) => regex
                .replace_all(&text, NoExpand(&self.placeholder))
                .into_owned(),
            Some(_) => text,
            None => text.replace(&self.secret, &self.placeholder),
        }
    }
}

/// The expression: characters in any mixture of escapes, or the bytes in hexadecimal or Base64 at
/// any offset.
fn source(secret: &str) -> String {
    let mut alternatives: Vec<String> = vec![secret.chars().map(spellings).collect()];
    alternatives.push(format!("(?i:{})", value::hex(secret.as_bytes())));
    for (offset, core) in cores(secret) {
        let end = if offset == 0 {
            "[A-Za-z0-9_/+-]?=*"
        } else {
            ""
        };
        alternatives.push(regex::escape(&core) + end);
    }
    alternatives.join("|")
}

/// The parts of Base64 that identify a secret, each with its offset.
fn cores(secret: &str) -> Vec<(usize, String)> {
    let mut cores = Vec::new();
    for offset in 0..3 {
        for engine in [STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
            let core = (offset, core(&engine, secret, offset));
            if core.1.len() >= SHORTEST_CORE && !cores.contains(&core) {
                cores.push(core);
            }
        }
    }
    cores
}

/// The Base64 of a text at an offset within a group of three bytes, without the characters that
/// depend on the surrounding bytes.
fn core(engine: &impl Engine, text: &str, offset: usize) -> String {
    let mut bytes = vec![0; offset];
    bytes.extend_from_slice(text.as_bytes());
    let encoded = engine.encode(&bytes);
    let certain = bytes.len() * 8 / 6;
    let first = (offset * 8).div_ceil(6);
    encoded.get(first..certain).unwrap_or_default().to_owned()
}

/// A character as plain text, and as escaped in addresses, JSON, HTML and XML. No format escapes
/// ASCII letters and digits.
fn spellings(char: char) -> String {
    let plain = regex::escape(&char.to_string());
    if char.is_ascii_alphanumeric() {
        return plain;
    }
    let (mut percent, mut unicode) = (String::new(), String::new());
    for byte in char.encode_utf8(&mut [0; 4]).bytes() {
        // Writing to a string does not fail.
        let _ = write!(percent, "%(?:25)*(?i:{byte:02x})");
    }
    for unit in char.encode_utf16(&mut [0; 2]).iter() {
        let _ = write!(unicode, r"\\+u(?i:{unit:04x})");
    }
    let number = u32::from(char);
    let mut alternatives = vec![
        plain.clone(),
        percent,
        unicode,
        format!("&#0*{number};"),
        format!("&#[xX]0*(?i:{number:x});"),
    ];
    let short = match char {
        ' ' => Some(r"\+"),
        '"' => Some("&quot;"),
        '\'' => Some("&apos;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '&' => Some("&amp;"),
        '\n' => Some(r"\\+n"),
        '\r' => Some(r"\\+r"),
        '\t' => Some(r"\\+t"),
        _ => None,
    };
    alternatives.extend(short.map(str::to_owned));
    if char.is_ascii_punctuation() {
        alternatives.push(format!(r"\\+{plain}"));
    }
    format!("(?:{})", alternatives.join("|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_found() {
        let pattern = Pattern::new("k\"e y/+sEcretü😀", "$KEY");
        for form in [
            "k\"e y/+sEcretü😀",
            r#"k\"e y/+sEcretü😀"#,
            r#"k\\\"e y\/+sEcret\u00fc\ud83d\ude00"#,
            r"k\u0022e\u0020y\u002F\u002bsEcret\u00FC\uD83D\uDE00",
            "k%22e%20y%2F%2BsEcret%C3%BC%F0%9F%98%80",
            "k%22e+y%2f%2bsEcret%c3%bc%f0%9f%98%80",
            "k%2522e%2520y%252F%252BsEcret%25C3%25BC%25F0%259F%2598%2580",
            "k&quot;e y/+sEcret&#252;&#x1F600;",
            "6b226520792f2b734563726574c3bcf09f9880",
            "6B226520792F2B734563726574C3BCF09F9880",
            "ayJlIHkvK3NFY3JldMO88J+YgA==",
            "ayJlIHkvK3NFY3JldMO88J-YgA",
        ] {
            assert_eq!(pattern.redact(format!("<{form}>")), "<$KEY>", "{form}");
        }
    }

    #[test]
    fn base64_of_something_around_it_is_found_at_every_offset() {
        let secret = "s3cr3t-value";
        for before in ["", "a", "ab", "abc", "{\"k\":\""] {
            for after in ["", "z", "yz"] {
                let encoded = STANDARD_NO_PAD.encode(format!("{before}{secret}{after}"));
                let redacted = Pattern::new(secret, "$").redact(encoded.clone());
                assert!(redacted.contains('$'), "{before} {after}: {encoded}");
                assert!(redacted.len() < before.len() * 2 + 8, "{redacted}");
            }
        }
        assert_eq!(
            Pattern::new(secret, "$").redact("s3cr3t".to_owned()),
            "s3cr3t"
        );
    }

    #[test]
    fn long_secrets_are_found_too() {
        let token = "eyJhbGciOi.".repeat(400) + "/+ \"";
        let pattern = Pattern::new(&token, "$");
        assert_eq!(pattern.redact(format!("a {token} b")), "a $ b");
        assert!(pattern.compiled.get().unwrap().is_some());
    }
}
