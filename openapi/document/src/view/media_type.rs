//! Media type: one media type of a body.

use super::example::{example, examples};
use super::{Document, Example, Located};

/// A media type of a body.
#[derive(Debug, Clone)]
pub struct MediaType<'d> {
    pub(super) document: &'d Document,
    /// Its name, such as `application/json`.
    pub name: &'d str,
    /// The media type object.
    pub at: Located<'d>,
}

impl<'d> MediaType<'d> {
    /// Its schema, with references not followed.
    pub fn schema(&self) -> Option<Located<'d>> {
        self.at.get("schema")
    }

    /// Its examples by key; a single `example` has the key `example`.
    pub fn examples(&self) -> Vec<Example<'d>> {
        examples(self.document, &self.at)
    }

    /// Its first example with this key.
    pub fn example(&self, key: &str) -> Option<Example<'d>> {
        example(self.document, &self.at, key)
    }

    /// Whether it is JSON: `application/json` or a `+json` type.
    pub fn is_json(&self) -> bool {
        is_json(self.name)
    }

    /// Whether it is `application/x-www-form-urlencoded`.
    pub fn is_form(&self) -> bool {
        essence(self.name) == "application/x-www-form-urlencoded"
    }

    /// Whether it is `multipart/form-data`.
    pub fn is_multipart(&self) -> bool {
        essence(self.name) == "multipart/form-data"
    }
}

/// Whether a media type is JSON: `application/json` or a `+json` type, with or without parameters.
pub fn is_json(media_type: &str) -> bool {
    let essence = essence(media_type);
    essence == "application/json" || essence == "text/json" || essence.ends_with("+json")
}

fn essence(media_type: &str) -> String {
    let essence = media_type.split(';').next().unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}

pub(super) fn media_types<'d>(document: &'d Document, owner: &Located<'d>) -> Vec<MediaType<'d>> {
    let Some(content) = owner.get("content") else {
        return Vec::new();
    };
    // In 3.2, a media type may refer to one of `components.mediaTypes`.
    content
        .entries()
        .map(|(entry, at)| MediaType {
            document,
            name: &entry.key,
            at: document.resolve_or_none(&at).unwrap_or(at),
        })
        .collect()
}
