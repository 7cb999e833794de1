//! Origin: where the files of a document come from, such as the disk or a revision of a repository.

use std::collections::HashMap;
use std::fmt::Debug;
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

/// A source of files. Paths are spelled as in references, joined to the folder of the referring
/// file.
pub trait Origin: Debug {
    /// The bytes of a file.
    ///
    /// # Errors
    /// The file does not exist, or cannot be read.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// A path that is the same for all spellings of one file.
    fn identity(&self, path: &Path) -> PathBuf;

    /// The path as messages show it.
    fn shown(&self, path: &Path) -> PathBuf {
        tidy(path)
    }
}

/// The files on disk.
#[derive(Debug, Clone, Copy)]
pub struct Disk;

impl Origin for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn identity(&self, path: &Path) -> PathBuf {
        fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
    }
}

/// Texts in memory, by path.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    texts: HashMap<PathBuf, String>,
}

impl Texts {
    /// Texts with the paths by which they refer to each other.
    pub fn of(texts: &[(&str, &str)]) -> Self {
        let tidied = |&(path, text): &(&str, &str)| (tidy(Path::new(path)), text.to_owned());
        Self {
            texts: texts.iter().map(tidied).collect(),
        }
    }
}

impl Origin for Texts {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let text = self.texts.get(&tidy(path));
        let text = text.ok_or(io::ErrorKind::NotFound)?;
        Ok(text.clone().into_bytes())
    }

    fn identity(&self, path: &Path) -> PathBuf {
        tidy(path)
    }
}

/// The path without `.`, and without `..` where it follows a plain folder name.
pub fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(tidy.components().next_back(), Some(Component::Normal(_))) =>
            {
                tidy.pop();
            }
            other => tidy.push(other),
        }
    }
    tidy
}
