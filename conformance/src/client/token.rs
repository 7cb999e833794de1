//! Token: a credential from a command or a login; fetched again when the server refuses it or it
//! expires.

use std::fmt;
use std::time::{Duration, Instant};

use reqwest::Url;
use serde::Deserialize;
use tokio::sync::Mutex;

use super::TargetError;
use super::granted::{Granted, Headers, TOKEN, header_of};
use super::login::{Login, Yields};
use crate::command;
use crate::exchange::Sent;

/// The time limit of the command.
const LIMIT: Duration = Duration::from_mins(1);

/// The source of a run's credential.
#[derive(Debug, Clone)]
pub enum Credential {
    /// A command prints it.
    Command(TokenCommand),
    /// A request yields it.
    Login(Login),
}

impl Credential {
    /// The header with the placeholder for the credential. `None` for a session.
    pub fn header(&self) -> Option<(String, String)> {
        match self {
            Self::Command(source) => Some((source.header.clone(), source.value.clone())),
            Self::Login(source) => match &source.yields {
                Yields::Token { header, value, .. } => Some((header.clone(), value.clone())),
                Yields::Session => None,
            },
        }
    }
}

/// How a token is fetched and sent.
#[derive(Debug, Clone)]
pub struct TokenCommand {
    /// The shell command. It prints the token, or the JSON of an OAuth 2 token endpoint.
    pub command: String,
    /// The header that carries the token, in lower case.
    pub header: String,
    /// The header's value, with `{token}` as placeholder.
    pub value: String,
}

/// The token of a run, with the command that prints the next one.
pub(crate) struct Token {
    source: Source,
    /// The headers in composed requests; `put` replaces them by the current ones.
    first: Headers,
    state: Mutex<State>,
}

/// What fetches a credential.
#[derive(Debug)]
pub(super) enum Source {
    Command(TokenCommand),
    Login(Box<Place>),
}

/// A login, and what reaches it.
#[derive(Debug)]
pub(super) struct Place {
    /// The login.
    pub(super) login: Login,
    /// Where it is.
    pub(super) url: Url,
    /// What sends its requests.
    pub(super) http: reqwest::Client,
    /// How long an answer may take.
    pub(super) limit: Duration,
}

struct State {
    granted: Granted,
    /// Whether the server refused a new token like the one before, so that another one will not
    /// help.
    useless: bool,
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Token").finish_non_exhaustive()
    }
}

/// What a command prints that asks a token endpoint.
#[derive(Deserialize)]
struct TokenResponse {
    access_token: String,
    expires_in: Option<f64>,
}

impl TokenCommand {
    /// A command whose token is sent in a header such as `Authorization: Bearer {token}`.
    ///
    /// # Errors
    /// The header has no name or no placeholder.
    pub fn new(command: &str, header: &str) -> Result<Self, String> {
        let (header, value) = header_of(header)?;
        Ok(Self {
            command: command.to_owned(),
            header,
            value,
        })
    }

    async fn fetch(&self) -> Result<Granted, TargetError> {
        let failed = |reason: String| {
            TargetError::Setup(format!("the command for the token failed: {reason}"))
        };
        let output = command::run(&self.command, &[], LIMIT)
            .await
            .map_err(failed)?;
        let (token, lasts) = match serde_json::from_str::<TokenResponse>(&output) {
            Ok(printed) => (printed.access_token, printed.expires_in),
            Err(_) => (output.trim().to_owned(), None),
        };
        // The output may contain the token, so no error quotes it.
        if token.is_empty() || token.chars().any(char::is_control) {
            let reason = "it has to print the token on one line, or JSON with `access_token`";
            return Err(failed(reason.to_owned()));
        }
        let value = self.value.replace(TOKEN, &token);
        Ok(Granted::of(vec![(self.header.clone(), value)], lasts))
    }
}

impl Source {
    async fn fetch(&self) -> Result<Granted, TargetError> {
        match self {
            Self::Command(command) => command.fetch().await,
            Self::Login(place) => {
                place
                    .login
                    .fetch(&place.url, place.limit, &place.http)
                    .await
            }
        }
    }
}

