//! The last touch: rustfmt, for the crates that are checked in.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use crate::output::File;

/// Runs every Rust file through `rustfmt`: in one process, which costs as much to start as to format
/// dozens of files.
///
/// # Errors
/// There is no `rustfmt`, or it refuses a file.
pub fn format(mut files: Vec<File>) -> io::Result<Vec<File>> {
    let folder = tempfile::tempdir()?;
    let paths: BTreeSet<PathBuf> = files
        .iter()
        .filter(|file| is_rust(&file.path))
        .map(|file| file.path.clone())
        .collect();
    let Some(roots) = roots(&paths) else {
        return Ok(files);
    };
    for file in files.iter().filter(|file| is_rust(&file.path)) {
        let path = folder.path().join(&file.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, &file.text)?;
    }
    run(folder.path(), &roots)?;
    for file in files.iter_mut().filter(|file| is_rust(&file.path)) {
        file.text = fs::read_to_string(folder.path().join(&file.path))?;
    }
    Ok(files)
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

/// The files that are a module of no other; rustfmt follows these to all others. `None` for no file.
fn roots(paths: &BTreeSet<PathBuf>) -> Option<Vec<&PathBuf>> {
    let is_root = |path: &&PathBuf| {
        let folder = path.parent().unwrap_or(Path::new(""));
        let own = path.file_name().is_some_and(|name| name == "mod.rs");
        let above = if own { folder.parent() } else { Some(folder) };
        let Some(above) = above else { return true };
        let mut parents = ["mod.rs", "lib.rs"].iter().map(|name| above.join(name));
        !parents.any(|parent| parent != **path && paths.contains(&parent))
    };
    let roots: Vec<_> = paths.iter().filter(is_root).collect();
    (!roots.is_empty()).then_some(roots)
}

fn run(folder: &Path, roots: &[&PathBuf]) -> io::Result<()> {
    let missing = |error: io::Error| {
        let message =
            format!("failed to run rustfmt ({error}); `rustup component add rustfmt` installs it");
        io::Error::new(error.kind(), message)
    };
    let output = Command::new("rustfmt")
        .args(["--edition", "2024", "--config", "max_width=100", "--quiet"])
        .args(roots)
        .current_dir(folder)
        .output()
        .map_err(missing)?;
    if output.status.success() {
        return Ok(());
    }
    let reason = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(format!(
        "rustfmt refuses a file: {reason}"
    )))
}
