//! Bodies of the media type `multipart/form-data`.

use bytes::Bytes;

use super::json::Unreadable;
use super::uuid::Uuid;

/// The media type of these bodies, without its boundary.
pub const MEDIA_TYPE: &str = "multipart/form-data";

/// One part of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The name of the field.
    pub name: String,
    /// The name of the file, for parts that are files.
    pub file_name: Option<String>,
    /// The media type, for parts that say one.
    pub media_type: Option<String>,
    /// The content.
    pub content: Bytes,
}

impl Part {
    /// A field of text.
    pub fn text(name: &str, text: impl Into<String>) -> Self {
        let content = Bytes::from(text.into());
        Self {
            name: name.to_owned(),
            file_name: None,
            media_type: None,
            content,
        }
    }

    /// A file.
    pub fn file(name: &str, file_name: &str, content: impl Into<Bytes>) -> Self {
        Self {
            name: name.to_owned(),
            file_name: Some(file_name.to_owned()),
            media_type: Some("application/octet-stream".to_owned()),
            content: content.into(),
        }
    }
}

/// Writes the parts; gives the value of `Content-Type`, with the boundary, and the body.
pub fn write(parts: &[Part]) -> (String, Bytes) {
    let boundary = Uuid::random().to_string();
    let mut body = Vec::new();
    for part in parts {
        let name = quoted(&part.name);
        body.extend(format!("--{boundary}\r\nContent-Disposition: form-data; name={name}").bytes());
        if let Some(file_name) = &part.file_name {
            body.extend(format!("; filename={}", quoted(file_name)).bytes());
        }
        if let Some(media_type) = &part.media_type {
            body.extend(
                format!("\r\nContent-Type: {}", media_type.replace(['\r', '\n'], "")).bytes(),
            );
        }
        body.extend(b"\r\n\r\n");
        body.extend_from_slice(&part.content);
        body.extend(b"\r\n");
    }
    body.extend(format!("--{boundary}--\r\n").bytes());
    (format!("{MEDIA_TYPE}; boundary={boundary}"), body.into())
}

/// Escaped as browsers do it. What looks like such an escape already is not told apart, by them
/// neither.
fn quoted(text: &str) -> String {
    let text = text
        .replace('"', "%22")
        .replace('\r', "%0D")
        .replace('\n', "%0A");
    format!("\"{text}\"")
}

/// Reads the parts of a body whose `Content-Type` is given.
pub fn read(content_type: &str, body: &Bytes) -> Result<Vec<Part>, Unreadable> {
    let boundary = directive(content_type, "boundary")
        .ok_or_else(|| Unreadable::malformed("the content type names no boundary"))?;
    let delimiter = format!("\r\n--{boundary}");
    // The first delimiter has no line break before it when there is no preamble.
    let mut at = match find(body, delimiter.as_bytes(), 0) {
        _ if body.starts_with(&delimiter.as_bytes()[2..]) => delimiter.len() - 2,
        Some(start) => start + delimiter.len(),
        None => return Err(broken()),
    };
    let mut parts = Vec::new();
    while !body[at..].starts_with(b"--") {
        let end = find(body, delimiter.as_bytes(), at).ok_or_else(broken)?;
        let head = find(body, b"\r\n\r\n", at)
            .filter(|head| head + 4 <= end)
            .ok_or_else(broken)?;
        parts.push(part(&body[at..head], body.slice(head + 4..end))?);
        at = end + delimiter.len();
    }
    Ok(parts)
}

fn part(head: &[u8], content: Bytes) -> Result<Part, Unreadable> {
    let head = std::str::from_utf8(head).map_err(|_| broken())?;
    let headers = || head.lines().filter_map(|line| line.split_once(':'));
    let header = |wanted: &str| {
        let mut values = headers().filter(|(name, _)| name.trim().eq_ignore_ascii_case(wanted));
        values.next().map(|(_, value)| value.trim())
    };
    let disposition = header("content-disposition").ok_or_else(broken)?;
    Ok(Part {
        name: directive(disposition, "name").ok_or_else(broken)?,
        file_name: directive(disposition, "filename"),
        media_type: header("content-type").map(str::to_owned),
        content,
    })
}

/// The value of `name` in `…; name=value; …`, quoted or not.
fn directive(header: &str, name: &str) -> Option<String> {
    let mut rest = header.split_once(';')?.1;
    loop {
        let (key, value) = rest.split_once('=')?;
        let (value, tail) = match value.trim_start().strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => value
                .split_once(';')
                .map_or((value, ""), |(value, tail)| (value.trim(), tail)),
        };
        if key.trim().eq_ignore_ascii_case(name) {
            let value = value
                .replace("%22", "\"")
                .replace("%0D", "\r")
                .replace("%0A", "\n");
            return Some(value);
        }
        rest = tail.trim_start().trim_start_matches(';');
    }
}

fn find(body: &[u8], wanted: &[u8], from: usize) -> Option<usize> {
    let tail = body.get(from..)?;
    tail.windows(wanted.len())
        .position(|window| window == wanted)
        .map(|index| from + index)
}

fn broken() -> Unreadable {
    Unreadable::malformed("the parts of the body are broken")
}
