//! Input: a document in a file, or in a file of a git revision.

use std::path::{Path, PathBuf};

use openapi_document::behaviour::{self, Behaviour};
use openapi_document::loader::{self, LoadError};
use openapi_document::origin::{Disk, Origin};
use openapi_document::{Diagnostic, Diagnostics, Document, SourceMap};

use crate::git::{GitError, Repository};

/// The number of digits to show of a commit that the user did not name.
const SHORT: usize = 12;

/// Overlays: files that change a document before it is used.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Overlays {
    /// An overlay to apply before anything else. Repeatable; overlays are applied in order.
    #[arg(long = "overlay", value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// A document before it is loaded.
#[derive(Debug, Clone)]
pub enum Input {
    /// A file.
    Disk(PathBuf),
    /// A file of a revision.
    Revision(Revision),
}

/// A file of a revision.
#[derive(Debug, Clone)]
pub struct Revision {
    repository: Repository,
    commit: String,
    name: String,
    path: PathBuf,
}

impl Input {
    /// Parses a command line argument: `REVISION:FILE` in git's notation, or a file.
    ///
    /// # Errors
    /// There is no such revision.
    pub fn parse(word: &str) -> Result<Self, GitError> {
        let disk = || Ok(Self::Disk(word.into()));
        let Some((revision, path)) = word.split_once(':') else {
            return disk();
        };
        // A single letter is the drive of a Windows path.
        if revision.len() < 2 || path.is_empty() || Path::new(word).exists() {
            return disk();
        }
        if path.starts_with("//") {
            let what = format!("`{word}` is an address, and a document is read from a file");
            let file = word.rsplit('/').next().unwrap_or_default();
            let help = format!("download it: `curl -O {word}`, then name {file}");
            return Err(GitError::new(what, help));
        }
        let repository = Repository::around(Path::new("."))?;
        let path = match path.strip_prefix("./") {
            Some(beside) => repository.inside(Path::new(beside))?,
            None => path.into(),
        };
        Ok(Self::Revision(Revision {
            commit: repository.commit(revision)?,
            name: revision.to_owned(),
            repository,
            path,
        }))
    }

    /// The same file at a revision; without one, at the merge base with the default branch.
    ///
    /// # Errors
    /// The file is in no repository, or there is no such revision.
    pub fn before(&self, revision: Option<&str>) -> Result<Self, GitError> {
        let (repository, path) = match self {
            Self::Disk(file) => {
                let repository = Repository::around(file.parent().unwrap_or(Path::new(".")))?;
                let path = repository.inside(file)?;
                (repository, path)
            }
            Self::Revision(file) => (file.repository.clone(), file.path.clone()),
        };
        let (commit, name) = if let Some(name) = revision {
            (repository.commit(name)?, name.to_owned())
        } else if repository.is_empty()? {
            // A file that was never committed has no earlier state.
            return Ok(self.clone());
        } else {
            let commit = repository.merge_base()?;
            let name = commit.chars().take(SHORT).collect();
            (commit, name)
        };
        Ok(Self::Revision(Revision {
            repository,
            commit,
            name,
            path,
        }))
    }

    /// The file on disk for a file of a revision, if it still exists.
    pub fn now(&self) -> Option<Self> {
        match self {
            Self::Disk(_) => None,
            Self::Revision(file) => {
                let path = file.repository.on_disk(&file.path);
                path.exists().then_some(Self::Disk(path))
            }
        }
    }

    /// Loads the document and applies overlays.
    ///
    /// # Errors
    /// Like [`loader::load_with`].
    pub fn load(&self, overlays: &Overlays) -> Result<Document, LoadError> {
        let overlays = &overlays.files;
        match self {
            Self::Disk(path) => loader::load_with(path, Box::new(Disk), overlays),
            Self::Revision(file) => match file.repository.tree(&file.commit, &file.name) {
                Ok(tree) => loader::load_with(&file.path, Box::new(tree), overlays),
                Err(error) => Err(unreadable(&error)),
            },
        }
    }

    /// The behaviour file of the document; `None` if there is none, or if it cannot be read.
    pub fn behaviour(&self) -> Option<Behaviour> {
        match self {
            Self::Disk(path) => behaviour::load(&behaviour::beside(path)?).ok(),
            Self::Revision(file) => {
                let tree = file.repository.tree(&file.commit, &file.name).ok()?;
                let path = file.path.with_file_name(behaviour::NAME);
                let text = String::from_utf8(tree.read(&path).ok()?).ok()?;
                behaviour::load_text(&tree.shown(&path).to_string_lossy(), &text).ok()
            }
        }
    }

    /// The text of another file of the same revision, or on disk.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn beside(&self, file: &Path) -> std::io::Result<String> {
        let bytes = match self {
            Self::Disk(_) => std::fs::read(file)?,
            Self::Revision(revision) => {
                let inside = revision.repository.inside(file);
                let inside = inside.map_err(std::io::Error::other)?;
                let tree = revision.repository.tree(&revision.commit, &revision.name);
                let tree = tree.map_err(std::io::Error::other)?;
                tree.read(&inside)?
            }
        };
        String::from_utf8(bytes).map_err(std::io::Error::other)
    }

    /// The name for people.
    pub fn shown(&self) -> String {
        match self {
            Self::Disk(path) => path.display().to_string(),
            Self::Revision(file) => format!("{}:{}", file.name, file.path.display()),
        }
    }

    /// The revision; `None` for a file on disk.
    pub fn revision(&self) -> Option<&str> {
        match self {
            Self::Disk(_) => None,
            Self::Revision(file) => Some(&file.name),
        }
    }

    /// The file on disk; `None` for a file of a revision.
    pub fn on_disk(&self) -> Option<&Path> {
        match self {
            Self::Disk(path) => Some(path),
            Self::Revision(_) => None,
        }
    }
}

/// The load error for an unreadable revision.
pub fn unreadable(error: &GitError) -> LoadError {
    let mut diagnostics = Diagnostics::default();
    let title = error.what.clone();
    diagnostics.push(Diagnostic::error("unreadable-revision", title).help(error.help.clone()));
    LoadError {
        sources: SourceMap::default(),
        diagnostics,
    }
}

/// `info.title`.
pub fn title_of(document: &Document) -> String {
    text_of(document, "title")
}

/// `info.version`.
pub fn version_of(document: &Document) -> String {
    text_of(document, "version")
}

fn text_of(document: &Document, key: &str) -> String {
    let text = document
        .root
        .get("info")
        .and_then(|info| info.get(key)?.as_str());
    text.unwrap_or_default().to_owned()
}
