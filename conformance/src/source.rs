//! Where a contract is read from: files, or texts that a program has with it.

use std::path::{Path, PathBuf};

use openapi_document::loader;
use openapi_document::origin::{self, Disk};
use openapi_document::view::Document;

use crate::run_error::RunError;

/// A document.
#[derive(Debug, Clone)]
pub enum Spec {
    /// The main file of it.
    File(PathBuf),
    /// The texts of it, of its scenarios and of its behaviour.
    Texts(Texts),
}

/// The texts of a contract by their paths, the document first: the folder of the document has
/// `behaviour.yaml` and the folder `scenarios` in it, where there are any.
pub type Texts = &'static [(&'static str, &'static str)];

/// How a document that no file holds is called.
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
    /// Its path, or that it has none.
    pub fn shown(&self) -> String {
        match self {
            Self::File(file) => file.display().to_string(),
            Self::Texts(_) => BUILT_IN.to_owned(),
        }
    }

    /// A file beside the document.
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
        let beside = |own: &&(&str, &str)| {
            let path = own.0.strip_prefix(folder);
            path.is_some_and(|path| path.starts_with(name))
        };
        texts.iter().filter(beside).copied().collect()
    }

    /// The document, changed by overlays.
    ///
    /// # Errors
    /// It cannot be read, or is none; or an overlay cannot be applied.
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
