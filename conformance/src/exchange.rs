//! Exchange: a request as sent, with its answer or the reason for a missing answer.

use std::time::Duration;

use openapi_document::view::Method;
use openapi_document::{Node, json};

use crate::change::Change;
use crate::encoding::Encoding;

/// A request as it is sent.
#[derive(Debug, Clone)]
pub struct Sent {
    /// The case or step that sends it.
    pub case: String,
    /// The operation that it calls.
    pub operation: String,
    /// The method.
    pub method: Method,
    /// The full address with its query.
    pub url: String,
    /// The path arguments, unescaped.
    pub path_arguments: Vec<(String, String)>,
    /// The query arguments, unescaped.
    pub query: Vec<(String, String)>,
    /// All headers that the runner sets, including credentials.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Option<Vec<u8>>,
    /// The body as a value, when it is JSON or a form.
    pub json: Option<Node>,
    /// How that value is serialized.
    pub encoding: Encoding,
    /// The parts without secrets, for reports.
    pub shown: Shown,
    /// The values of the contract's example that the run replaced.
    pub changes: Vec<Change>,
}

/// A request without the values that the contract marks as secret.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// The address.
    pub url: String,
    /// The body.
    pub body: Option<String>,
    /// Names of secret headers, with placeholders for their values.
    pub headers: Vec<(String, String)>,
    /// The secret values that were left out.
    pub secrets: Vec<String>,
}

/// An answer that was read completely.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// Headers in their order; names in lower case, values as bytes.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body, or why it could not be read.
    pub body: Result<Vec<u8>, BodyFault>,
    json: Option<Result<Node, JsonFault>>,
}

/// Why the body could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BodyFault {
    /// The body ended early.
    Incomplete {
        /// Bytes received.
        received: usize,
        /// The error of the transport.
        reason: String,
    },
    /// The body is larger than the runner reads.
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
    /// The body did not end within the time limit.
    TooSlow {
        /// Bytes received.
        received: usize,
    },
}

/// Why the bytes of a body are not a JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JsonFault {
    /// Not UTF-8 from this byte on.
    Utf8(usize),
    /// Not JSON.
    Json {
        /// The error of the parser.
        message: String,
        /// The byte at which it occurs.
        at: u32,
    },
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoAnswer {
    /// No answer within the time limit.
    Timeout(Duration),
    /// The connection ended, could not be opened, or carried something that is not HTTP.
    Closed(String),
    /// The runner did not send the request, for this reason.
    Withheld(String),
}

/// A request with its answer.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// The request.
    pub sent: Sent,
    /// The answer.
    pub outcome: Result<Answer, NoAnswer>,
}

impl Sent {
    /// The value of a header that the runner sets.
    pub fn header(&self, name: &str) -> Option<&str> {
        let same = |(header, _): &&(String, String)| header.eq_ignore_ascii_case(name);
        self.headers
            .iter()
            .find(same)
            .map(|(_, value)| value.as_str())
    }

    /// The same request with other headers; `shown` gives the placeholder of a secret one.
    #[must_use]
    pub fn with_all(
        mut self,
        headers: &[(String, String)],
        shown: impl Fn(&str) -> Option<String>,
    ) -> Self {
        for (name, value) in headers {
            let is_same = |candidate: &str| candidate.eq_ignore_ascii_case(name);
            self.headers.retain(|(header, _)| !is_same(header));
            self.headers.push((name.clone(), value.clone()));
            if let Some(shown) = shown(name) {
                self.shown.headers.retain(|(header, _)| !is_same(header));
                self.shown.headers.push((name.clone(), shown));
            }
        }
        self
    }

    /// A GET request of the same client at this address, without the last `dropped` segments of its
    /// path.
    #[must_use]
    pub fn reading(&self, dropped: usize) -> Self {
        let mut sent = self.clone();
        sent.method = Method::Get;
        sent.url = without_segments(&self.url, dropped);
        sent.shown.url = without_segments(&self.shown.url, dropped);
        sent.query.clear();
        sent.body = None;
        sent.json = None;
        let is_of_body = |name: &str| name.to_ascii_lowercase().starts_with("content-");
        sent.headers.retain(|(name, _)| !is_of_body(name));
        sent.shown.body = None;
        sent.operation.clear();
        sent.changes.clear();
        sent
    }

    /// The same request at the address of another one.
    #[must_use]
    pub fn addressed_like(mut self, other: &Self) -> Self {
        self.url.clone_from(&other.url);
        self.shown.url.clone_from(&other.shown.url);
        self.path_arguments.clone_from(&other.path_arguments);
        self
    }

    /// The same request with the headers of another client; reports show `shown` as their values.
    #[must_use]
    pub fn by(&self, others: &[(String, String)], shown: &str) -> Self {
        self.clone().with_all(others, |_| Some(shown.to_owned()))
    }
}

/// An address without its query and the last segments of its path.
fn without_segments(url: &str, dropped: usize) -> String {
    let path = url.split('?').next().unwrap_or_default();
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.truncate(parts.len().saturating_sub(dropped));
    parts.join("/")
}

impl Shown {
    /// The placeholder for a header's value. `None` when the value is not secret.
    pub fn header(&self, name: &str) -> Option<String> {
        let same = |(header, _): &&(String, String)| header.eq_ignore_ascii_case(name);
        self.headers
            .iter()
            .find(same)
            .map(|(_, shown)| shown.clone())
    }
}

impl Answer {
    /// Creates an answer, and parses its body as JSON.
    pub fn new(
        status: u16,
        headers: Vec<(String, Vec<u8>)>,
        body: Result<Vec<u8>, BodyFault>,
    ) -> Self {
        let json = match &body {
            Ok(bytes) if !bytes.is_empty() => Some(read(bytes)),
            _ => None,
        };
        Self {
            status,
            headers,
            body,
            json,
        }
    }

    /// The first header with a name (in lower case), as text.
    pub fn header(&self, name: &str) -> Option<String> {
        let same = |(header, _): &&(String, Vec<u8>)| header.eq_ignore_ascii_case(name);
        let (_, value) = self.headers.iter().find(same)?;
        Some(String::from_utf8_lossy(value).into_owned())
    }

    /// The body as JSON. `None` when it is empty or not JSON.
    pub fn json(&self) -> Option<&Node> {
        self.json.as_ref()?.as_ref().ok()
    }

    /// Why the body is not JSON. `None` when it is JSON or empty.
    pub fn json_fault(&self) -> Option<&JsonFault> {
        self.json.as_ref()?.as_ref().err()
    }

    /// Whether the status is a 2xx.
    pub fn is_success(&self) -> bool {
        self.status / 100 == 2
    }
}

fn read(bytes: &[u8]) -> Result<Node, JsonFault> {
    let text = std::str::from_utf8(bytes).map_err(|error| JsonFault::Utf8(error.valid_up_to()))?;
    json::read_text(text).map_err(|error| JsonFault::Json {
        message: error.message,
        at: error.start,
    })
}
