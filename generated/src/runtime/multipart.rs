//! Bodies of the media type `multipart/form-data`.

use std::fmt;

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::json::{self, Unreadable};
use super::media_type;
use super::parameter::{Tree, read_tree};
use super::uuid::Uuid;

/// The media type of these bodies, without its boundary.
pub const MEDIA_TYPE: &str = "multipart/form-data";

/// The media type of parts that are objects.
const JSON: &str = "application/json";

/// One part of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The name of the field.
    pub name: String,
    /// The content, with what the part says about it.
    pub file: File,
}

/// A file that is sent: its content, and what is said about it.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct File {
    /// The name of the file, if it has one.
    pub name: Option<String>,
    /// The media type, if it is said.
    pub media_type: Option<String>,
    /// The content.
    pub content: Bytes,
}

impl File {
    /// A file of bytes.
    pub fn new(name: impl Into<String>, content: impl Into<Bytes>) -> Self {
        let media_type = Some("application/octet-stream".to_owned());
        Self {
            name: Some(name.into()),
            media_type,
            content: content.into(),
        }
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("File")
            .field("name", &self.name)
            .field("media_type", &self.media_type)
            .field("content", &format_args!("[{} bytes]", self.content.len()))
            .finish()
    }
}

impl Part {
    /// A file.
    pub fn file(name: &str, file: &File) -> Self {
        Self {
            name: name.to_owned(),
            file: file.clone(),
        }
    }

    /// A value: scalars as text, all else as JSON, and one part for each item of a list.
    pub fn value<T: Serialize>(name: &str, value: &T) -> Result<Vec<Self>, serde_json::Error> {
        let json = serde_json::to_string(value)?;
        let items: Vec<&RawValue> = if json.starts_with('[') {
            serde_json::from_str(&json)?
        } else {
            vec![serde_json::from_str(&json)?]
        };
        let mut parts = Vec::with_capacity(items.len());
        for item in items.into_iter().map(RawValue::get) {
            let (content, media_type) = match item.as_bytes().first() {
                Some(b'n') => continue,
                Some(b'"') => (serde_json::from_str(item)?, None),
                Some(b'{' | b'[') => (item.to_owned(), Some(JSON.to_owned())),
                _ => (item.to_owned(), None),
            };
            parts.push(Self {
                name: name.to_owned(),
                file: File {
                    name: None,
                    media_type,
                    content: content.into(),
                },
            });
        }
        Ok(parts)
    }
}

/// The parts of a body, to be taken out by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    list: Vec<Part>,
}

impl Parts {
    /// Takes out a file that must be there.
    pub fn file(&mut self, name: &str) -> Result<File, Unreadable> {
        self.optional_file(name).ok_or_else(|| missing(name))
    }

    /// Takes out a file that may be there.
    pub fn optional_file(&mut self, name: &str) -> Option<File> {
        let index = self.list.iter().position(|part| part.name == name)?;
        Some(self.list.remove(index).file)
    }

    /// Takes out all files of a name.
    pub fn files(&mut self, name: &str) -> Vec<File> {
        std::iter::from_fn(|| self.optional_file(name)).collect()
    }

    /// Takes out a value that must be there.
    pub fn value<T: DeserializeOwned>(&mut self, name: &str) -> Result<T, Unreadable> {
        self.optional_value(name)?.ok_or_else(|| missing(name))
    }

    /// Takes out a value that may be there. A name that comes several times is a list.
    pub fn optional_value<T: DeserializeOwned>(
        &mut self,
        name: &str,
    ) -> Result<Option<T>, Unreadable> {
        let mut files = self.files(name);
        let value = match files.as_slice() {
            [] => return Ok(None),
            // A list of one object is an object at first sight.
            [file] if is_json(file) => json::read(&file.content).or_else(|error| {
                let tree = text(files.remove(0)).and_then(read_tree);
                tree.map_err(|_| error)
            }),
            [_] => text(files.remove(0)).and_then(read_tree),
            _ => files
                .into_iter()
                .map(text)
                .collect::<Result<_, _>>()
                .map(Tree::List)
                .and_then(read_tree),
        };
        value.map(Some).map_err(|error| Unreadable {
            pointer: format!("/{}{}", json::escape(name), error.pointer),
            malformed: false,
            ..error
        })
    }
}

impl From<Vec<Part>> for Parts {
    fn from(list: Vec<Part>) -> Self {
        Self { list }
    }
}

fn text(file: File) -> Result<Tree, Unreadable> {
    String::from_utf8(file.content.into())
        .map(Tree::Text)
        .map_err(|_| Unreadable::malformed("expected text"))
}

fn is_json(file: &File) -> bool {
    let media_type = file.media_type.as_deref();
    media_type.is_some_and(|it| media_type::matches(it, JSON))
}

fn missing(name: &str) -> Unreadable {
    json::content(String::new(), &format!("missing field `{name}`"))
}

/// Writes the parts; gives the value of `Content-Type`, with the boundary, and the body.
pub fn write(parts: &[Part]) -> (String, Bytes) {
    let boundary = Uuid::random().to_string();
    let mut body = Vec::new();
    for part in parts {
        let name = quoted(&part.name);
        body.extend(format!("--{boundary}\r\nContent-Disposition: form-data; name={name}").bytes());
        if let Some(file_name) = &part.file.name {
            body.extend(format!("; filename={}", quoted(file_name)).bytes());
        }
        if let Some(media_type) = &part.file.media_type {
            body.extend(
                format!("\r\nContent-Type: {}", media_type.replace(['\r', '\n'], "")).bytes(),
            );
        }
        body.extend(b"\r\n\r\n");
        body.extend_from_slice(&part.file.content);
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
    let file = File {
        name: directive(disposition, "filename"),
        media_type: header("content-type").map(str::to_owned),
        content,
    };
    Ok(Part {
        name: directive(disposition, "name").ok_or_else(broken)?,
        file,
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
