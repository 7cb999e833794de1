//! Identity: the files of the contract and their hashes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use openapi_document::SourceMap;
use openapi_document::view::Document;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::value::hex;

/// The version and hashes of a contract.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Identity {
    /// The version in its `info`.
    pub version: String,
    /// The SHA-256 of the lines `HASH  PATH` of all files by path, as `sha256sum` writes them.
    pub sha256: String,
    /// Path → SHA-256 of every file of the document, its scenarios and its behaviour. Paths are
    /// relative to the folder of the first file.
    pub files: BTreeMap<String, String>,
}

impl Identity {
    /// The identity of a loaded document with its further files.
    pub fn of(document: &Document, further: &[&SourceMap]) -> Self {
        let info = document.root.get("info");
        let version = info.and_then(|info| info.get("version")?.as_str());
        let maps = std::iter::once(&document.sources).chain(further.iter().copied());
        let files: Vec<(&Path, &str)> =
            files(maps).map(|file| (file.path(), file.text())).collect();
        let folder = files.first().and_then(|(path, _)| path.parent());
        let relative = |path: &Path| {
            let inside = folder.and_then(|folder| path.strip_prefix(folder).ok());
            inside
                .unwrap_or(path)
                .display()
                .to_string()
                .replace('\\', "/")
        };
        let files: BTreeMap<String, String> = files
            .iter()
            .filter(|(path, _)| !path.as_os_str().is_empty())
            .map(|(path, text)| (relative(path), sha256(text)))
            .collect();
        let mut lines = String::new();
        for (path, hash) in &files {
            // Writing to a string does not fail.
            let _ = writeln!(lines, "{hash}  {path}");
        }
        Self {
            version: version.unwrap_or_default().to_owned(),
            sha256: sha256(&lines),
            files,
        }
    }
}

/// The SHA-256 of a text in hexadecimal.
pub fn sha256(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

/// The files of a contract, each once.
pub(crate) fn files<'s>(
    maps: impl IntoIterator<Item = &'s SourceMap>,
) -> impl Iterator<Item = &'s openapi_document::source::SourceFile> {
    let files = maps.into_iter().flat_map(SourceMap::files);
    files.map(|(_, file)| file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_of_every_file_counts() {
        let folder = tempfile::tempdir().unwrap();
        let write =
            |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        let main = "openapi: 3.0.3\ninfo: {title: t, version: '2'}\npaths:\n  /a: {$ref: a.yaml}\n";
        write("api.yaml", main);
        write("a.yaml", "get: {responses: {'200': {description: d}}}\n");
        write("behaviour.yaml", "behaviour: '1.0'\n");
        let identity = || {
            let document = openapi_document::loader::load(&folder.path().join("api.yaml"));
            let behaviour =
                openapi_document::behaviour::load(&folder.path().join("behaviour.yaml"));
            Identity::of(&document.unwrap(), &[&behaviour.unwrap().sources])
        };
        let first = identity();
        assert_eq!(first.version, "2");
        assert_eq!(
            first.files.keys().collect::<Vec<_>>(),
            ["a.yaml", "api.yaml", "behaviour.yaml"]
        );
        assert_eq!(first.files["api.yaml"], sha256(main));
        assert_eq!(first.sha256, identity().sha256);
        write("a.yaml", "get: {responses: {'200': {description: e}}}\n");
        let second = identity();
        assert_ne!(first.sha256, second.sha256);
        write("behaviour.yaml", "behaviour: '1.0'\n# said otherwise\n");
        assert_ne!(second.sha256, identity().sha256);
    }
}
