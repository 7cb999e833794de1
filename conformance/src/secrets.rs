//! What must not be shown: credentials of the run, and values that the contract marks as secret.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};

use crate::compose::style::encode;
use crate::value::{self, CUT};

/// Shorter values are left alone within texts: they would match by chance.
const SHORTEST: usize = 6;

/// The secrets of a run and what is shown in their place.
#[derive(Debug, Clone, Default)]
pub struct Secrets {
    headers: Vec<(String, String)>,
    texts: Vec<(String, String)>,
}

impl Secrets {
    /// The headers that the user gave are secret; those that carry credentials share a placeholder.
    pub fn new(headers: &[(String, String)], credentials: &[String]) -> Self {
        let mut secrets = Self::default();
        for (name, value) in headers {
            let is_credential = credentials.iter().any(|own| own.eq_ignore_ascii_case(name));
            let placeholder = if is_credential {
                "$CONFORMANCE_AUTH".to_owned()
            } else {
                format!(
                    "$CONFORMANCE_{}",
                    name.to_ascii_uppercase().replace('-', "_")
                )
            };
            secrets
                .headers
                .push((name.to_ascii_lowercase(), placeholder.clone()));
            secrets.add(value, &placeholder);
            if let Some((_, token)) = value.split_once(' ') {
                secrets.add(token, &placeholder);
            }
        }
        secrets
    }

    /// Adds a secret text, in every form it may come back in.
    pub fn add(&mut self, text: &str, placeholder: &str) {
        if text.len() < SHORTEST {
            return;
        }
        for form in forms(text) {
            if !self.texts.iter().any(|(known, _)| *known == form) {
                self.texts.push((form, placeholder.to_owned()));
            }
        }
        // The longest first, so that no part of a secret is left over.
        self.texts
            .sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
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
        let replace = |text: String, (secret, placeholder): &(String, String)| {
            if text.contains(secret.as_str()) {
                text.replace(secret.as_str(), placeholder)
            } else {
                text
            }
        };
        let text = self.texts.iter().fold(text.to_owned(), replace);
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

/// A text as it is, within JSON, within JSON that a text of JSON quotes, in an address, and in Base64.
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
        secrets.add("k\"e y/+sEcret", "$KEY");
        for form in [
            r#"k"e y/+sEcret"#,
            r#"k\"e y/+sEcret"#,
            r#"k\\\"e y/+sEcret"#,
            "k%22e%20y%2F%2BsEcret",
            "k%22e+y%2F%2BsEcret",
            "ayJlIHkvK3NFY3JldA==",
            "ayJlIHkvK3NFY3JldA",
        ] {
            let redacted = secrets.redact(&format!("<{form}>"));
            assert_eq!(redacted, "<$KEY>", "{form}");
        }
        assert_eq!(
            secrets.redact("ok shop-47… (300 bytes)"),
            "ok $CONFORMANCE_X_SHOP… (300 bytes)"
        );
        let text = "got Basic dXNlcjpzZWNyZXQ= or dXNlcjpzZWNyZXQ= of shop-4711, 123";
        let redacted = secrets.redact(text);
        let expected = "got $CONFORMANCE_AUTH or $CONFORMANCE_AUTH of $CONFORMANCE_X_SHOP, 123";
        assert_eq!(redacted, expected);
    }
}
