//! Traffic: an exchange without its secrets, for reports.

use serde::Serialize;

use crate::exchange::{Answer, BodyFault, NoAnswer, Sent};
use crate::secrets::Secrets;

/// The longest body to keep, in bytes.
const LONGEST_BODY: usize = 64 * 1024;

/// One request with its answer, without secrets.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Traffic {
    /// The case or step that sent it.
    pub case: String,
    /// The operation.
    pub operation_id: String,
    /// The time of sending, in milliseconds since 1970.
    pub started_ms: u64,
    /// The duration in microseconds.
    pub duration_us: u64,
    /// The request.
    pub request: Request,
    /// The answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response: Option<Response>,
    /// Why there is no complete answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// A request without secrets.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// The method.
    pub method: &'static str,
    /// The address with its query.
    pub url: String,
    /// Names and values.
    pub headers: Vec<(String, String)>,
    /// The body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
    /// The `curl` command that repeats it.
    pub curl: String,
}

/// An answer without secrets.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// Names and values.
    pub headers: Vec<(String, String)>,
    /// The body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
}

/// A body without secrets.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Body {
    /// The media type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// The text. Absent when the body is not text or must not be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The size on the wire, in bytes.
    pub bytes: usize,
    /// Whether the text was cut.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

/// The documented body and the received one, both as JSON.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// The case.
    pub case: String,
    /// The body in the contract.
    pub documented: String,
    /// The received body.
    pub received: String,
}

impl Body {
    fn new(media_type: Option<String>, text: Option<String>, bytes: usize) -> Self {
        let mut body = Self {
            media_type,
            text,
            bytes,
            cut: false,
        };
        if let Some(text) = body.text.as_mut().filter(|text| text.len() > LONGEST_BODY) {
            text.truncate(text.floor_char_boundary(LONGEST_BODY));
            body.cut = true;
        }
        body
    }
}

/// A request without its secrets.
pub fn request(sent: &Sent, secrets: &Secrets) -> Request {
    let header = |(name, value): &(String, String)| {
        let shown = secrets.header(name).map(str::to_owned);
        let shown = shown.or_else(|| sent.shown.header(name));
        (name.clone(), shown.unwrap_or_else(|| secrets.redact(value)))
    };
    let media_type = sent.header("content-type");
    let body = sent.body.as_ref().map(|bytes| {
        let text = sent.shown.body.as_deref().map(|text| secrets.redact(text));
        Body::new(
            media_type.map(|name| secrets.redact(name)),
            text,
            bytes.len(),
        )
    });
    Request {
        method: sent.method.as_str(),
        url: secrets.redact(&sent.shown.url),
        headers: sent.headers.iter().map(header).collect(),
        body,
        curl: crate::curl::command(sent, secrets),
    }
}

/// An answer without its secrets. `json` is its body when that is JSON and may be shown; `secret`
/// names the headers that the contract marks as secret.
pub fn response(
    answer: &Answer,
    json: Option<String>,
    secret: &[String],
    secrets: &Secrets,
) -> Response {
    let header = |(name, value): &(String, Vec<u8>)| {
        let is_secret = secret
            .iter()
            .any(|header| header.eq_ignore_ascii_case(name));
        let shown = if is_secret {
            crate::compose::SECRET.to_owned()
        } else if name.eq_ignore_ascii_case("set-cookie") {
            cookie(&String::from_utf8_lossy(value))
        } else {
            String::from_utf8_lossy(value).into_owned()
        };
        (name.clone(), secrets.redact(&shown))
    };
    Response {
        status: answer.status,
        headers: answer.headers.iter().map(header).collect(),
        body: answer_body(answer, json, secrets),
    }
}

/// The body of an answer without its secrets. `json` as for [`response`].
pub(crate) fn answer_body(
    answer: &Answer,
    json: Option<String>,
    secrets: &Secrets,
) -> Option<Body> {
    let bytes = answer
        .body
        .as_ref()
        .ok()
        .filter(|bytes| !bytes.is_empty())?;
    let media_type = answer.header("content-type");
    let is_json = media_type
        .as_deref()
        .is_some_and(openapi_document::view::is_json);
    let plain = || {
        // A compressed body may contain a secret that the runner does not find. In invalid JSON it
        // cannot look up which places are secret.
        let readable = answer.header("content-encoding").is_none() && !is_json;
        readable
            .then(|| String::from_utf8(bytes.clone()).ok())
            .flatten()
    };
    let text = json.or_else(plain).map(|text| secrets.redact(&text));
    let media_type = media_type.map(|name| secrets.redact(&name));
    Some(Body::new(media_type, text, bytes.len()))
}

/// A cookie without its value.
fn cookie(text: &str) -> String {
    let (pair, attributes) = text.split_once(';').unwrap_or((text, ""));
    let name = pair.split_once('=').map_or("", |(name, _)| name);
    let mark = if attributes.is_empty() { "" } else { ";" };
    format!("{name}={}{mark}{attributes}", crate::compose::SECRET)
}

/// Why there is no complete answer. `None` when there is one.
pub fn failure(outcome: &Result<Answer, NoAnswer>) -> Option<String> {
    let fault = match outcome {
        Err(NoAnswer::Timeout(limit)) => return Some(format!("nothing within {limit:?}")),
        Err(NoAnswer::Closed(reason) | NoAnswer::Withheld(reason)) => return Some(reason.clone()),
        Ok(answer) => answer.body.as_ref().err()?,
    };
    Some(match fault {
        BodyFault::Incomplete { received, reason } => format!("{received} bytes, then: {reason}"),
        BodyFault::TooLarge { limit } => format!("a body of more than {limit} bytes"),
        BodyFault::TooSlow { received } => format!("{received} bytes of a body without an end"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(headers: &[(&str, &str)], body: &[u8]) -> Response {
        let header = |(name, value): &(&str, &str)| ((*name).to_owned(), value.as_bytes().to_vec());
        let headers = headers.iter().map(header).collect();
        let answer = Answer::new(200, headers, Ok(body.to_vec()));
        response(&answer, None, &["x-token".to_owned()], &Secrets::default())
    }

    #[test]
    fn headers_that_carry_secrets_are_not_shown() {
        let shown = answer(
            &[
                ("set-cookie", "session=abcdef; Path=/; Secure"),
                ("X-Token", "tok"),
                ("server", "one"),
            ],
            b"",
        );
        let values: Vec<&str> = shown.headers.iter().map(|(_, value)| &**value).collect();
        assert_eq!(
            values,
            [
                "session=$CONFORMANCE_SECRET; Path=/; Secure",
                "$CONFORMANCE_SECRET",
                "one"
            ]
        );
        assert!(shown.body.is_none());
    }

    #[test]
    fn bodies_whose_secrets_cannot_be_found_are_counted_only() {
        let text = |headers: &[(&str, &str)], body: &[u8]| answer(headers, body).body.unwrap();
        let plain = text(&[("content-type", "text/html")], b"<p>");
        assert_eq!((plain.text.as_deref(), plain.bytes), (Some("<p>"), 3));
        let broken = text(
            &[("content-type", "application/json")],
            b"{\"pin\":\"1234\"",
        );
        assert_eq!((broken.text, broken.bytes), (None, 13));
        assert_eq!(text(&[("content-encoding", "gzip")], b"abc").text, None);
        assert_eq!(text(&[], b"\xff\xfe").text, None);
        let long = text(&[], "ü".repeat(LONGEST_BODY).as_bytes());
        assert!(long.cut && long.text.unwrap().len() <= LONGEST_BODY);
    }
}
