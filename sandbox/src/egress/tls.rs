//! Secured connections.

use std::net::IpAddr;
use std::sync::Arc;

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use url::Host;

use crate::domain::notification::Failure;

/// Secures a connection to the host, whose certificate has to lead to one of the roots.
pub(super) async fn secure(
    config: Arc<ClientConfig>,
    host: Host<&str>,
    stream: TcpStream,
) -> Result<TlsStream<TcpStream>, Failure> {
    let name = match host {
        Host::Domain(name) => ServerName::try_from(name.to_owned()),
        Host::Ipv4(address) => Ok(ServerName::from(IpAddr::V4(address))),
        Host::Ipv6(address) => Ok(ServerName::from(IpAddr::V6(address))),
    };
    let name = name.map_err(|_| Failure::Insecure)?;
    let secured = TlsConnector::from(config).connect(name, stream).await;
    secured.map_err(|_| Failure::Insecure)
}

/// The settings with which the machine's own root certificates are trusted.
///
/// The provider is named here, so that it does not matter which ones other crates bring.
pub(super) fn config() -> Result<ClientConfig, rustls::Error> {
    let mut roots = RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    for error in &found.errors {
        tracing::warn!(%error, "a root certificate cannot be read");
    }
    let (_, refused) = roots.add_parsable_certificates(found.certs);
    if refused > 0 {
        tracing::debug!(refused, "root certificates cannot be used");
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider);
    let builder = builder.with_safe_default_protocol_versions()?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}
