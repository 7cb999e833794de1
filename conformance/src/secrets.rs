//! What must not be shown: credentials of the run, and values that the contract marks as secret.

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};

use crate::compose::style::encode;
use crate::value::{self, CUT};

mod pattern;

use pattern::Pattern;

/// Shorter values are left alone within texts: they would match by chance.
const SHORTEST: usize = 6;

/// What stands in the place of credentials.
pub const CREDENTIALS: &str = "$CONFORMANCE_AUTH";

/// The secrets of a run and what is shown in their place.
#[derive(Debug, Clone, Default)]
pub struct Secrets {
    headers: Vec<(String, String)>,
    known: BTreeSet<String>,
    /// The longest first, so that no part of a secret is left over.
    patterns: Vec<Pattern>,
    /// The forms of which an excerpt may show the beginning.
    texts: Vec<(String, String)>,
}

impl Secrets {
    /// The headers that the user gave are secret; those that carry credentials share a placeholder.
    pub fn new(headers: &[(String, String)], credentials: &[String]) -> Self {
        let mut secrets = Self::default();
        for (name, value) in headers {
            let is_credential = credentials.iter().any(|own| own.eq_ignore_ascii_case(name));
            let placeholder = if is_credential {
                CREDENTIALS.to_owned()
            } else {
                let name = name.to_ascii_uppercase().replace('-', "_");
                format!("$CONFORMANCE_{name}")
            };
            secrets
                .headers
                .push((name.to_ascii_lowercase(), placeholder.clone()));
            secrets.add(value, &placeholder);
            if let Some((scheme, token)) = value.split_once(' ') {
                secrets.add(token, &placeholder);
                secrets.add_basic(scheme, token, &placeholder);
            }
        }
        secrets
    }

    /// What HTTP Basic says in Base64: the name with the password, and the password alone.
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

    /// Adds a secret text, in every form it may come back in.
    pub fn add(&mut self, text: &str, placeholder: &str) {
        if text.len() < SHORTEST || !self.known.insert(text.to_owned()) {
            return;
        }
        self.patterns.push(Pattern::new(text, placeholder));
        self.patterns.sort_by_key(Pattern::rank);
        for form in forms(text) {
            if !self.texts.iter().any(|(known, _)| *known == form) {
                self.texts.push((form, placeholder.to_owned()));
            }
        }
    }

    /// What stands in the place of a header's value; `None` where it may be shown.
    pub fn header(&self, name: &str) -> Option<&str> {
        let same = |(own, _): &&(String, String)| own.eq_ignore_ascii_case(name);
        self.headers
            .iter()
            .find(same)
            .map(|(_, placeholder)| placeholder.as_str())
    }

    /// A text without the secrets in it.
    pub fn redact(&self, text: &str) -> String {
        let redact = |text: String, pattern: &Pattern| pattern.redact(text);
        let text = self.patterns.iter().fold(text.to_owned(), redact);
        self.without_cut_ones(text)
    }

    /// Excerpts end anywhere, in the middle of a secret as well.
    fn without_cut_ones(&self, text: String) -> String {
        let Some(end) = text.find(CUT) else {
            return text;
        };
        let cut = |(secret, placeholder): &(String, String)| {
            let starts = secret.char_indices().rev().map(|(at, _)| &secret[..at]);
            let longest = { starts }.find(|start| text[..end].ends_with(start))?;
            (longest.len() >= SHORTEST).then_some((longest.len(), placeholder.clone()))
        };
        match self.texts.iter().filter_map(cut).max() {
            Some((length, placeholder)) => {
                format!("{}{placeholder}{}", &text[..end - length], &text[end..])
            }
            None => text,
        }
    }
}

/// A text as it is, within JSON, within JSON that a text of JSON quotes, in an address, in Base64 and
/// in hexadecimal.
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
    fn a_secret_within_a_secret_is_gone_with_it() {
        let mut secrets = Secrets::default();
        secrets.add("open-sesame", "$SHORT");
        secrets.add("open-sesame-and-close", "$LONG");
        assert_eq!(secrets.redact("<open-sesame-and-close>"), "<$LONG>");
    }
}
