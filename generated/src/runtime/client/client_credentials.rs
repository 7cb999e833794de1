//! Fetches tokens with the client credentials flow of OAuth 2.0 (RFC 6749, 4.4).

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header;
use serde_json::Value;

use super::super::percent;
use super::super::sensitive::Sensitive;
use super::token::{Fetching, Token, TokenContext, TokenError, TokenSource};

/// A source of tokens for a client id and its secret.
#[derive(Clone, Debug)]
pub struct ClientCredentials {
    url: String,
    id: String,
    secret: Sensitive<String>,
    scopes: Vec<String>,
    in_body: bool,
}

impl ClientCredentials {
    /// Fetches tokens from this address. One that begins with `/` is below the client's base URL.
    pub fn new(
        url: impl Into<String>,
        id: impl Into<String>,
        secret: impl Into<Sensitive<String>>,
    ) -> Self {
        Self {
            url: url.into(),
            id: id.into(),
            secret: secret.into(),
            scopes: Vec::new(),
            in_body: false,
        }
    }

    /// Requests these scopes, instead of the default scopes of the server.
    #[must_use]
    pub fn scopes(mut self, scopes: &[&str]) -> Self {
        self.scopes = scopes.iter().map(|scope| (*scope).to_owned()).collect();
        self
    }

    /// Sends id and secret in the body, for servers that do not accept `Authorization: Basic`.
    #[must_use]
    pub fn in_body(mut self) -> Self {
        self.in_body = true;
        self
    }

    fn body(&self) -> String {
        let mut body = "grant_type=client_credentials".to_owned();
        let mut add = |name: &str, value: &str| {
            body.push('&');
            body.push_str(name);
            body.push('=');
            body.push_str(&percent::encode(value));
        };
        if !self.scopes.is_empty() {
            add("scope", &self.scopes.join(" "));
        }
        if self.in_body {
            add("client_id", &self.id);
            add("client_secret", self.secret.expose());
        }
        body
    }

    /// Id and secret are encoded before they are joined (RFC 6749, 2.3.1).
    fn authorization(&self) -> String {
        let encoded = [&self.id, self.secret.expose()].map(|text| percent::encode(text));
        format!("Basic {}", STANDARD.encode(encoded.join(":")))
    }

    async fn ask(&self, context: TokenContext) -> Result<Token, TokenError> {
        let below = if self.url.starts_with('/') {
            context.base_url.as_str()
        } else {
            ""
        };
        let request = context
            .http
            .post(format!("{below}{}", self.url))
            .header(header::ACCEPT, "application/json")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(self.body());
        let request = if self.in_body {
            request
        } else {
            request.header(header::AUTHORIZATION, self.authorization())
        };
        let lost = |error: reqwest::Error| TokenError::new(error.without_url());
        let answer = request.send().await.map_err(lost)?;
        let status = answer.status();
        let body = answer.bytes().await.map_err(lost)?;
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        read(&body).ok_or_else(|| {
            // Codes such as `invalid_client` are from a short list, and no secrets.
            let code = body.get("error").and_then(Value::as_str);
            let code = code.map_or(String::new(), |code| format!(": {code}"));
            TokenError::new(format_args!("the server answered {status}{code}"))
        })
    }
}

/// The bearer token of an answer, if it has one.
fn read(body: &Value) -> Option<Token> {
    let bearer = body.get("token_type").and_then(Value::as_str);
    if !bearer?.eq_ignore_ascii_case("bearer") {
        return None;
    }
    let text = body.get("access_token").and_then(Value::as_str)?;
    let lifetime = body.get("expires_in").and_then(|seconds| match seconds {
        Value::String(text) => text.parse().ok(),
        other => other.as_u64(),
    });
    Some(Token {
        text: text.into(),
        lifetime: lifetime.map(Duration::from_secs),
    })
}

impl TokenSource for ClientCredentials {
    fn fetch(&self, context: TokenContext) -> Fetching<'_> {
        Box::pin(self.ask(context))
    }
}
