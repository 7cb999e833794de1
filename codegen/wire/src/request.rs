//! A request as the specification demands it, byte for byte.

use std::fmt::Write as _;

use super::case::{Bytes, Case};
use super::encoding::Part;

/// Separates the parts of a body.
const BOUNDARY: &str = "wire-boundary";

/// The whole request of a case.
pub(super) fn raw(case: &Case) -> String {
    let (mut query, mut cookies, mut headers) = (Vec::new(), Vec::new(), String::new());
    let mut body = None;
    for piece in &case.pieces {
        match &piece.bytes {
            Bytes::Path => {}
            Bytes::Query(pairs) => query.extend(pairs.clone()),
            Bytes::Cookie(pairs) => cookies.extend(pairs.clone()),
            Bytes::Header(name, value) => {
                let _ = write!(headers, "{name}: {value}\r\n");
            }
            Bytes::Json(media_type, value) => body = Some((media_type.clone(), value.to_string())),
            Bytes::Plain(media_type, text) => body = Some((media_type.clone(), text.clone())),
            Bytes::Form(pairs) => {
                let media_type = "application/x-www-form-urlencoded".to_owned();
                body = Some((media_type, pairs.join("&")));
            }
            Bytes::Multipart(parts) => {
                let media_type = format!("multipart/form-data; boundary={BOUNDARY}");
                body = Some((media_type, multipart(parts)));
            }
        }
    }
    if !cookies.is_empty() {
        let _ = write!(headers, "cookie: {}\r\n", cookies.join("; "));
    }
    let body = body.map_or_else(String::new, |(media_type, body)| {
        let length = body.len();
        let _ = write!(
            headers,
            "content-type: {media_type}\r\ncontent-length: {length}\r\n"
        );
        body
    });
    let mut target = case.path.clone();
    if !query.is_empty() {
        let _ = write!(target, "?{}", query.join("&"));
    }
    format!(
        "{} {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx-exchange: 0\r\n{headers}\r\n{body}",
        case.method
    )
}

/// A body by RFC 7578.
fn multipart(parts: &[Part]) -> String {
    let mut body = String::new();
    for part in parts {
        let _ = write!(
            body,
            "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{}\"",
            part.name
        );
        if let Some(file) = &part.file {
            let _ = write!(body, "; filename=\"{file}\"");
        }
        if let Some(media_type) = &part.media_type {
            let _ = write!(body, "\r\ncontent-type: {media_type}");
        }
        let _ = write!(body, "\r\n\r\n{}\r\n", part.content);
    }
    let _ = write!(body, "--{BOUNDARY}--\r\n");
    body
}
