//! Options for the receiver of notifications.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;
use conformance::config::Config;
use conformance::duration;
use conformance::notifications::{Settings, SigningSecret};

use super::heading;

/// How notifications are taken.
#[derive(Debug, Args)]
#[command(next_help_heading = heading::NOTIFICATIONS)]
pub(super) struct NotificationArguments {
    /// Listen for callbacks and webhooks at this address. [default: 127.0.0.1:0, any free port]
    #[arg(long, value_name = "ADDRESS")]
    notify_listen: Option<SocketAddr>,
    /// The address at which the server reaches the runner. [default: the one of --notify-listen]
    #[arg(long, value_name = "URL")]
    notify_address: Option<String>,
    /// How long to wait for a notification. [default: 5s]
    #[arg(long, value_name = "T", value_parser = duration::parse)]
    notify_window: Option<Duration>,
    /// The secret that signs notifications by the rules of Standard Webhooks, `whsec_…`. It appears
    /// in no output.
    #[arg(
        long,
        value_name = "SECRET",
        env = "CONFORMANCE_SIGNING_SECRET",
        hide_env_values = true
    )]
    signing_secret: Option<String>,
}

impl NotificationArguments {
    /// The settings. The command line overrides the configuration.
    pub(super) fn settings(&self, config: &Config) -> anyhow::Result<Settings> {
        let (file, default) = (&config.notifications, Settings::default());
        let listen = file.listen.as_ref().map(|listen| {
            let address = listen.parse();
            address.with_context(|| format!("`{listen}` is not an address such as 127.0.0.1:0"))
        });
        let window = file.window.as_ref().map(|item| {
            let window = duration::parse(item);
            window.map_err(|error| anyhow!("the window `{item}` is {error}"))
        });
        let (listen, window) = (listen.transpose()?, window.transpose()?);
        let secret = self
            .signing_secret
            .as_ref()
            .or(file.signing_secret.as_ref());
        let secret = secret
            .map(|secret| SigningSecret::parse(secret))
            .transpose();
        Ok(Settings {
            listen: self.notify_listen.or(listen).unwrap_or(default.listen),
            address: self.notify_address.clone().or_else(|| file.address.clone()),
            secret: secret.map_err(|error| anyhow!(error))?,
            window: self.notify_window.or(window).unwrap_or(default.window),
        })
    }
}
