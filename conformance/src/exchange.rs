//! What went over the wire: a request as sent, and the answer or the lack of one.

use std::time::Duration;

use openapi_document::view::Method;
use openapi_document::{Node, json};

use crate::change::Change;
use crate::encoding::Encoding;

/// A request as it is sent.
#[derive(Debug, Clone)]
pub struct Sent {
    /// The case or step it is sent for.
    pub case: String,
    /// The operation it calls.
    pub operation: String,
    /// The method.
    pub method: Method,
    /// The full address with its query.
    pub url: String,
    /// The path arguments, unescaped.
    pub path_arguments: Vec<(String, String)>,
    /// The query arguments, unescaped.
    pub query: Vec<(String, String)>,
    /// All headers that the runner sets; credentials included.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Option<Vec<u8>>,
    /// The body as a value, where it is JSON or a form.
    pub json: Option<Node>,
    /// How that is written.
    pub encoding: Encoding,
    /// What may be shown of it.
    pub shown: Shown,
    /// Which values of the contract's example the run replaced.
    pub changes: Vec<Change>,
}

/// A request as it may be shown: what the contract marks as secret is left out.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// The address.
    pub url: String,
    /// The body.
    pub body: Option<String>,
    /// Names and shown values of the headers that are secret.
    pub headers: Vec<(String, String)>,
    /// The secret values that were left out.
    pub secrets: Vec<String>,
}

/// An answer, read to its end.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// Headers in their order; names in lower case, values as bytes.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body, or why there is none to judge.
    pub body: Result<Vec<u8>, BodyFault>,
    json: Option<Result<Node, JsonFault>>,
}

/// Why the body could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BodyFault {
    /// It ended early, after this many bytes.
    Incomplete {
        /// Bytes that came.
        received: usize,
        /// What the transport said.
        reason: String,
    },
    /// It is larger than the runner reads.
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
    /// It did not end within the time limit.
    TooSlow {
        /// Bytes that came.
        received: usize,
    },
}

/// Why the bytes of a body are no JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JsonFault {
    /// Not UTF-8, from this byte on.
    Utf8(usize),
    /// Not JSON: what is wrong, and at which byte.
    Json {
        /// What is wrong.
        message: String,
        /// The byte.
        at: u32,
    },
}

/// Why no answer came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoAnswer {
    /// Nothing within the time limit.
    Timeout(Duration),
    /// The connection ended, could not be made, or carried something that is not HTTP.
    Closed(String),
    /// The request was not sent; why.
    Withheld(String),
}

/// A request and what came of it.
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
        let same = |(own, _): &&(String, String)| own.eq_ignore_ascii_case(name);
        self.headers
            .iter()
            .find(same)
            .map(|(_, value)| value.as_str())
    }

    /// The same request with other headers; `shown` says what stands in the place of a secret one.
    #[must_use]
    pub fn with_all(
        mut self,
        headers: &[(String, String)],
        shown: impl Fn(&str) -> Option<String>,
    ) -> Self {
        for (name, value) in headers {
            let is_same = |own: &str| own.eq_ignore_ascii_case(name);
            self.headers.retain(|(own, _)| !is_same(own));
            self.headers.push((name.clone(), value.clone()));
            if let Some(shown) = shown(name) {
                self.shown.headers.retain(|(own, _)| !is_same(own));
                self.shown.headers.push((name.clone(), shown));
            }
        }
        self
    }

    /// A request by the same sender that reads at the address, without the last segments of its path.
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

    /// The same request with the headers of somebody else, in whose place something else is shown.
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
    /// What stands in the place of a secret header's value; `None` where it may be shown.
    pub fn header(&self, name: &str) -> Option<String> {
        let same = |(own, _): &&(String, String)| own.eq_ignore_ascii_case(name);
        self.headers
            .iter()
            .find(same)
            .map(|(_, shown)| shown.clone())
    }
}

impl Answer {
    /// An answer; its body is read as JSON once, here.
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

    /// The first header of that name (in lower case), as text.
    pub fn header(&self, name: &str) -> Option<String> {
        let same = |(own, _): &&(String, Vec<u8>)| own.eq_ignore_ascii_case(name);
        let (_, value) = self.headers.iter().find(same)?;
        Some(String::from_utf8_lossy(value).into_owned())
    }

    /// The body as JSON, where it is JSON.
    pub fn json(&self) -> Option<&Node> {
        self.json.as_ref()?.as_ref().ok()
    }

    /// Why the body is no JSON, where there is a body and it is none.
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
