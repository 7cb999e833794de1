//! The source of a contract: files, or texts within the program.

use std::path::{Path, PathBuf};

use openapi_document::loader;
use openapi_document::origin::{self, Disk};
use openapi_document::view::Document;

use crate::run_error::RunError;

/// A document.
#[derive(Debug, Clone)]
pub enum Spec {
    /// The main file of the document.
    File(PathBuf),
    /// The texts of the document, its scenarios and its behaviour file.
    Texts(Texts),
}

/// The texts of a contract by their paths, the document first. The document's folder may contain
/// `behaviour.yaml` and the folder `scenarios`.
pub type Texts = &'static [(&'static str, &'static str)];

/// The name of the contract within the program.
pub const BUILT_IN: &str = "built-in";

impl From<&Path> for Spec {
    fn from(file: &Path) -> Self {
        Self::File(file.to_owned())
    }
}

impl From<PathBuf> for Spec {
    fn from(file: PathBuf) -> Self {
        Self::File(file)
    }
}

impl Spec {
    /// The path of the document, or `built-in`.
    pub fn shown(&self) -> String {
        match self {
            Self::File(file) => file.display().to_string(),
            Self::Texts(_) => BUILT_IN.to_owned(),
        }
    }

    /// A file beside the document. `None` for a contract within the program.
    pub(crate) fn beside(&self, name: &str) -> Option<PathBuf> {
        match self {
            Self::File(file) => Some(file.parent()?.join(name)),
            Self::Texts(_) => None,
        }
    }

    /// The texts whose paths begin with the document's folder and a name.
    pub(crate) fn texts(&self, name: &str) -> Vec<(&'static str, &'static str)> {
        let Self::Texts(texts) = self else {
            return Vec::new();
        };
        let main = texts.first().map_or("", |(path, _)| path);
        let folder = main.rfind('/').map_or("", |end| &main[..=end]);
        let beside = |item: &&(&str, &str)| {
            let path = item.0.strip_prefix(folder);
            path.is_some_and(|path| path.starts_with(name))
        };
        texts.iter().filter(beside).copied().collect()
    }

    /// The document with overlays applied.
    ///
    /// # Errors
    /// The document cannot be read, is not an OpenAPI document, or an overlay cannot be applied.
    pub fn document(&self, overlays: &[PathBuf]) -> Result<Document, RunError> {
        let document = match self {
            Self::File(file) => loader::load_with(file, Box::new(Disk), overlays),
            Self::Texts(texts) => {
                let main = texts.first().map_or("", |(path, _)| path);
                loader::load_with(
                    Path::new(main),
                    Box::new(origin::Texts::of(texts)),
                    overlays,
                )
            }
        };
        document.map_err(|error| RunError::Usage(error.render(false).trim_end().to_owned()))
    }
}
