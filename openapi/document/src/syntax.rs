//! Syntax: parses a text as JSON or YAML into a [`Node`].

use std::path::Path;

use crate::node::Node;
use crate::source::{FileId, SourceFile, Span};
use crate::{json, yaml};

/// A syntax error in a text.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct Malformed {
    /// The rule id: `malformed-json` or `malformed-yaml`.
    pub rule: &'static str,
    /// A description of the error.
    pub message: String,
    /// The place of the error.
    pub span: Span,
}

/// Parses a text. It is JSON if its file name or first character says so, otherwise YAML.
///
/// # Errors
/// The text is malformed.
pub fn read(file: FileId, source: &SourceFile) -> Result<Node, Malformed> {
    if is_json(source.path(), source.text()) {
        return json::read(file, source.text()).map_err(|error| Malformed {
            rule: "malformed-json",
            message: error.message,
            span: Span {
                file,
                start: error.start,
                end: error.end,
            },
        });
    }
    yaml::read_source(file, source).map_err(|error| Malformed {
        rule: "malformed-yaml",
        message: error.message,
        span: error.span,
    })
}

fn is_json(path: &Path, text: &str) -> bool {
    let extension = path.extension();
    extension.is_some_and(|extension| extension == "json") || text.trim_start().starts_with('{')
}
