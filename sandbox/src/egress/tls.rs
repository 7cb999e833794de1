//! TLS connections.

use std::net::IpAddr;
use std::sync::Arc;

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use url::Host;

use crate::domain::notification::Failure;

/// Performs the TLS handshake; the host's certificate has to chain to a root certificate.
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

/// A configuration that trusts the machine's root certificates.
///
/// The crypto provider is named explicitly, so that the features of other crates cannot change it.
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
