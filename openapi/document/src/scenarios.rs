//! Scenarios: loads Arazzo documents, which are workflows over the operations of a document.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::files::Files;
use crate::load_error::LoadError;
use crate::node::Node;
use crate::source::SourceMap;

/// One Arazzo document as a tree.
#[derive(Debug, Clone)]
pub struct ScenarioFile {
    /// The tree.
    pub root: Node,
    /// The source text.
    pub sources: SourceMap,
}

/// The scenario files of a folder (`*.arazzo.yaml`, `*.arazzo.yml`, `*.arazzo.json`), sorted by
/// name.
///
/// # Errors
/// The folder cannot be read.
pub fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let endings = [".arazzo.yaml", ".arazzo.yml", ".arazzo.json"];
        if name.is_some_and(|name| endings.iter().any(|ending| name.ends_with(ending))) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Reads one scenario file.
///
/// # Errors
/// The file cannot be read, or is neither YAML nor JSON.
pub fn load(path: &Path) -> Result<ScenarioFile, LoadError> {
    let mut files = Files::default();
    match files.read(path, None) {
        Some(file) => Ok(ScenarioFile {
            root: files.tree(file).clone(),
            sources: files.sources,
        }),
        None => Err(LoadError {
            sources: files.sources,
            diagnostics: files.diagnostics,
        }),
    }
}