impl Token {
    /// Fetches the first token of a run.
    pub(super) async fn first(source: Source) -> Result<Self, TargetError> {
        let granted = source.fetch().await?;
        let first = granted.headers.clone();
        let state = State {
            granted,
            useless: false,
        };
        Ok(Self {
            source,
            first,
            state: Mutex::new(state),
        })
    }

    /// The headers in composed requests.
    pub(crate) fn headers(&self) -> &[(String, String)] {
        &self.first
    }

    /// Replaces the first token in a request by the current one. Returns whether the request
    /// carries a token.
    pub(crate) async fn put(&self, sent: &mut Sent) -> bool {
        if !carries(sent, &self.first) {
            return false;
        }
        let mut state = self.state.lock().await;
        if state
            .granted
            .expires
            .is_some_and(|time| time <= Instant::now())
        {
            self.renew(&mut state).await;
        }
        replace(sent, &self.first, &state.granted.headers);
        true
    }

    /// Puts a new token into a request that was refused with 401. Returns whether there is a new
    /// one.
    pub(crate) async fn put_another(&self, sent: &mut Sent) -> bool {
        let mut state = self.state.lock().await;
        let known = state.granted.headers.clone();
        let refused = if carries(sent, &known) {
            if state.useless || !self.renew(&mut state).await {
                return false;
            }
            known
        } else {
            // Another request has fetched a token meanwhile.
            let carries_token = |name: &String| known.iter().any(|(header, _)| header == name);
            let headers = sent.headers.iter().filter(|(name, _)| carries_token(name));
            headers.cloned().collect()
        };
        replace(sent, &refused, &state.granted.headers);
        true
    }

    /// Notes that the server refused a new token too, so that its 401 counts.
    pub(crate) async fn give_up(&self) {
        self.state.lock().await.useless = true;
    }

    /// Fetches a new token; returns whether it differs from the last one. When that fails,
    /// the run continues with the last token.
    async fn renew(&self, state: &mut State) -> bool {
        let Ok(granted) = self.source.fetch().await else {
            state.granted.expires = None;
            return false;
        };
        let is_other = state.granted.headers != granted.headers;
        state.granted = granted;
        is_other
    }
}

/// The part of a header's value after the credential: cookies of the request follow those of the session.
fn after_credential<'v>(value: &'v str, credential: &str) -> Option<&'v str> {
    let rest = value.strip_prefix(credential)?;
    (rest.is_empty() || rest.starts_with(';')).then_some(rest)
}

/// Whether a request has the first of these headers.
fn carries(sent: &Sent, headers: &[(String, String)]) -> bool {
    headers.first().is_some_and(|(name, value)| {
        let mut headers = sent.headers.iter();
        headers.any(|(other, sent)| other == name && after_credential(sent, value).is_some())
    })
}

/// Replaces the values of headers, and marks the new values as secret.
fn replace(sent: &mut Sent, from: &[(String, String)], to: &[(String, String)]) {
    for (name, old) in from {
        let Some((_, new)) = to.iter().find(|(header, _)| header == name) else {
            continue;
        };
        for (_, value) in sent.headers.iter_mut().filter(|(header, _)| header == name) {
            if let Some(rest) = after_credential(value, old) {
                *value = format!("{new}{rest}");
            }
        }
        sent.shown.secrets.extend(secrets(new));
    }
}

/// The secret parts of a header's value: the whole, the token after its scheme, and the value of each cookie.
pub(crate) fn secrets(value: &str) -> Vec<String> {
    let token = value.split_once(' ').map(|(_, token)| token.to_owned());
    let cookies = value.split("; ").filter_map(|item| item.split_once('='));
    let cookies = cookies.map(|(_, item)| item.to_owned());
    std::iter::once(value.to_owned())
        .chain(token)
        .chain(cookies)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_needs_a_placeholder_for_the_token() {
        let command = TokenCommand::new("true", "Authorization: Bearer {token}").unwrap();
        assert_eq!(
            (&*command.header, &*command.value),
            ("authorization", "Bearer {token}")
        );
        for wrong in ["Authorization", "Authorization: Bearer", ": {token}"] {
            assert!(TokenCommand::new("true", wrong).is_err(), "{wrong}");
        }
    }
}
