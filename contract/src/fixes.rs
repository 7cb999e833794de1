//! `contract lint --fix`: applies the safe fixes of findings to the files of a document.

use std::io;
use std::path::PathBuf;

use openapi_lint::Levels;

use crate::input::{Input, Overlays};

/// The maximum number of rounds: a fix may enable another one.
const MOST_ROUNDS: usize = 8;

/// Applies fixes to all files of a document on disk until none is left. Returns each file with the
/// description of a fix. Unreadable files and git revisions are not changed.
///
/// # Errors
/// A file cannot be written.
pub fn make(
    input: &Input,
    overlays: &Overlays,
    levels: &Levels,
) -> io::Result<Vec<(PathBuf, String)>> {
    let mut applied = Vec::new();
    if input.on_disk().is_none() {
        return Ok(applied);
    }
    for _ in 0..MOST_ROUNDS {
        let Ok(document) = input.load(overlays) else {
            break;
        };
        let findings = openapi_lint::lint_with(&document, levels);
        let fixed = openapi_lint::fix(&document.sources, &findings);
        if fixed.is_empty() {
            break;
        }
        for file in fixed {
            let path = document.sources.file(file.file).path().to_owned();
            let failed = |error: io::Error| {
                let message = format!("failed to write {}: {error}", path.display());
                io::Error::new(error.kind(), message)
            };
            std::fs::write(&path, &file.text).map_err(failed)?;
            applied.extend(file.titles.into_iter().map(|title| (path.clone(), title)));
        }
    }
    Ok(applied)
}
