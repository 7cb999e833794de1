//! Generated files, and bringing a folder up to date with them.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The folders of a generated crate in which every file is generated.
const OWNED: [&str; 2] = ["src", "tests"];

/// One generated file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its path, relative to the crate's root.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
}

/// One way in which a folder is not up to date.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// The file, relative to the crate's root.
    pub path: PathBuf,
    /// What is the matter with it.
    pub what: Staleness,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.what)
    }
}

/// What is the matter with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Staleness {
    /// It is not there, or cannot be read.
    Missing,
    /// Its text is another one.
    Differs,
    /// It is there and is not generated any more.
    Stale,
}

impl fmt::Display for Staleness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "missing",
            Self::Differs => "differs",
            Self::Stale => "stale",
        })
    }
}

/// How a folder differs from the files; nothing where it is up to date.
pub fn check(files: &[File], dir: &Path) -> Vec<Difference> {
    let mut differences = Vec::new();
    for file in files {
        let what = match fs::read(dir.join(&file.path)) {
            Err(_) => Staleness::Missing,
            Ok(bytes) if bytes != file.text.as_bytes() => Staleness::Differs,
            Ok(_) => continue,
        };
        differences.push(Difference {
            path: file.path.clone(),
            what,
        });
    }
    let expected: BTreeSet<&Path> = files.iter().map(|file| file.path.as_path()).collect();
    for owned in OWNED {
        for path in files_under(dir, Path::new(owned)) {
            if !expected.contains(path.as_path()) {
                differences.push(Difference {
                    path,
                    what: Staleness::Stale,
                });
            }
        }
    }
    differences.sort();
    differences
}

/// Brings a folder up to date: writes what differs, removes what is stale. Says what it touched.
///
/// # Errors
/// A file cannot be written or removed.
pub fn write(files: &[File], dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut touched = Vec::new();
    for difference in check(files, dir) {
        let path = dir.join(&difference.path);
        match files.iter().find(|file| file.path == difference.path) {
            Some(file) => {
                if let Some(parent) = path.parent() {
                    fs::create_dir_all(parent)?;
                }
                fs::write(&path, &file.text)?;
            }
            None => fs::remove_file(&path)?,
        }
        touched.push(difference.path);
    }
    Ok(touched)
}

/// All files under a folder; nothing where there is no folder.
fn files_under(root: &Path, folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(root.join(folder)) else {
        return Vec::new();
    };
    let mut files = Vec::new();
    for entry in entries.flatten() {
        let path = folder.join(entry.file_name());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            files.extend(files_under(root, &path));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}
