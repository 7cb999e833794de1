//! Letting a request in: its credentials, and the token that it takes.

use std::time::Duration;

use http::{HeaderValue, StatusCode, header};

use super::super::answer::Answer;
use super::call::Call;
use super::connection::{Connection, Failure};
use super::credential;
use super::error::{Cause, RequestError};
use super::token::{TokenContext, TokenError, Tokens};

/// The token that a request was sent with, and where to get another one.
pub(super) struct Pass {
    tokens: Tokens,
    token: String,
}

impl Connection {
    /// Adds the credentials, with a token that is fetched where it takes one.
    pub(super) async fn admit(
        &self,
        call: &mut Call,
        timeout: Duration,
    ) -> Result<Option<Pass>, Failure> {
        let Some(tokens) = credential::apply(&self.credentials, call.operation, call)? else {
            return Ok(None);
        };
        let token = self.token(&tokens, None, timeout).await;
        let token = token.map_err(RequestError::new)?;
        call.secret_header(header::AUTHORIZATION.as_str(), credential::bearer(&token))?;
        Ok(Some(Pass { tokens, token }))
    }

    async fn token(
        &self,
        tokens: &Tokens,
        refused: Option<&str>,
        timeout: Duration,
    ) -> Result<String, TokenError> {
        let context = TokenContext {
            http: self.http.clone(),
            base_url: self.base_url.clone(),
        };
        let token = tokens.token(context, &*self.clock, refused);
        let silence = |_| TokenError::new(format_args!("nothing came for {timeout:?}"));
        tokio::time::timeout(timeout, token)
            .await
            .map_err(silence)?
    }

    /// The request with another token than the one that the server does not take, if there is one.
    pub(super) async fn renew(
        &self,
        pass: &Pass,
        request: Option<&reqwest::Request>,
        timeout: Duration,
    ) -> Option<reqwest::Request> {
        let mut request = request?.try_clone()?;
        let token = self.token(&pass.tokens, Some(&pass.token), timeout).await;
        let mut value = HeaderValue::try_from(credential::bearer(&token.ok()?)).ok()?;
        value.set_sensitive(true);
        request.headers_mut().insert(header::AUTHORIZATION, value);
        Some(request)
    }
}

/// Whether the server does not take the credentials.
pub(super) fn is_refused(result: Result<&Answer, &Cause>) -> bool {
    result.is_ok_and(|answer| answer.status == StatusCode::UNAUTHORIZED)
}
