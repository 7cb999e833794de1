//! What a server sends by itself: taken on this machine, and held against the callbacks and webhooks of the contract.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use openapi_document::view::Document;

pub(crate) mod message;
pub(crate) mod receiver;
pub(crate) mod signature;

use receiver::Receiver;
pub use signature::SigningSecret;

/// How notifications are taken.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address to listen at; port 0 is any that is free.
    pub listen: SocketAddr,
    /// What the server is told instead of that address, where it is reached otherwise.
    pub address: Option<String>,
    /// What messages are signed with.
    pub secret: Option<SigningSecret>,
    /// How long to wait for the first one.
    pub window: Duration,
}

/// Below the receiver's address, where webhooks are sent to.
pub(crate) const WEBHOOKS: &str = "webhooks";

/// How long to wait for the first notification, where nothing else is said.
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

/// The settings, and who takes notifications by them.
#[derive(Debug)]
pub struct Notifications {
    pub(crate) settings: Settings,
    /// Where nobody does, why.
    pub(crate) receiver: Result<Receiver, String>,
}

impl Notifications {
    /// Begins to listen where a document has callbacks or webhooks.
    pub async fn start(settings: &Settings, document: &Document, is_loopback: bool) -> Self {
        let operations = document.operations();
        let has_callback = operations.iter().any(|own| !own.callbacks().is_empty());
        let receiver = if !has_callback && document.webhooks().is_empty() {
            Err("the contract has neither callbacks nor webhooks".to_owned())
        } else if settings.address.is_none() && !is_loopback {
            let reason = "the server is not on this machine: give --notify-address, by which it reaches the runner";
            Err(reason.to_owned())
        } else {
            let told = settings.address.as_deref();
            let receiver = Receiver::start(settings.listen, told).await;
            receiver.map_err(|error| format!("failed to listen at {}: {error}", settings.listen))
        };
        Self {
            settings: settings.clone(),
            receiver,
        }
    }

    /// Where webhooks are to be sent; empty where nobody takes them.
    pub(crate) fn webhooks(&self) -> String {
        let address = self.receiver.as_ref().map(|own| &own.address);
        address.map_or_else(|_| String::new(), |own| format!("{own}/{WEBHOOKS}"))
    }
}
