//! `contract lint --fix`: the safe fixes that findings offer, made in the files of a document.

use std::io;
use std::path::PathBuf;

use openapi_lint::Levels;

use crate::input::{Input, Overlays};

/// A fix may make room for another; no document needs more rounds.
const MOST_ROUNDS: usize = 8;

/// Makes the fixes, in all files of a document on the disk, until none is left; tells what was done in
/// which file. What cannot be read, and what is a revision's, is left alone.
///
/// # Errors
/// A file cannot be written.
pub fn make(
    input: &Input,
    overlays: &Overlays,
    levels: &Levels,
) -> io::Result<Vec<(PathBuf, String)>> {
    let mut made = Vec::new();
    if input.on_disk().is_none() {
        return Ok(made);
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
        for own in fixed {
            let path = document.sources.file(own.file).path().to_owned();
            let failed = |error: io::Error| {
                let said = format!("failed to write {}: {error}", path.display());
                io::Error::new(error.kind(), said)
            };
            std::fs::write(&path, &own.text).map_err(failed)?;
            made.extend(own.titles.into_iter().map(|title| (path.clone(), title)));
        }
    }
    Ok(made)
}
