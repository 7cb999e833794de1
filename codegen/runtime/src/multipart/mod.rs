//! Bodies of the media type `multipart/form-data`.

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::json::{self, Unreadable};
use super::media_type;
use super::parameter::{Tree, read_tree};

mod content;
pub(crate) mod splitter;
mod writer;

pub use content::Content;
use splitter::{Splitter, Step};
pub use writer::write;

/// The media type of these bodies, without its boundary.
pub const MEDIA_TYPE: &str = "multipart/form-data";

/// The media type of parts that are objects.
const JSON: &str = "application/json";

/// The parts of a body, unless one of them cannot be written.
pub type Written = Result<Vec<Part>, serde_json::Error>;

/// One part of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The name of the field.
    pub name: String,
    /// The content, with the file name and media type of the part.
    pub file: File,
}

/// A file in a body: its content, its name and its media type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// The name of the file, if it has one.
    pub name: Option<String>,
    /// The media type, if the part has one.
    pub media_type: Option<String>,
    /// The content.
    pub content: Content,
}

impl File {
    /// A file of bytes, or of a stream of them.
    pub fn new(name: impl Into<String>, content: impl Into<Content>) -> Self {
        let media_type = Some("application/octet-stream".to_owned());
        Self {
            name: Some(name.into()),
            media_type,
            content: content.into(),
        }
    }
}

impl Part {
    /// A part with a file.
    pub fn file(name: &str, file: &File) -> Self {
        Self {
            name: name.to_owned(),
            file: file.clone(),
        }
    }

    /// Parts of a value: scalars as text, all else as JSON, and one part for each item of a list.
    pub fn value<T: Serialize>(name: &str, value: &T) -> Result<Vec<Self>, serde_json::Error> {
        Self::items(name, value, None)
    }

    /// A value in parts of a media type: as JSON where the type is JSON, else scalars as text.
    pub fn value_of<T: Serialize>(
        name: &str,
        media_type: &str,
        value: &T,
    ) -> Result<Vec<Self>, serde_json::Error> {
        Self::items(name, value, Some(media_type))
    }

    fn items<T: Serialize>(
        name: &str,
        value: &T,
        named: Option<&str>,
    ) -> Result<Vec<Self>, serde_json::Error> {
        let as_json = named.is_some_and(|named| media_type::matches(named, JSON));
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
                Some(b'"') if !as_json => (serde_json::from_str(item)?, None),
                Some(b'{' | b'[') => (item.to_owned(), Some(JSON.to_owned())),
                _ => (item.to_owned(), None),
            };
            parts.push(Self {
                name: name.to_owned(),
                file: File {
                    name: None,
                    media_type: named.map(str::to_owned).or(media_type),
                    content: content.into(),
                },
            });
        }
        Ok(parts)
    }
}

/// The parts of a body. A reader takes them out by name.
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
        let files = self.files(name);
        let value = match files.as_slice() {
            [] => return Ok(None),
            // A list with one object looks like an object.
            [file] if is_json(file) => json::read(whole(file)?)
                .or_else(|error| text(file).and_then(read_tree).map_err(|_| error)),
            [file] => text(file).and_then(read_tree),
            several => several
                .iter()
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

fn whole(file: &File) -> Result<&Bytes, Unreadable> {
    let bytes = file.content.whole();
    bytes.ok_or_else(|| json::content(String::new(), "expected a value, found a file"))
}

fn text(file: &File) -> Result<Tree, Unreadable> {
    let bytes = whole(file)?;
    if is_json(file) && bytes.starts_with(b"\"") {
        return json::read(bytes).map(Tree::Text);
    }
    String::from_utf8(bytes.to_vec())
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

/// Reads the parts of a body whose `Content-Type` is given.
pub fn read(content_type: &str, body: &Bytes) -> Result<Vec<Part>, Unreadable> {
    let mut splitter = Splitter::new(content_type)?;
    splitter.push(body);
    let mut parts: Vec<Part> = Vec::new();
    loop {
        match splitter.step()? {
            Step::Wanting => return Err(splitter::broken()),
            Step::Part(part) => parts.push(part),
            // What follows a part as a whole is one piece.
            Step::Piece(piece) => {
                if let Some(part) = parts.last_mut() {
                    part.file.content = piece.into();
                }
            }
            Step::End => {}
            Step::Done => return Ok(parts),
        }
    }
}
