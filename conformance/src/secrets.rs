//! Secrets: hides the credentials of the run, and values that the contract marks as secret.

use std::collections::{BTreeSet, HashMap};

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};

use crate::style::encode;
use crate::value::{self, CUT};

mod pattern;

use pattern::{CLUE, Clue, Pattern};

/// The shortest value that is hidden within texts. Shorter ones would match by chance.
const SHORTEST: usize = 6;

/// The placeholder for a neighbour's credentials.
pub const NEIGHBOUR: &str = "$CONFORMANCE_NEIGHBOUR";

/// The placeholder for the credentials of a client that may only read.
pub const READER: &str = "$CONFORMANCE_READER";

/// The placeholder for credentials.
pub const CREDENTIALS: &str = "$CONFORMANCE_AUTH";

/// The secrets of a run and their placeholders.
#[derive(Debug, Clone, Default)]
pub struct Secrets {
    headers: Vec<(String, String)>,
    known: BTreeSet<String>,
    patterns: Vec<Pattern>,
    /// The secrets by clue. A run learns thousands of secrets, and most texts contain none of them.
    index: HashMap<Clue, Vec<usize>>,
    /// A Bloom filter over the clues, which rules out most positions of a text.
    filter: Vec<u64>,
    /// The secrets without a clue.
    always: Vec<usize>,
}

impl Secrets {
    /// Hides the headers that the user set. Those with credentials share a placeholder.
    pub fn new(headers: &[(String, String)], credentials: &[String]) -> Self {
        let mut secrets = Self::default();
        for (name, value) in headers {
            let is_credential = credentials
                .iter()
                .any(|credential| credential.eq_ignore_ascii_case(name));
            let placeholder = if is_credential {
                CREDENTIALS.to_owned()
            } else {
                let name = name.to_ascii_uppercase().replace('-', "_");
                format!("$CONFORMANCE_{name}")
            };
            secrets
                .headers
                .push((name.to_ascii_lowercase(), placeholder.clone()));
            secrets.add_credential(value, &placeholder);
        }
        secrets
    }

    /// Adds the value of a header, and the part after its scheme.
    pub fn add_credential(&mut self, value: &str, placeholder: &str) {
        self.add(value, placeholder);
        if let Some((scheme, token)) = value.split_once(' ') {
            self.add(token, placeholder);
            self.add_basic(scheme, token, placeholder);
        }
    }

    /// Adds the decoded pair of HTTP Basic, and the password alone.
    fn add_basic(&mut self, scheme: &str, token: &str, placeholder: &str) {
        let is_basic = scheme.eq_ignore_ascii_case("basic");
        let Some(decoded) = is_basic.then(|| STANDARD.decode(token).ok()).flatten() else {
            return;
        };
        let pair = String::from_utf8_lossy(&decoded);
        self.add(&pair, placeholder);
        if let Some((_, password)) = pair.split_once(':') {
            self.add(password, placeholder);
        }
    }

    /// Adds a secret text in every form in which it may return.
    pub fn add(&mut self, text: &str, placeholder: &str) {
        if text.len() < SHORTEST || !self.known.insert(text.to_owned()) {
            return;
        }
        let pattern = Pattern::new(text, placeholder);
        let number = self.patterns.len();
        match pattern.clues() {
            Some(clues) => {
                self.filter.resize(FILTER / 64, 0);
                for clue in clues {
                    let bit = bit(clue);
                    self.filter[bit / 64] |= 1 << (bit % 64);
                    self.index.entry(clue).or_default().push(number);
                }
            }
            None => self.always.push(number),
        }
        self.patterns.push(pattern);
    }

    /// The placeholder for a header's value. `None` when the value may be shown.
    pub fn header(&self, name: &str) -> Option<&str> {
        let same = |(header, _): &&(String, String)| header.eq_ignore_ascii_case(name);
        self.headers
            .iter()
            .find(same)
            .map(|(_, placeholder)| placeholder.as_str())
    }

    /// A text without secrets.
    pub fn redact(&self, text: &str) -> String {
        let mut numbers = self.always.clone();
        for window in text.as_bytes().windows(CLUE) {
            let clue = pattern::clue(window);
            let bit = bit(clue);
            let word = self.filter.get(bit / 64).copied().unwrap_or_default();
            if word >> (bit % 64) & 1 == 1 {
                numbers.extend(self.index.get(&clue).into_iter().flatten());
            }
        }
        // The longest first, so that no part of a secret remains.
        numbers.sort_unstable_by_key(|number| (self.patterns[*number].rank(), *number));
        numbers.dedup();
        let patterns = numbers.iter().map(|number| &self.patterns[*number]);
        let redact = |text: String, pattern: &Pattern| pattern.redact(text);
        self.without_cut_secrets(patterns.fold(text.to_owned(), redact))
    }

