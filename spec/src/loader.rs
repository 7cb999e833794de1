//! Files → one bundled [`Document`].

use std::path::Path;

use crate::diagnostic::Diagnostics;
use crate::document::Document;
use crate::source::SourceMap;

/// Why there is no document: every reason at once, and the texts they point into.
#[derive(Debug)]
pub struct LoadError {
    /// The texts read so far.
    pub sources: SourceMap,
    /// What is wrong.
    pub diagnostics: Diagnostics,
}

/// Reads a document and all files it refers to, and bundles them.
///
/// # Errors
/// A file cannot be read or is neither YAML nor JSON, or a reference to another file leads nowhere.
pub fn load(_path: &Path) -> Result<Document, LoadError> {
    Err(LoadError {
        sources: SourceMap::default(),
        diagnostics: Diagnostics::default(),
    })
}
