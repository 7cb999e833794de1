//! Embeds the contract in the program.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use conformance::source::{Spec, Texts};

/// Its texts, by their paths in the repository; none in a program that was built without one.
static CONTRACT: Texts = include!(concat!(env!("OUT_DIR"), "/contract.rs"));

/// The document that is named, else the one of the program.
pub(crate) fn spec(named: Option<PathBuf>) -> anyhow::Result<Spec> {
    if let Some(file) = named {
        return Ok(Spec::File(file));
    }
    ensure!(
        !CONTRACT.is_empty(),
        "no document is named: add --spec openapi.yaml, or `spec` to the configuration"
    );
    Ok(Spec::Texts(CONTRACT))
}

/// Writes the contract into a folder. Fails when a file exists already.
pub(crate) fn write(folder: &Path) -> anyhow::Result<String> {
    ensure!(
        !CONTRACT.is_empty(),
        "this program was built without a contract"
    );
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
