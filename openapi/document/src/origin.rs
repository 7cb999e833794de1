//! Where the files of a document are kept: on the disk, or in a revision of a repository, say.

use std::collections::HashMap;
use std::fmt::Debug;
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

/// A place that files are read from. Paths are given as references spell them, joined to the folder
/// of the file that refers.
pub trait Origin: Debug {
    /// The bytes of a file.
    ///
    /// # Errors
    /// There is no such file, or it cannot be read.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// The same for all paths of one file.
    fn identity(&self, path: &Path) -> PathBuf;

    /// The path as it is shown to people.
    fn shown(&self, path: &Path) -> PathBuf {
        tidy(path)
    }
}

/// The files of this machine.
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

/// Texts in memory, by their paths.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    texts: HashMap<PathBuf, String>,
}

impl Texts {
    /// Texts with their paths, by which they refer to each other.
    pub fn of(texts: &[(&str, &str)]) -> Self {
        let own = |&(path, text): &(&str, &str)| (tidy(Path::new(path)), text.to_owned());
        Self {
            texts: texts.iter().map(own).collect(),
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

/// The path without `.` and, where that is sure, without `..`, as it is shown.
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
