//! Converts a request to what the direct client sends.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{ACCEPT, CONNECTION, HOST, HeaderName, HeaderValue};
use hyper::{Method, Request, Uri};
use openapi_document::view;
use reqwest::Url;

use super::chain;
use crate::exchange::Sent;

/// A request with the address of its server.
#[derive(Debug, Clone)]
pub(super) struct Outgoing {
    /// The host name or IP address.
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) request: Request<Full<Bytes>>,
}

impl Outgoing {
    /// Converts a request.
    ///
    /// # Errors
    /// HTTP has no such request; gives the reason.
    pub(super) fn new(sent: &Sent) -> Result<Self, String> {
        let url = Url::parse(&sent.url).map_err(|error| chain(&error))?;
        let uri: Uri = url.as_str().parse().map_err(|error| chain(&error))?;
        let host = url.host_str().ok_or("the address has no host")?;
        let path = uri.path_and_query().map_or("/", |target| target.as_str());
        let mut request = Request::new(Full::default());
        *request.uri_mut() = path.parse().map_err(|error| chain(&error))?;
        *request.method_mut() =
            Method::from_bytes(sent.method.as_str().as_bytes()).map_err(|error| chain(&error))?;
        let headers = request.headers_mut();
        for (name, value) in &sent.headers {
            let name = HeaderName::from_bytes(name.as_bytes()).map_err(|error| chain(&error))?;
            let value = HeaderValue::from_bytes(value.as_bytes());
            headers.append(name, value.map_err(|error| chain(&error))?);
        }
        let any = HeaderValue::from_static("*/*");
        headers.entry(ACCEPT).or_insert(any);
        if !headers.contains_key(HOST) {
            let authority = HeaderValue::from_str(url.authority());
            headers.insert(HOST, authority.map_err(|error| chain(&error))?);
        }
        if sent.method == view::Method::Head {
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        if let Some(body) = &sent.body {
            *request.body_mut() = Full::new(Bytes::from(body.clone()));
        }
        Ok(Self {
            host: host.trim_matches(['[', ']']).to_owned(),
            port: url.port_or_known_default().unwrap_or(80),
            request,
        })
    }
}
