//! Token: a credential that a command or a login yields, fetched again when it is no longer taken.

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

/// How long the command may take.
const LIMIT: Duration = Duration::from_mins(1);

/// Where the credential of a run comes from.
#[derive(Debug, Clone)]
pub enum Credential {
    /// A command.
    Command(TokenCommand),
    /// A request.
    Login(Login),
}

impl Credential {
    /// The header that carries the credential, with what stands for it; none of a session.
    pub fn header(&self) -> Option<(String, String)> {
        match self {
            Self::Command(own) => Some((own.header.clone(), own.value.clone())),
            Self::Login(own) => match &own.yields {
                Yields::Token { header, value, .. } => Some((header.clone(), value.clone())),
                Yields::Session => None,
            },
        }
    }
}

/// How a token is fetched and sent.
#[derive(Debug, Clone)]
pub struct TokenCommand {
    /// The command, for a shell. It prints the token, or the JSON of an OAuth 2 token endpoint.
    pub command: String,
    /// The header that carries the token, in lower case.
    pub header: String,
    /// The header's value, in which `{token}` stands for it.
    pub value: String,
}

/// A token of a run, and where the next one comes from.
pub(crate) struct Token {
    source: Source,
    /// The headers as requests are composed with them.
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
    /// A new token was refused like the one before: another will not help.
    useless: bool,
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Token").finish_non_exhaustive()
    }
}

/// What a command prints that asks a token endpoint.
#[derive(Deserialize)]
struct Printed {
    access_token: String,
    expires_in: Option<f64>,
}

impl TokenCommand {
    /// A command whose token is sent as a header such as `Authorization: Bearer {token}`.
    ///
    /// # Errors
    /// The header has no name, or no place for the token.
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
        let said = command::run(&self.command, &[], LIMIT)
            .await
            .map_err(failed)?;
        let (token, lasts) = match serde_json::from_str::<Printed>(&said) {
            Ok(printed) => (printed.access_token, printed.expires_in),
            Err(_) => (said.trim().to_owned(), None),
        };
        // What it said is never told.
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
            Self::Login(own) => own.login.fetch(&own.url, own.limit, &own.http).await,
        }
    }
}

impl Token {
    /// The first token of a run.
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

    /// The headers that requests are composed with.
    pub(crate) fn headers(&self) -> &[(String, String)] {
        &self.first
    }

    /// Puts the token of now into a request that was composed with the first one. Whether the request
    /// carries a token at all.
    pub(crate) async fn put(&self, sent: &mut Sent) -> bool {
        if !carries(sent, &self.first) {
            return false;
        }
        let mut state = self.state.lock().await;
        if state
            .granted
            .expires
            .is_some_and(|own| own <= Instant::now())
        {
            self.renew(&mut state).await;
        }
        replace(sent, &self.first, &state.granted.headers);
        true
    }

    /// Another token for a request that was refused with 401; whether there is one.
    pub(crate) async fn put_another(&self, sent: &mut Sent) -> bool {
        let mut state = self.state.lock().await;
        let known = state.granted.headers.clone();
        let refused = if carries(sent, &known) {
            if state.useless || !self.renew(&mut state).await {
                return false;
            }
            known
        } else {
            // Another request has fetched one meanwhile.
            let is_of_it = |name: &String| known.iter().any(|(own, _)| own == name);
            let own = sent.headers.iter().filter(|(name, _)| is_of_it(name));
            own.cloned().collect()
        };
        replace(sent, &refused, &state.granted.headers);
        true
    }

    /// A new token was refused, too: the answer is the server's own.
    pub(crate) async fn give_up(&self) {
        self.state.lock().await.useless = true;
    }

    /// Fetches another token; whether it is another one. Where that fails the run goes on with
    /// the one that it has, whose refusals say the rest.
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

/// What of a header's value follows the credential: cookies of the request itself stand behind those of the session.
fn behind<'v>(value: &'v str, credential: &str) -> Option<&'v str> {
    let rest = value.strip_prefix(credential)?;
    (rest.is_empty() || rest.starts_with(';')).then_some(rest)
}

/// Whether a request carries the first of some headers.
fn carries(sent: &Sent, headers: &[(String, String)]) -> bool {
    headers.first().is_some_and(|(name, value)| {
        let mut own = sent.headers.iter();
        own.any(|(other, sent)| other == name && behind(sent, value).is_some())
    })
}

/// Puts the values of some headers in the place of others, and keeps them from being shown.
fn replace(sent: &mut Sent, from: &[(String, String)], to: &[(String, String)]) {
    for (name, old) in from {
        let Some((_, new)) = to.iter().find(|(own, _)| own == name) else {
            continue;
        };
        for (_, own) in sent.headers.iter_mut().filter(|(own, _)| own == name) {
            if let Some(rest) = behind(own, old) {
                *own = format!("{new}{rest}");
            }
        }
        sent.shown.secrets.extend(secrets(new));
    }
}

/// What must not be shown of a header's value: the whole, the token behind its scheme, and the value of each cookie.
pub(crate) fn secrets(value: &str) -> Vec<String> {
    let token = value.split_once(' ').map(|(_, token)| token.to_owned());
    let cookies = value.split("; ").filter_map(|own| own.split_once('='));
    let cookies = cookies.map(|(_, own)| own.to_owned());
    std::iter::once(value.to_owned())
        .chain(token)
        .chain(cookies)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_says_where_the_token_stands() {
        let own = TokenCommand::new("true", "Authorization: Bearer {token}").unwrap();
        assert_eq!(
            (&*own.header, &*own.value),
            ("authorization", "Bearer {token}")
        );
        for wrong in ["Authorization", "Authorization: Bearer", ": {token}"] {
            assert!(TokenCommand::new("true", wrong).is_err(), "{wrong}");
        }
    }
}
