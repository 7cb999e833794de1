//! What must not be shown: credentials of the run, and values that the contract marks as secret.

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

    /// Adds a secret text.
    pub fn add(&mut self, text: &str, placeholder: &str) {
        if text.len() >= SHORTEST && !self.texts.iter().any(|(known, _)| known == text) {
            self.texts.push((text.to_owned(), placeholder.to_owned()));
            // The longest first, so that no part of a secret is left over.
            self.texts
                .sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
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
        let replace = |text: String, (secret, placeholder): &(String, String)| {
            if text.contains(secret.as_str()) {
                text.replace(secret.as_str(), placeholder)
            } else {
                text
            }
        };
        self.texts.iter().fold(text.to_owned(), replace)
    }
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
        let text = "got Basic dXNlcjpzZWNyZXQ= or dXNlcjpzZWNyZXQ= of shop-4711, 123";
        let redacted = secrets.redact(text);
        let expected = "got $CONFORMANCE_AUTH or $CONFORMANCE_AUTH of $CONFORMANCE_X_SHOP, 123";
        assert_eq!(redacted, expected);
    }
}
