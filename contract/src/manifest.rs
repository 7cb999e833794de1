//! Manifest: the name and version of a crate, also if the version is inherited from the workspace.

use std::io;
use std::path::{Path, PathBuf};

use toml::Table;

use crate::input::Input;

/// The name and version in a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The name of the package.
    pub name: String,
    /// The version of the package.
    pub version: String,
    /// The file with the version, its text, and the byte at which the version begins.
    pub place: (PathBuf, String, usize),
}

/// Reads a manifest from the same origin as a document: from disk, or from its git revision.
///
/// # Errors
/// The manifest cannot be read, or has no version.
pub fn read(path: &Path, origin: &Input) -> io::Result<Manifest> {
    let text = origin.beside(path)?;
    let table = parse(&text, path)?;
    let package = table.get("package").and_then(toml::Value::as_table);
    let name = package.and_then(|package| package.get("name")?.as_str());
    let name = name.unwrap_or("the crate").to_owned();
    if let Some(version) = package.and_then(|package| package.get("version")?.as_str()) {
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
            .and_then(|workspace| workspace.get("package")?.get("version")?.as_str());
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
    let message = format!("`{}` has no version", path.display());
    Err(io::Error::other(message))
}

/// The parent folders of a folder; for a relative one, up to the current folder.
fn ancestors(folder: &Path) -> impl Iterator<Item = &Path> {
    folder.ancestors().skip(1)
}

fn parse(text: &str, path: &Path) -> io::Result<Table> {
    text.parse().map_err(|error| {
        let message = format!("`{}` is not a manifest: {error}", path.display());
        io::Error::other(message)
    })
}

/// The byte at which the version is in the text of its file.
fn place_of(text: &str, version: &str) -> usize {
    text.find(&format!("version = \"{version}\"")).unwrap_or(0)
}
