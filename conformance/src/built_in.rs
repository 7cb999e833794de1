//! Embeds the contract in the program.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use conformance::source::Texts;

/// The files of the contract, by their paths in the repository.
pub(crate) static CONTRACT: Texts = include!(concat!(env!("OUT_DIR"), "/contract.rs"));

/// Writes the contract into a folder. Fails when a file exists already.
pub(crate) fn write(folder: &Path) -> anyhow::Result<String> {
    for (path, text) in CONTRACT {
        let file = folder.join(path);
        let failed = || format!("failed to write {}", file.display());
        let parent = file.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent).with_context(failed)?;
        let mut file = File::create_new(&file).with_context(failed)?;
        file.write_all(text.as_bytes())?;
    }
    Ok(format!(
        "wrote {} files to {}",
        CONTRACT.len(),
        folder.display()
    ))
}
