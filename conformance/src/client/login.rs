//! Login: a request whose answer yields a credential, as a token or as the cookies of a session.

use std::time::Duration;

use openapi_document::{Node, Pointer, json};
use reqwest::header::{CONTENT_TYPE, COOKIE, SET_COOKIE};
use reqwest::{Response, Url};
use serde::Deserialize;

use super::granted::{Granted, TOKEN};
use super::{TargetError, address, chain};
use crate::style::encode;

/// How a run logs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Login {
    /// The address, whole or as a path below that of the server.
    pub url: String,
    /// What is sent.
    pub body: LoginBody,
    /// The name and the password of HTTP Basic.
    pub basic: Option<(String, String)>,
    /// What the answer is read for.
    pub yields: Yields,
    /// The cookie that has to come back as a header, and the name of that header.
    pub csrf: Option<(String, String)>,
}

/// The body of a login.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoginBody {
    /// The text of a JSON value.
    Json(String),
    /// Names and values of a form.
    Form(Vec<(String, String)>),
}

/// What the answer to a login is read for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Yields {
    /// The token at a place in the answer, sent as this header with `{token}` in its value.
    Token {
        /// Its place.
        at: Pointer,
        /// The header's name, in lower case.
        header: String,
        /// The header's value.
        value: String,
    },
    /// The cookies of a session.
    Session,
}

/// How long an answer says that its token lasts.
#[derive(Default, Deserialize)]
struct Lasting {
    expires_in: Option<f64>,
}

/// The cookies of a session, in the order in which they were set.
#[derive(Default)]
struct Jar(Vec<(String, String)>);

impl Login {
    /// Where the login is.
    ///
    /// # Errors
    /// The address is not valid.
    pub(super) fn address(&self, server: &Url) -> Result<Url, TargetError> {
        if self.url.contains("://") {
            return address(&self.url);
        }
        let base = server.as_str().trim_end_matches('/');
        address(&format!("{base}/{}", self.url.trim_start_matches('/')))
    }

    /// Logs in.
    ///
    /// # Errors
    /// Nobody answers, the answer is a refusal, or it has no credential.
    pub(super) async fn fetch(
        &self,
        url: &Url,
        limit: Duration,
        http: &reqwest::Client,
    ) -> Result<Granted, TargetError> {
        let mut jar = Jar::default();
        if self.csrf.is_some() {
            let page = answer(http.get(url.clone()), url, limit).await?;
            jar.take(&page);
        }
        let mut request = http.post(url.clone());
        request = match &self.body {
            LoginBody::Json(text) => request
                .header(CONTENT_TYPE, "application/json")
                .body(text.clone()),
            LoginBody::Form(fields) => request
                .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
                .body(form(fields)),
        };
        if let Some((user, password)) = &self.basic {
            request = request.basic_auth(user, Some(password));
        }
        for (name, value) in self.session(&jar) {
            request = request.header(name, value);
        }
        let response = answer(request, url, limit).await?;
        let status = response.status();
        if status.as_u16() >= 400 {
            return Err(failed(url, &format!("it answered {}", status.as_u16())));
        }
        jar.take(&response);
        let body = tokio::time::timeout(limit, response.bytes()).await;
        let body = body.map_err(|_| failed(url, "its answer does not end"))?;
        let body = body.map_err(|error| failed(url, &chain(&error.without_url())))?;
        self.read(url, &jar, &body)
    }

    fn read(&self, url: &Url, jar: &Jar, body: &[u8]) -> Result<Granted, TargetError> {
        let Yields::Token { at, header, value } = &self.yields else {
            return match self.session(jar) {
                headers if headers.is_empty() => Err(failed(url, "it sets no cookie")),
                headers => Ok(Granted::of(headers, None)),
            };
        };
        let text = std::str::from_utf8(body).unwrap_or_default();
        let answer = json::read_text(text).ok();
        let token = answer.as_ref().and_then(|item| item.at(at));
        let token = token.and_then(Node::as_str);
        // What was answered is never told.
        let token = token.filter(|item| !item.is_empty() && !item.chars().any(char::is_control));
        let token =
            token.ok_or_else(|| failed(url, &format!("its answer has no token at `{at}`")))?;
        let lasting: Lasting = serde_json::from_str(text).unwrap_or_default();
        let mut headers = vec![(header.clone(), value.replace(TOKEN, token))];
        headers.extend(
            self.session(jar)
                .into_iter()
                .filter(|_| self.csrf.is_some()),
        );
        Ok(Granted::of(headers, lasting.expires_in))
    }

    /// The headers of a session: its cookies, and the one that has to come back as a header.
    fn session(&self, jar: &Jar) -> Vec<(String, String)> {
        if jar.0.is_empty() {
            return Vec::new();
        }
        let pairs = jar.0.iter().map(|(name, value)| format!("{name}={value}"));
        let cookies = pairs.collect::<Vec<_>>().join("; ");
        let mut headers = vec![(COOKIE.as_str().to_owned(), cookies)];
        let csrf = self.csrf.as_ref().and_then(|(cookie, header)| {
            let (_, value) = jar.0.iter().find(|(name, _)| name == cookie)?;
            Some((header.to_ascii_lowercase(), value.clone()))
        });
        headers.extend(csrf);
        headers
    }
}

impl Jar {
    /// Takes what an answer sets, and drops what it empties.
    fn take(&mut self, answer: &Response) {
        for set in answer.headers().get_all(SET_COOKIE) {
            let set = String::from_utf8_lossy(set.as_bytes()).into_owned();
            let pair = set.split(';').next().unwrap_or_default();
            let Some((name, value)) = pair.split_once('=') else {
                continue;
            };
            let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
            self.0.retain(|(item, _)| *item != name);
            if !value.is_empty() {
                self.0.push((name, value));
            }
        }
    }
}

async fn answer(
    request: reqwest::RequestBuilder,
    url: &Url,
    limit: Duration,
) -> Result<Response, TargetError> {
    let sent = tokio::time::timeout(limit, request.send()).await;
    let sent = sent.map_err(|_| failed(url, &format!("it does not answer within {limit:?}")))?;
    sent.map_err(|error| {
        let is_absent = error.is_connect();
        let reason = chain(&error.without_url());
        if is_absent {
            TargetError::Unreachable {
                url: url.to_string(),
                reason,
            }
        } else {
            failed(url, &reason)
        }
    })
}

fn failed(url: &Url, reason: &str) -> TargetError {
    TargetError::Setup(format!("the login at {url} failed: {reason}"))
}

fn form(fields: &[(String, String)]) -> String {
    let pairs = fields
        .iter()
        .map(|(name, value)| format!("{}={}", encode(name), encode(value)));
    pairs.collect::<Vec<_>>().join("&")
}
