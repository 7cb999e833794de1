//! Where a document is taken from: a file, or a file of a git revision.

use std::path::{Path, PathBuf};

use openapi_document::behaviour::{self, Behaviour};
use openapi_document::loader::{self, LoadError};
use openapi_document::origin::{Disk, Origin};
use openapi_document::{Diagnostic, Diagnostics, Document, SourceMap};

use crate::git::{GitError, Repository};

/// Digits of a commit that was found and not named.
const SHORT: usize = 12;

/// Overlays: files that change a document before it is used.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Overlays {
    /// An overlay to change the document by before anything else is done. May be given more than once: they are
    /// applied in their order.
    #[arg(long = "overlay", value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// A document before it is read.
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
    /// What a word of the command line means: `REVISION:FILE` as git reads it, else a file.
    ///
    /// # Errors
    /// There is no such revision.
    pub fn parse(word: &str) -> Result<Self, GitError> {
        let disk = || Ok(Self::Disk(word.into()));
        let Some((revision, path)) = word.split_once(':') else {
            return disk();
        };
        // One letter is the drive of a Windows path.
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

    /// The same file as it was at a revision; at the merge base with the default branch where none is
    /// named.
    ///
    /// # Errors
    /// It is in no repository, or there is no such revision.
    pub fn before(&self, revision: Option<&str>) -> Result<Self, GitError> {
        let (repository, path) = match self {
            Self::Disk(file) => {
                let repository = Repository::around(file.parent().unwrap_or(Path::new(".")))?;
                let path = repository.inside(file)?;
                (repository, path)
            }
            Self::Revision(own) => (own.repository.clone(), own.path.clone()),
        };
        let (commit, name) = if let Some(name) = revision {
            (repository.commit(name)?, name.to_owned())
        } else if repository.is_empty()? {
            // What was never committed was never promised.
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

    /// The file on the disk that a file of a revision has become, where it is still there.
    pub fn now(&self) -> Option<Self> {
        match self {
            Self::Disk(_) => None,
            Self::Revision(own) => {
                let path = own.repository.on_disk(&own.path);
                path.exists().then_some(Self::Disk(path))
            }
        }
    }

    /// Reads the document, and changes it by overlays.
    ///
    /// # Errors
    /// As [`loader::load_with`].
    pub fn load(&self, overlays: &Overlays) -> Result<Document, LoadError> {
        let overlays = &overlays.files;
        match self {
            Self::Disk(path) => loader::load_with(path, Box::new(Disk), overlays),
            Self::Revision(own) => match own.repository.tree(&own.commit, &own.name) {
                Ok(tree) => loader::load_with(&own.path, Box::new(tree), overlays),
                Err(error) => Err(unreadable(&error)),
            },
        }
    }

    /// The behaviour file beside the document, where there is one that can be read.
    pub fn behaviour(&self) -> Option<Behaviour> {
        match self {
            Self::Disk(path) => behaviour::load(&behaviour::beside(path)?).ok(),
            Self::Revision(own) => {
                let tree = own.repository.tree(&own.commit, &own.name).ok()?;
                let path = own.path.with_file_name(behaviour::NAME);
                let text = String::from_utf8(tree.read(&path).ok()?).ok()?;
                behaviour::load_text(&tree.shown(&path).to_string_lossy(), &text).ok()
            }
        }
    }

    /// The text of another file of the same revision, or of the disk.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn beside(&self, file: &Path) -> std::io::Result<String> {
        let bytes = match self {
            Self::Disk(_) => std::fs::read(file)?,
            Self::Revision(own) => {
                let inside = own.repository.inside(file);
                let inside = inside.map_err(std::io::Error::other)?;
                let tree = own.repository.tree(&own.commit, &own.name);
                let tree = tree.map_err(std::io::Error::other)?;
                tree.read(&inside)?
            }
        };
        String::from_utf8(bytes).map_err(std::io::Error::other)
    }

    /// How it is shown.
    pub fn shown(&self) -> String {
        match self {
            Self::Disk(path) => path.display().to_string(),
            Self::Revision(own) => format!("{}:{}", own.name, own.path.display()),
        }
    }

    /// The revision, where it is one.
    pub fn revision(&self) -> Option<&str> {
        match self {
            Self::Disk(_) => None,
            Self::Revision(own) => Some(&own.name),
        }
    }

    /// The file, where it is one of the disk.
    pub fn on_disk(&self) -> Option<&Path> {
        match self {
            Self::Disk(path) => Some(path),
            Self::Revision(_) => None,
        }
    }
}

/// A revision that cannot be read, as a reason why there is no document.
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
