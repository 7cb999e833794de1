//! Finds the lists of a contract: `requirements/VERSION-NUMBER.yaml` beside the document. A list
//! never changes; new checks get a list with a higher number.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::frozen::{Frozen, FrozenError};
use crate::source::Spec;

/// The folder beside the document.
const FOLDER: &str = "requirements";

/// The source of one list.
#[derive(Debug, Clone)]
enum Place {
    File(PathBuf),
    Text(&'static str, &'static str),
}

/// The lists of a contract, by their names.
#[derive(Debug, Clone, Default)]
pub struct Lists(Vec<(String, Place)>);

impl Lists {
    /// The lists beside a document, or within the program.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn of(spec: &Spec) -> io::Result<Self> {
        match spec {
            Spec::File(_) => match spec.beside(FOLDER).filter(|folder| folder.is_dir()) {
                Some(folder) => Self::in_folder(&folder),
                None => Ok(Self::default()),
            },
            Spec::Texts(_) => {
                let texts = spec.texts(&format!("{FOLDER}/")).into_iter();
                let named = texts.filter_map(|(path, text)| {
                    let name = name_of(Path::new(path))?;
                    Some((name, Place::Text(path, text)))
                });
                Ok(Self(named.collect()))
            }
        }
    }

    /// The lists in a folder.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn in_folder(folder: &Path) -> io::Result<Self> {
        let mut lists = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if let Some(name) = name_of(&path) {
                lists.push((name, Place::File(path)));
            }
        }
        lists.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(Self(lists))
    }

    /// The list with a name. `None` without one.
    ///
    /// # Errors
    /// The list cannot be read.
    pub fn named(&self, name: &str) -> Option<Result<Frozen, FrozenError>> {
        let (_, place) = self.0.iter().find(|(known, _)| known == name)?;
        Some(match place {
            Place::File(path) => Frozen::read(path),
            Place::Text(path, text) => Frozen::parse(path, text),
        })
    }

    /// The newest list of a version of the contract. `None` without one.
    ///
    /// # Errors
    /// The list cannot be read.
    pub fn newest(&self, version: &str) -> Option<Result<Frozen, FrozenError>> {
        self.named(&name(version, self.last(version)?))
    }

    /// The name of the next list of a version.
    pub fn next(&self, version: &str) -> String {
        name(version, self.last(version).unwrap_or_default() + 1)
    }

    /// The names of all lists.
    pub fn names(&self) -> Vec<&str> {
        self.0.iter().map(|(name, _)| name.as_str()).collect()
    }

    fn last(&self, version: &str) -> Option<u32> {
        let number = |text: &str| {
            let rest = text.strip_prefix(&plain(version))?.strip_prefix('-')?;
            rest.parse()
                .ok()
                .filter(|parse: &u32| parse.to_string() == rest)
        };
        self.0.iter().filter_map(|(item, _)| number(item)).max()
    }
}

fn name(version: &str, number: u32) -> String {
    format!("{}-{number}", plain(version))
}

/// A version as part of a file name.
fn plain(version: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || "-_.+".contains(c) {
            c
        } else {
            '_'
        }
    };
    version.chars().map(plain).collect()
}

fn name_of(path: &Path) -> Option<String> {
    let is_list = path
        .extension()
        .is_some_and(|extension| extension == "yaml");
    let name = path.file_stem()?.to_str()?;
    is_list.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(names: &[&str]) -> Lists {
        let place = Place::Text("", "");
        let all = names.iter().map(|name| ((*name).to_owned(), place.clone()));
        Lists(all.collect())
    }

    #[test]
    fn the_newest_list_of_a_version_is_that_of_the_highest_number() {
        let all = lists(&[
            "1.0-2",
            "1.0-10",
            "1.0-x",
            "1.0.1-11",
            "1.0-beta-12",
            "2_a-1",
        ]);
        for (version, next) in [
            ("1.0", "1.0-11"),
            ("1.0.1", "1.0.1-12"),
            ("1.0-beta", "1.0-beta-13"),
            ("2/a", "2_a-2"),
            ("3", "3-1"),
        ] {
            assert_eq!(all.next(version), next);
        }
        assert!(all.newest("3").is_none() && all.newest("1.0").is_some());
    }
}