    /// Hides the beginning of a secret at the end of an excerpt.
    fn without_cut_secrets(&self, text: String) -> String {
        let Some(end) = text.find(CUT) else {
            return text;
        };
        let cut = |secret: &str| {
            let start = secret.char_indices().nth(SHORTEST - 1)?.0;
            text[..end].find(&secret[..start])?;
            let starts = secret.char_indices().rev().map(|(at, _)| &secret[..at]);
            let longest = { starts }.find(|start| text[..end].ends_with(start))?;
            (longest.len() >= SHORTEST).then_some(longest.len())
        };
        let longest = |pattern: &Pattern| {
            let lengths = forms(pattern.secret()).into_iter();
            let longest = lengths.filter_map(|form| cut(&form)).max()?;
            Some((longest, pattern.placeholder().to_owned()))
        };
        match self.patterns.iter().filter_map(longest).max() {
            Some((length, placeholder)) => {
                format!("{}{placeholder}{}", &text[..end - length], &text[end..])
            }
            None => text,
        }
    }
}

/// A text in which a sent secret is hidden wherever it is a whole word, however short it is.
pub(crate) fn without_word(text: &str, word: &str, hidden: &str) -> String {
    if word.is_empty() {
        return text.to_owned();
    }
    let is_part = |char: Option<char>| char.is_some_and(char::is_alphanumeric);
    let mut without = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let (before, after) = (&rest[..at], &rest[at + word.len()..]);
        let last = before.chars().next_back().or(without.chars().next_back());
        let is_alone = !is_part(last) && !is_part(after.chars().next());
        without.push_str(before);
        without.push_str(if is_alone { hidden } else { word });
        rest = after;
    }
    without.push_str(rest);
    without
}

/// The size of the filter in bits.
const FILTER: usize = 1 << 16;

/// The bit of a clue.
fn bit(clue: Clue) -> usize {
    let mix = |hash: usize, byte: &u8| (hash ^ usize::from(*byte)).wrapping_mul(0x0100_0193);
    let hash = clue.iter().fold(0x811c_9dc5, mix);
    (hash ^ (hash >> 16)) % FILTER
}

/// A text in its possible forms: plain, within JSON, within quoted JSON, in an address, in Base64
/// and in hexadecimal.
fn forms(text: &str) -> Vec<String> {
    let quoted = |text: &str| {
        let json = value::string(text).to_json();
        json[1..json.len() - 1].to_owned()
    };
    let once = quoted(text);
    let mut forms = vec![
        text.to_owned(),
        quoted(&once),
        once,
        encode(text),
        encode(text).replace("%20", "+"),
        text.replace(' ', "%20"),
        value::hex(text.as_bytes()),
        value::hex(text.as_bytes()).to_uppercase(),
    ];
    for engine in [STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD] {
        forms.push(engine.encode(text));
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_credential_is_left() {
        let headers = [
            (
                "Authorization".to_owned(),
                "Basic dXNlcjpzZWNyZXQ=".to_owned(),
            ),
            ("X-Shop".to_owned(), "shop-4711".to_owned()),
        ];
        let mut secrets = Secrets::new(&headers, &["authorization".to_owned()]);
        secrets.add("123", "$NEVER");
        assert_eq!(secrets.header("authorization"), Some("$CONFORMANCE_AUTH"));
        assert_eq!(secrets.header("x-shop"), Some("$CONFORMANCE_X_SHOP"));
        assert_eq!(secrets.header("accept"), None);
        assert_eq!(
            secrets.redact("ok shop-47… (300 bytes)"),
            "ok $CONFORMANCE_X_SHOP… (300 bytes)"
        );
        let text = "got Basic dXNlcjpzZWNyZXQ= or dXNlcjpzZWNyZXQ= of shop-4711, 123";
        let redacted = secrets.redact(text);
        let expected = "got $CONFORMANCE_AUTH or $CONFORMANCE_AUTH of $CONFORMANCE_X_SHOP, 123";
        assert_eq!(redacted, expected);
        assert_eq!(
            secrets.redact("user:secret, secret"),
            "$CONFORMANCE_AUTH, $CONFORMANCE_AUTH"
        );
    }

    #[test]
    fn a_short_secret_is_hidden_as_a_whole_word() {
        for (text, expected) in [
            ("cvc 123 of 51234, 123", "cvc * of 51234, *"),
            ("123", "*"),
            ("1231 123123", "1231 123123"),
        ] {
            assert_eq!(without_word(text, "123", "*"), expected);
        }
        assert_eq!(without_word("a", "", "*"), "a");
    }

    #[test]
    fn none_of_many_is_missed() {
        let mut secrets = Secrets::default();
        let all: Vec<String> = (0..2000)
            .map(|n| format!("token-{n:06}-{}", n * 7))
            .collect();
        for secret in &all {
            secrets.add(secret, "$T");
        }
        secrets.add("a-b-c-d-e", "$NO_CLUE");
        for secret in [&all[0], &all[1999]] {
            let text = format!("<{secret} {}>", STANDARD.encode(secret));
            assert_eq!(secrets.redact(&text), "<$T $T>");
        }
        assert_eq!(secrets.redact("<a%2Db-c-d-e>"), "<$NO_CLUE>");
    }

    #[test]
    fn a_secret_within_a_secret_is_hidden_with_it() {
        let mut secrets = Secrets::default();
        secrets.add("open-sesame", "$SHORT");
        secrets.add("open-sesame-and-close", "$LONG");
        assert_eq!(secrets.redact("<open-sesame-and-close>"), "<$LONG>");
    }
}
