//! Receives the callbacks and webhooks of a server on this machine, and compares them with the
//! contract.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use openapi_document::view::Document;

pub(crate) mod message;
pub(crate) mod receiver;
pub(crate) mod signature;

use receiver::Receiver;
pub use signature::SigningSecret;

/// The settings of the receiver.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address to listen at; port 0 selects any free port.
    pub listen: SocketAddr,
    /// The address that the server uses, when it differs from `listen`.
    pub address: Option<String>,
    /// The secret that signs messages.
    pub secret: Option<SigningSecret>,
    /// How long to wait for the first notification.
    pub window: Duration,
}

/// The path of webhooks below the receiver's address.
pub(crate) const WEBHOOKS: &str = "webhooks";

/// The default of [`Settings::window`].
pub const DEFAULT_WINDOW: Duration = Duration::from_secs(5);

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
            address: None,
            secret: None,
            window: DEFAULT_WINDOW,
        }
    }
}

/// The settings with their receiver.
#[derive(Debug)]
pub struct Notifications {
    pub(crate) settings: Settings,
    /// The receiver, or the reason for a missing one.
    pub(crate) receiver: Result<Receiver, String>,
}

impl Notifications {
    /// Starts to listen when a document has callbacks or webhooks.
    pub async fn start(settings: &Settings, document: &Document, is_loopback: bool) -> Self {
        let operations = document.operations();
        let has_callback = operations
            .iter()
            .any(|operation| !operation.callbacks().is_empty());
        let receiver = if !has_callback && document.webhooks().is_empty() {
            Err("the contract has neither callbacks nor webhooks".to_owned())
        } else if settings.address.is_none() && !is_loopback {
            let reason = "the server is not on this machine: give --notify-address, by which it reaches the runner";
            Err(reason.to_owned())
        } else {
            let public = settings.address.as_deref();
            let receiver = Receiver::start(settings.listen, public).await;
            receiver.map_err(|error| format!("failed to listen at {}: {error}", settings.listen))
        };
        Self {
            settings: settings.clone(),
            receiver,
        }
    }

    /// The address for webhooks; empty without a receiver.
    pub(crate) fn webhooks(&self) -> String {
        let address = self.receiver.as_ref().map(|receiver| &receiver.address);
        address.map_or_else(|_| String::new(), |address| format!("{address}/{WEBHOOKS}"))
    }
}
