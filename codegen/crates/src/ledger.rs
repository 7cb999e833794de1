//! Which crates compiled, so that a run that was stopped goes on where it was.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::Context;

/// The crates that compiled without a warning, in a file.
#[derive(Debug)]
pub(crate) struct Ledger {
    path: PathBuf,
    /// By name, what the crate consisted of.
    good: BTreeMap<String, u64>,
}

impl Ledger {
    /// Reads the file of a folder; a folder without one has an empty ledger.
    pub(crate) fn read(folder: &Path) -> Self {
        let path = folder.join("compiled.txt");
        let text = fs::read_to_string(&path).unwrap_or_default();
        let row = |line: &str| {
            let (name, print) = line.split_once(' ')?;
            Some((name.to_owned(), print.parse().ok()?))
        };
        let good = text.lines().filter_map(row).collect();
        Self { path, good }
    }

    /// Whether the crate compiled, being what it is now.
    pub(crate) fn has(&self, name: &str, print: u64) -> bool {
        self.good.get(name) == Some(&print)
    }

    /// Notes a crate.
    pub(crate) fn note(&mut self, name: &str, print: u64) -> anyhow::Result<()> {
        self.good.insert(name.to_owned(), print);
        let mut text = String::new();
        for (name, print) in &self.good {
            writeln!(text, "{name} {print}")?;
        }
        fs::write(&self.path, text).context("failed to write the ledger")
    }
}

/// What a crate consists of, as a number: its manifest and its sources.
pub(crate) fn print(folder: &Path) -> anyhow::Result<u64> {
    let mut hasher = DefaultHasher::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let mut paths = Vec::new();
        for entry in fs::read_dir(&folder)? {
            paths.push(entry?.path());
        }
        paths.sort();
        for path in paths {
            if path.is_dir() {
                open.push(path);
            } else {
                path.hash(&mut hasher);
                fs::read(&path)?.hash(&mut hasher);
            }
        }
    }
    Ok(hasher.finish())
}
