//! Writes `traffic.har`: requests and answers as HAR 1.2.

use jiff::Timestamp;
use percent_encoding::percent_decode_str;
use reqwest::StatusCode;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::{Record, pretty};
use crate::tool::TOOL;
use crate::traffic::{Body, Traffic};

/// The version of HTTP in requests.
const HTTP: &str = "HTTP/1.1";

/// The text of `traffic.har`.
///
/// # Errors
/// It cannot be serialized.
pub fn text(record: &Record) -> Result<String, serde_json::Error> {
    let log = Log {
        version: "1.2",
        creator: json!({ "name": TOOL.name, "version": TOOL.version }),
        pages: [],
        entries: Entries(&record.exchanges),
        comment: "Secrets are replaced by placeholders such as $CONFORMANCE_AUTH.",
    };
    pretty(&Archive { log })
}

#[derive(Serialize)]
struct Archive<'r> {
    log: Log<'r>,
}

#[derive(Serialize)]
struct Log<'r> {
    version: &'static str,
    creator: Value,
    pages: [(); 0],
    entries: Entries<'r>,
    comment: &'static str,
}

/// Serializes each entry when it is written, because there may be very many.
struct Entries<'r>(&'r [Traffic]);

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(entry))
    }
}

fn entry(traffic: &Traffic) -> Value {
    let time = milliseconds(traffic.duration_us);
    let mut entry = json!({
        "startedDateTime": timestamp(traffic.started_ms),
        "time": time,
        "request": request(traffic),
        "response": response(traffic),
        "cache": {},
        // The runner measures waiting and receiving together.
        "timings": { "send": 0, "wait": time, "receive": 0 },
        "comment": traffic.case,
        "_operationId": traffic.operation_id,
    });
    if let (Some(entry), Some(failure)) = (entry.as_object_mut(), &traffic.failure) {
        entry.insert("_error".to_owned(), json!(failure));
    }
    entry
}

fn request(traffic: &Traffic) -> Value {
    let request = &traffic.request;
    let mut value = json!({
        "method": request.method,
        "url": request.url,
        "httpVersion": HTTP,
        "cookies": [],
        "headers": pairs(&request.headers),
        "queryString": query(&request.url),
        "headersSize": -1,
        "bodySize": request.body.as_ref().map_or(0, |body| body.bytes),
    });
    if let (Some(value), Some(body)) = (value.as_object_mut(), &request.body) {
        let post = json!({
            "mimeType": body.media_type.as_deref().unwrap_or_default(),
            "params": [],
            "text": body.text.as_deref().unwrap_or_default(),
        });
        value.insert("postData".to_owned(), post);
    }
    value
}

/// A status of 0 means that there was no answer.
fn response(traffic: &Traffic) -> Value {
    let response = traffic.response.as_ref();
    let status = response.map_or(0, |response| response.status);
    let reason = StatusCode::from_u16(status).ok();
    let reason = reason.and_then(|code| code.canonical_reason());
    let headers = response
        .map(|response| response.headers.as_slice())
        .unwrap_or_default();
    let location = headers.iter().find(|(name, _)| name == "location");
    let body = response.and_then(|response| response.body.as_ref());
    json!({
        "status": status,
        "statusText": reason.unwrap_or_default(),
        "httpVersion": if response.is_some() { HTTP } else { "" },
        "cookies": [],
        "headers": pairs(headers),
        "content": content(body),
        "redirectURL": location.map_or("", |(_, value)| value),
        "headersSize": -1,
        "bodySize": body.map_or(0, |body| body.bytes),
    })
}

fn content(body: Option<&Body>) -> Value {
    let Some(body) = body else {
        return json!({ "size": 0, "mimeType": "" });
    };
    let mut content = json!({
        "size": body.bytes,
        "mimeType": body.media_type.as_deref().unwrap_or_default(),
    });
    let comment = match (&body.text, body.cut) {
        (None, _) => Some("not shown: the runner cannot tell which parts are secret"),
        (_, true) => Some("cut: the body is longer"),
        _ => None,
    };
    if let Some(content) = content.as_object_mut() {
        content.extend({ body.text.iter() }.map(|text| ("text".to_owned(), json!(text))));
        content.extend({ comment.iter() }.map(|text| ("comment".to_owned(), json!(text))));
    }
    content
}

fn pairs(pairs: &[(String, String)]) -> Vec<Value> {
    let pair = |(name, value): &(String, String)| json!({ "name": name, "value": value });
    pairs.iter().map(pair).collect()
}

fn query(url: &str) -> Vec<Value> {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let query = url.split_once('?').map_or("", |(_, query)| query);
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        json!({ "name": decoded(name), "value": decoded(value) })
    };
    pairs.map(pair).collect()
}

fn timestamp(milliseconds: u64) -> String {
    let milliseconds = i64::try_from(milliseconds).unwrap_or(i64::MAX);
    let time = Timestamp::from_millisecond(milliseconds).unwrap_or_default();
    time.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

/// Milliseconds with three decimal places.
fn milliseconds(microseconds: u64) -> f64 {
    std::time::Duration::from_micros(microseconds).as_secs_f64() * 1000.0
}
