//! Options for the connection to the server.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, anyhow, ensure};
use clap::Args;
use conformance::client::transport::{self, DEFAULT_PATIENCE, Transport};
use conformance::client::{Credential, Login, LoginBody, TokenCommand, Yields, header_of};
use conformance::config::{Config, LoginPart, OAuth2Part};
use conformance::duration;
use openapi_document::Pointer;

use super::heading;

/// How the token of a command is sent, where nothing else is said.
const BEARER: &str = "Authorization: Bearer {token}";

/// Options for the connection to the server.
#[derive(Debug, Args)]
#[command(next_help_heading = heading::REQUESTS)]
pub(super) struct TransportArguments {
    /// Send at most so many requests, such as 20/s or 600/m. [default: as many as are answered]
    #[arg(long, value_name = "N/s", value_parser = transport::rate)]
    rate: Option<Duration>,
    /// The longest wait when a 429 or 503 has `Retry-After`; `none` ignores the header.
    /// [default: 30s]
    #[arg(long, value_name = "T", value_parser = patience)]
    retry_after: Option<Duration>,
    /// Trust the certificates of this file as well as those of the system, in PEM.
    #[arg(long, value_name = "FILE")]
    cacert: Option<PathBuf>,
    /// The certificate of the runner and its key, in one file in PEM.
    #[arg(long, value_name = "FILE")]
    client_cert: Option<PathBuf>,
    /// Send all requests through this proxy, `http://HOST:PORT`.
    #[arg(long, value_name = "URL")]
    proxy: Option<String>,
    /// A command that prints a token, or the JSON of an OAuth 2 token endpoint. It runs again when the
    /// token expires, and once when the server refuses the token. The token appears in no output.
    #[arg(long, value_name = "COMMAND", help_heading = heading::CREDENTIALS)]
    token_command: Option<String>,
    /// The header that carries the token. [default: 'Authorization: Bearer {token}']
    #[arg(
        long,
        value_name = "NAME: VALUE",
        requires = "token_command",
        help_heading = heading::CREDENTIALS
    )]
    token_header: Option<String>,
}

impl TransportArguments {
    /// The settings. The command line overrides the configuration.
    pub(super) fn transport(&self, config: &Config) -> anyhow::Result<Transport> {
        let file = &config.transport;
        let wrong = |name: &'static str| move |error: String| anyhow!("`{name}` is {error}");
        let rate = file.rate.as_deref().map(transport::rate).transpose();
        let waits = file.retry_after.as_deref().map(patience).transpose();
        let (rate, waits) = (
            rate.map_err(wrong("rate"))?,
            waits.map_err(wrong("retry-after"))?,
        );
        Ok(Transport {
            pause: self.rate.or(rate).unwrap_or_default(),
            patience: self.retry_after.or(waits).unwrap_or(DEFAULT_PATIENCE),
            cacert: self.cacert.clone().or_else(|| file.cacert.clone()),
            client_cert: self
                .client_cert
                .clone()
                .or_else(|| file.client_cert.clone()),
            proxy: self.proxy.clone().or_else(|| file.proxy.clone()),
            credential: self.credential(config)?,
        })
    }

    /// Where the credential comes from.
    fn credential(&self, config: &Config) -> anyhow::Result<Option<Credential>> {
        let command = self
            .token_command
            .as_ref()
            .or(config.token.command.as_ref());
        let header = self.token_header.as_ref().or(config.token.header.as_ref());
        let header = header.map_or(BEARER, String::as_str);
        let (login_part, oauth2_part) = (config.login.as_ref(), config.oauth2.as_ref());
        let count = [
            config.token.command.is_some(),
            login_part.is_some(),
            oauth2_part.is_some(),
        ];
        ensure!(
            count.into_iter().filter(|item| *item).count() <= 1,
            "a credential comes from one of `[token]`, `[login]` and `[oauth2]`"
        );
        if let Some(command) = command {
            let item = TokenCommand::new(command, header).map_err(|error| anyhow!(error))?;
            return Ok(Some(Credential::Command(item)));
        }
        let login = match (login_part, oauth2_part) {
            (Some(item), _) => Some(login(item)?),
            (None, Some(item)) => Some(oauth2(item)?),
            (None, None) => None,
        };
        Ok(login.map(Credential::Login))
    }
}

/// The login of a configuration.
fn login(part: &LoginPart) -> anyhow::Result<Login> {
    let body = match (part.json(), &part.form) {
        (Some(json), None) => LoginBody::Json(json),
        (None, Some(form)) => LoginBody::Form(form.clone().into_iter().collect()),
        _ => anyhow::bail!("`[login]` needs a body: `json` or `form`"),
    };
    let yields = match &part.token {
        Some(at) => {
            let wrong =
                || format!("`token` of `[login]` is no JSON pointer such as /token: `{at}`");
            token_at(at, part.header.as_deref()).with_context(wrong)?
        }
        None => Yields::Session,
    };
    ensure!(
        part.token.is_some() || part.header.is_none(),
        "`[login]` has a `header` for a token, and no `token` that says where the answer has it"
    );
    let csrf = part.csrf.as_deref().map(|item| {
        let (cookie, header) = item
            .split_once(':')
            .context("`csrf` of `[login]` names a cookie and a header: `csrftoken: X-CSRFToken`")?;
        anyhow::Ok((cookie.trim().to_owned(), header.trim().to_owned()))
    });
    Ok(Login {
        url: part.url.clone(),
        body,
        basic: None,
        yields,
        csrf: csrf.transpose()?,
    })
}

/// The client credentials of a configuration.
fn oauth2(part: &OAuth2Part) -> anyhow::Result<Login> {
    let field = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let mut form = vec![field("grant_type", "client_credentials")];
    form.extend(part.scope.as_deref().map(|item| field("scope", item)));
    Ok(Login {
        url: part.token_url.clone(),
        body: LoginBody::Form(form),
        basic: Some((part.client_id.clone(), part.client_secret.clone())),
        yields: token_at("/access_token", None)?,
        csrf: None,
    })
}

fn token_at(at: &str, header: Option<&str>) -> anyhow::Result<Yields> {
    let at = Pointer::parse(at).context("a JSON pointer begins with `/`")?;
    let (header, value) = header_of(header.unwrap_or(BEARER)).map_err(|error| anyhow!(error))?;
    Ok(Yields::Token { at, header, value })
}

fn patience(text: &str) -> Result<Duration, String> {
    match text {
        "none" => Ok(Duration::ZERO),
        text => duration::parse(text),
    }
}
