//! Schemas of the area `files`.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::runtime::constraint::{self, Validate, Violations};
use crate::runtime::json::Unreadable;
use crate::runtime::multipart::{File, Part, Parts};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Purpose {
    /// `dispute`
    #[serde(rename = "dispute")]
    Dispute,
    /// `identity`
    #[serde(rename = "identity")]
    Identity,
}

impl Purpose {
    /// The value as it travels.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dispute => "dispute",
            Self::Identity => "identity",
        }
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Validate for Purpose {}

/// A file that is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileRecord {
    /// The file's id.
    pub id: String,
    /// Its size in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<i64>,
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

/// What is said about a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FileNote {
    /// The note.
    pub text: String,
    /// Who said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<FileNoteAuthor>,
}

impl Validate for FileNote {
    fn validate(&self, found: &mut Violations<'_>) {
        constraint::max_length(&mut found.member("text"), &self.text, 10);
    }
}

/// Who said something.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileNoteAuthor {
    /// The name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}
