//! Transport: settings for connections to the server and the request rate.

use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::{ClientBuilder, Proxy, Url};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::tls;
use super::token::Credential;
use super::{TargetError, chain};

/// The default for the longest wait that a server can request.
pub const DEFAULT_PATIENCE: Duration = Duration::from_secs(30);

/// Settings for connections and the request rate.
#[derive(Debug, Clone)]
pub struct Transport {
    /// The pause between two requests. Zero for none.
    pub pause: Duration,
    /// The longest wait for a `Retry-After` of a 429 or 503. Zero for none.
    pub patience: Duration,
    /// A PEM file of certificates that are trusted besides those of the system.
    pub cacert: Option<PathBuf>,
    /// A PEM file with the runner's certificate and its key.
    pub client_cert: Option<PathBuf>,
    /// The address of the proxy.
    pub proxy: Option<String>,
    /// The source of the credential.
    pub credential: Option<Credential>,
}

impl Default for Transport {
    fn default() -> Self {
        Self {
            pause: Duration::ZERO,
            patience: DEFAULT_PATIENCE,
            cacert: None,
            client_cert: None,
            proxy: None,
            credential: None,
        }
    }
}

impl Transport {
    /// The proxy's address.
    ///
    /// # Errors
    /// The text is not an http address.
    pub fn proxy(&self) -> Result<Option<Url>, TargetError> {
        let Some(text) = &self.proxy else {
            return Ok(None);
        };
        let url = Url::parse(text).ok();
        let url = url.filter(|url| url.scheme() == "http" && url.has_host());
        let wrong = || TargetError::Setup("the proxy is not an http address".to_owned());
        url.map(Some).ok_or_else(wrong)
    }

    /// Whether connections need neither certificates nor a proxy.
    pub(super) fn is_plain(&self) -> bool {
        self.cacert.is_none() && self.client_cert.is_none() && self.proxy.is_none()
    }

    /// Applies the settings to an HTTP client.
    pub(super) fn prepare(&self, mut builder: ClientBuilder) -> Result<ClientBuilder, TargetError> {
        if self.cacert.is_some() || self.client_cert.is_some() {
            let trusted = self.trusted()?;
            let config = tls::config(&trusted, self.identity()?);
            let wrong = |error: rustls::Error| TargetError::Setup(chain(&error));
            builder = builder.tls_backend_preconfigured(config.map_err(wrong)?);
        }
        if let Some(proxy) = self.proxy()? {
            let proxy = Proxy::all(proxy);
            let wrong = |error| TargetError::Setup(chain(&error));
            builder = builder.proxy(proxy.map_err(wrong)?);
        }
        Ok(builder)
    }

    /// The certificates that are trusted besides those of the system.
    fn trusted(&self) -> Result<Vec<CertificateDer<'static>>, TargetError> {
        let Some(file) = &self.cacert else {
            return Ok(Vec::new());
        };
        let wrong = |error: String| unusable("certificates", file, &error);
        let pem = read(file, wrong)?;
        let all: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
        let all = all.map_err(|error| wrong(chain(&error)))?;
        if all.is_empty() {
            return Err(wrong("the file contains none".to_owned()));
        }
        Ok(all)
    }

    /// The runner's certificate with its chain, and its key.
    fn identity(&self) -> Result<Option<tls::Identity>, TargetError> {
        let Some(file) = &self.client_cert else {
            return Ok(None);
        };
        let wrong = |error: String| unusable("certificate and key", file, &error);
        let pem = read(file, wrong)?;
        let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
        let certificates = certificates.map_err(|error| wrong(chain(&error)))?;
        let key = PrivateKeyDer::from_pem_slice(&pem);
        let key = key.map_err(|error| wrong(chain(&error)))?;
        Ok(Some((certificates, key)))
    }
}

fn read(file: &Path, wrong: impl Fn(String) -> TargetError) -> Result<Vec<u8>, TargetError> {
    std::fs::read(file).map_err(|error| wrong(error.to_string()))
}

fn unusable(what: &str, file: &Path, error: &str) -> TargetError {
    TargetError::Setup(format!(
        "the {what} in {} cannot be used: {error}",
        file.display()
    ))
}

/// Parses a rate such as `20/s`, `600/m` or `20` (a second). Returns the pause between two
/// requests.
///
/// # Errors
/// The text is not a rate.
pub fn rate(text: &str) -> Result<Duration, String> {
    let (number, unit) = text.split_once('/').unwrap_or((text, "s"));
    let seconds = match unit {
        "s" => Some(1.0),
        "m" => Some(60.0),
        _ => None,
    };
    let number = number.parse().ok().filter(|number: &f64| *number > 0.0);
    let pause = seconds
        .zip(number)
        .map(|(seconds, number)| seconds / number);
    pause
        .and_then(|pause| Duration::try_from_secs_f64(pause).ok())
        .ok_or_else(|| "not a rate such as 20/s or 600/m".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_pauses() {
        for (text, millis) in [
            ("20/s", Some(50)),
            ("20", Some(50)),
            ("600/m", Some(100)),
            ("0.5/s", Some(2000)),
            ("0/s", None),
            ("-1/s", None),
            ("20/h", None),
            ("fast", None),
        ] {
            assert_eq!(rate(text).ok(), millis.map(Duration::from_millis), "{text}");
        }
    }

    #[test]
    fn a_proxy_is_an_address() {
        let proxy = |text: &str| {
            let transport = Transport {
                proxy: Some(text.to_owned()),
                ..Transport::default()
            };
            transport.proxy().is_ok()
        };
        assert!(proxy("http://127.0.0.1:3128") && !proxy("127.0.0.1:3128") && !proxy("ftp://a"));
    }
}
