//! A text, JSON or YAML → [`Node`].

use std::path::Path;

use crate::node::Node;
use crate::source::{FileId, SourceFile, Span};
use crate::{json, yaml};

/// Why a text is neither.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct Malformed {
    /// What kind of mistake it is: `malformed-json` or `malformed-yaml`.
    pub rule: &'static str,
    /// What is wrong.
    pub message: String,
    /// Where.
    pub span: Span,
}

/// Reads a text: JSON where its name or its first character says so, else YAML.
///
/// # Errors
/// It is not of its form.
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
