//! Token: a credential that a command prints; fetched again when the server refuses it or it
//! expires.

use std::fmt;
use std::time::{Duration, Instant};

use serde::Deserialize;
use tokio::sync::Mutex;

use super::TargetError;
use crate::command;
use crate::exchange::Sent;

/// The time limit of the command.
const LIMIT: Duration = Duration::from_mins(1);

/// The placeholder for the token in the header.
const TOKEN: &str = "{token}";

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
    command: TokenCommand,
    /// The header's value in composed requests; `put` replaces it by the current value.
    pub(crate) first: String,
    state: Mutex<State>,
}

struct State {
    value: String,
    expires: Option<Instant>,
    /// Whether the server refused a new token like the one before, so that another one will not
    /// help.
    useless: bool,
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Token").finish_non_exhaustive()
    }
}

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
        let output = command::run(&self.command, &[], LIMIT)
            .await
            .map_err(failed)?;
        let (token, lasts) = match serde_json::from_str::<TokenResponse>(&output) {
            Ok(granted) => (granted.access_token, granted.expires_in),
            Err(_) => (output.trim().to_owned(), None),
        };
        // The output may contain the token, so no error quotes it.
        if token.is_empty() || token.chars().any(char::is_control) {
            let reason = "it has to print the token on one line, or JSON with `access_token`";
            return Err(failed(reason.to_owned()));
        }
        // Renews early, because a request takes time.
        let lasts = lasts.and_then(|lifetime| Duration::try_from_secs_f64(lifetime * 0.9).ok());
        let expires = lasts.and_then(|lifetime| Instant::now().checked_add(lifetime));
        Ok((self.value.replace(TOKEN, &token), expires))
    }
}

impl Token {
    /// Fetches the first token of a run.
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

    /// The header in composed requests.
    pub(crate) fn header(&self) -> (String, String) {
        (self.command.header.clone(), self.first.clone())
    }

    /// Replaces the first token in a request by the current one. Returns whether the request
    /// carries a token.
    pub(crate) async fn put(&self, sent: &mut Sent) -> bool {
        let Some(value) = self.value_in(sent) else {
            return false;
        };
        let mut state = self.state.lock().await;
        if state.expires.is_some_and(|time| time <= Instant::now()) {
            self.renew(&mut state).await;
        }
        value.clone_from(&state.value);
        let secrets = secrets(&state.value);
        sent.shown.secrets.extend(secrets);
        true
    }

    /// Puts a new token into a request that was refused with 401. Returns whether there is a new
    /// one.
    pub(crate) async fn put_another(&self, sent: &mut Sent) -> bool {
        let refused = sent.header(&self.command.header).map(str::to_owned);
        let mut state = self.state.lock().await;
        // Another request may have fetched a token meanwhile.
        if refused.as_ref() == Some(&state.value)
            && (state.useless || !self.renew(&mut state).await)
        {
            return false;
        }
        let value = state.value.clone();
        let name = &self.command.header;
        for (_, sent_value) in sent.headers.iter_mut().filter(|(header, _)| header == name) {
            sent_value.clone_from(&value);
        }
        sent.shown.secrets.extend(secrets(&value));
        true
    }

    /// Notes that the server refused a new token too, so that its 401 counts.
    pub(crate) async fn give_up(&self) {
        self.state.lock().await.useless = true;
    }

    /// Fetches a new token; returns whether it differs from the last one. When the command fails,
    /// the run continues with the last token.
    async fn renew(&self, state: &mut State) -> bool {
        let Ok((value, expires)) = self.command.fetch().await else {
            state.expires = None;
            return false;
        };
        let is_other = state.value != value;
        (state.value, state.expires) = (value, expires);
        is_other
    }

    fn value_in<'s>(&self, sent: &'s mut Sent) -> Option<&'s mut String> {
        let (name, first) = (&self.command.header, &self.first);
        let mut headers = sent.headers.iter_mut();
        let (_, value) = headers.find(|(item, value)| item == name && value == first)?;
        Some(value)
    }
}

/// The secret parts of a header's value: the whole, and the token after its scheme.
fn secrets(value: &str) -> Vec<String> {
    let token = value.split_once(' ').map(|(_, token)| token.to_owned());
    std::iter::once(value.to_owned()).chain(token).collect()
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
