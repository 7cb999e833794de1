//! Token: a credential that a command yields, fetched again when it is no longer taken.

use std::fmt;
use std::time::{Duration, Instant};

use serde::Deserialize;
use tokio::sync::Mutex;

use super::TargetError;
use crate::command;
use crate::exchange::Sent;

/// How long the command may take.
const LIMIT: Duration = Duration::from_mins(1);

/// What stands for the token in the header.
const TOKEN: &str = "{token}";

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
    command: TokenCommand,
    /// The header's value as requests are composed with it.
    pub(crate) first: String,
    state: Mutex<State>,
}

struct State {
    value: String,
    expires: Option<Instant>,
    /// A new token was refused like the one before: another will not help.
    useless: bool,
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Token").finish_non_exhaustive()
    }
}

#[derive(Deserialize)]
struct Granted {
    access_token: String,
    expires_in: Option<f64>,
}

impl TokenCommand {
    /// A command whose token is sent as a header such as `Authorization: Bearer {token}`.
    ///
    /// # Errors
    /// The header has no name, or no place for the token.
    pub fn new(command: &str, header: &str) -> Result<Self, String> {
        let (name, value) = header.split_once(':').unwrap_or_default();
        if name.trim().is_empty() || !value.contains(TOKEN) {
            return Err(format!(
                "write the header of the token as 'Name: Bearer {TOKEN}'"
            ));
        }
        Ok(Self {
            command: command.to_owned(),
            header: name.trim().to_ascii_lowercase(),
            value: value.trim().to_owned(),
        })
    }

    async fn fetch(&self) -> Result<(String, Option<Instant>), TargetError> {
        let failed = |reason: String| {
            TargetError::Setup(format!("the command for the token failed: {reason}"))
        };
        let said = command::run(&self.command, &[], LIMIT)
            .await
            .map_err(failed)?;
        let (token, lasts) = match serde_json::from_str::<Granted>(&said) {
            Ok(granted) => (granted.access_token, granted.expires_in),
            Err(_) => (said.trim().to_owned(), None),
        };
        // What it said is never told.
        if token.is_empty() || token.chars().any(char::is_control) {
            let reason = "it has to print the token on one line, or JSON with `access_token`";
            return Err(failed(reason.to_owned()));
        }
        // A little early, since a request takes its time.
        let lasts = lasts.and_then(|own| Duration::try_from_secs_f64(own * 0.9).ok());
        let expires = lasts.and_then(|own| Instant::now().checked_add(own));
        Ok((self.value.replace(TOKEN, &token), expires))
    }
}

impl Token {
    /// The first token of a run.
    pub(crate) async fn first(command: &TokenCommand) -> Result<Self, TargetError> {
        let (value, expires) = command.fetch().await?;
        let state = State {
            value: value.clone(),
            expires,
            useless: false,
        };
        Ok(Self {
            command: command.clone(),
            first: value,
            state: Mutex::new(state),
        })
    }

    /// The header that requests are composed with.
    pub(crate) fn header(&self) -> (String, String) {
        (self.command.header.clone(), self.first.clone())
    }

    /// Puts the token of now into a request that was composed with the first one. Whether the request
    /// carries a token at all.
    pub(crate) async fn put(&self, sent: &mut Sent) -> bool {
        let Some(own) = self.own(sent) else {
            return false;
        };
        let mut state = self.state.lock().await;
        if state.expires.is_some_and(|own| own <= Instant::now()) {
            self.renew(&mut state).await;
        }
        own.clone_from(&state.value);
        let secrets = secrets(&state.value);
        sent.shown.secrets.extend(secrets);
        true
    }

    /// Another token for a request that was refused with 401; whether there is one.
    pub(crate) async fn put_another(&self, sent: &mut Sent) -> bool {
        let refused = sent.header(&self.command.header).map(str::to_owned);
        let mut state = self.state.lock().await;
        // Another request may have fetched one meanwhile.
        if refused.as_ref() == Some(&state.value)
            && (state.useless || !self.renew(&mut state).await)
        {
            return false;
        }
        let value = state.value.clone();
        let name = &self.command.header;
        for (_, own) in sent.headers.iter_mut().filter(|(own, _)| own == name) {
            own.clone_from(&value);
        }
        sent.shown.secrets.extend(secrets(&value));
        true
    }

    /// A new token was refused, too: the answer is the server's own.
    pub(crate) async fn give_up(&self) {
        self.state.lock().await.useless = true;
    }

    /// Fetches another token; whether it is another one. Where the command fails the run goes on with
    /// the one that it has, whose refusals say the rest.
    async fn renew(&self, state: &mut State) -> bool {
        let Ok((value, expires)) = self.command.fetch().await else {
            state.expires = None;
            return false;
        };
        let is_other = state.value != value;
        (state.value, state.expires) = (value, expires);
        is_other
    }

    fn own<'s>(&self, sent: &'s mut Sent) -> Option<&'s mut String> {
        let (name, first) = (&self.command.header, &self.first);
        let mut own = sent.headers.iter_mut();
        let (_, value) = own.find(|(own, value)| own == name && value == first)?;
        Some(value)
    }
}

/// What must not be shown of a header's value: the whole, and the token behind its scheme.
fn secrets(value: &str) -> Vec<String> {
    let token = value.split_once(' ').map(|(_, token)| token.to_owned());
    std::iter::once(value.to_owned()).chain(token).collect()
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
