//! Options for the connection to the server.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::anyhow;
use clap::Args;
use conformance::client::TokenCommand;
use conformance::client::transport::{self, DEFAULT_PATIENCE, Transport};
use conformance::config::Config;
use conformance::duration;

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
        let command = self
            .token_command
            .as_ref()
            .or(config.token.command.as_ref());
        let header = self.token_header.as_ref().or(config.token.header.as_ref());
        let header = header.map_or(BEARER, String::as_str);
        let token = command.map(|command| TokenCommand::new(command, header));
        Ok(Transport {
            pause: self.rate.or(rate).unwrap_or_default(),
            patience: self.retry_after.or(waits).unwrap_or(DEFAULT_PATIENCE),
            cacert: self.cacert.clone().or_else(|| file.cacert.clone()),
            client_cert: self
                .client_cert
                .clone()
                .or_else(|| file.client_cert.clone()),
            proxy: self.proxy.clone().or_else(|| file.proxy.clone()),
            token: token.transpose().map_err(|error| anyhow!(error))?,
        })
    }
}

fn patience(text: &str) -> Result<Duration, String> {
    match text {
        "none" => Ok(Duration::ZERO),
        text => duration::parse(text),
    }
}
