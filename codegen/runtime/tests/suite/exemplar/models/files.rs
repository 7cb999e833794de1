//! Schemas of the area `files`.

use crate::runtime::constraint::{self, Validate, Violations};
use crate::runtime::json::Unreadable;
use crate::runtime::multipart::{File, Part, Parts};
use crate::runtime::{choice, object};

/// A file to keep.
#[derive(Clone, Debug, PartialEq)]
pub struct FileUpload {
    /// What it is for.
    pub purpose: Purpose,
    /// The file.
    pub file: File,
    /// Labels.
    pub labels: Option<Vec<String>>,
}

impl FileUpload {
    /// The parts of a `multipart/form-data` body.
    pub fn to_parts(&self) -> Result<Vec<Part>, serde_json::Error> {
        let mut parts = Part::value("purpose", &self.purpose)?;
        parts.push(Part::file("file", &self.file));
        parts.extend(Part::value("labels", &self.labels)?);
        Ok(parts)
    }

    /// Reads the parts of a `multipart/form-data` body.
    pub fn from_parts(mut parts: Parts) -> Result<Self, Unreadable> {
        Ok(Self {
            purpose: parts.value("purpose")?,
            file: parts.file("file")?,
            labels: parts.optional_value("labels")?,
        })
    }
}

impl Validate for FileUpload {
    fn validate(&self, found: &mut Violations<'_>) {
        if let Some(labels) = &self.labels {
            constraint::unique_items(&mut found.member("labels"), labels);
        }
    }
}

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// `dispute`
    Dispute,
    /// `identity`
    Identity,
}

crate::choice! {
    Purpose {
        "dispute" => Dispute,
        "identity" => Identity,
    }
}

impl Validate for Purpose {}

/// A file that is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct FileRecord {
    /// The file's id.
    pub id: String,
    /// Its size in bytes.
    pub size: Option<i64>,
}

crate::object! {
    FileRecord: Ignored {
        0 "id" => id required,
        1 "size" => size optional,
    }
}

impl FileRecord {
    /// A value with its required properties.
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            size: None,
        }
    }
}

/// A note about a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileNote {
    /// The note.
    pub text: String,
    /// The author of the note.
    pub author: Option<FileNoteAuthor>,
}

crate::object! {
    FileNote: Closed {
        0 "text" => text required,
        1 "author" => author optional,
    }
}

impl Validate for FileNote {
    fn validate(&self, found: &mut Violations<'_>) {
        constraint::max_length(&mut found.member("text"), &self.text, 10);
    }
}

/// Who said something.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileNoteAuthor {
    /// The name.
    pub name: Option<String>,
}

crate::object! {
    FileNoteAuthor: Ignored {
        0 "name" => name optional,
    }
}
