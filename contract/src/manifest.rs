//! The name and version of a crate, also where the workspace has the version.

use std::io;
use std::path::{Path, PathBuf};

use toml::Table;

use crate::input::Input;

/// What a manifest says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The package.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The file that holds the version, and the byte at which it begins.
    pub place: (PathBuf, String, usize),
}

/// Reads a manifest where a document is taken from: beside it on the disk, or in its revision.
///
/// # Errors
/// It cannot be read, or has no version.
pub fn read(path: &Path, origin: &Input) -> io::Result<Manifest> {
    let text = origin.beside(path)?;
    let table = parse(&text, path)?;
    let package = table.get("package").and_then(toml::Value::as_table);
    let name = package.and_then(|own| own.get("name")?.as_str());
    let name = name.unwrap_or("the crate").to_owned();
    if let Some(version) = package.and_then(|own| own.get("version")?.as_str()) {
        let version = version.to_owned();
        let at = place_of(&text, &version);
        return Ok(Manifest {
            name,
            version,
            place: (path.to_owned(), text, at),
        });
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    for above in ancestors(folder) {
        let root = above.join("Cargo.toml");
        let Ok(text) = origin.beside(&root) else {
            continue;
        };
        let table = parse(&text, &root)?;
        let version = table
            .get("workspace")
            .and_then(|own| own.get("package")?.get("version")?.as_str());
        if let Some(version) = version {
            let version = version.to_owned();
            let at = place_of(&text, &version);
            return Ok(Manifest {
                name,
                version,
                place: (root, text, at),
            });
        }
    }
    let said = format!("`{}` has no version", path.display());
    Err(io::Error::other(said))
}

/// The folders around a folder; of a relative one those up to the current folder.
fn ancestors(folder: &Path) -> impl Iterator<Item = &Path> {
    folder.ancestors().skip(1)
}

fn parse(text: &str, path: &Path) -> io::Result<Table> {
    text.parse().map_err(|error| {
        let said = format!("`{}` is no manifest: {error}", path.display());
        io::Error::other(said)
    })
}

/// Where the version stands in the text of its file.
fn place_of(text: &str, version: &str) -> usize {
    text.find(&format!("version = \"{version}\"")).unwrap_or(0)
}
