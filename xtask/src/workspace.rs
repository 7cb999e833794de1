//! Where things are.

use std::path::{Path, PathBuf};

/// The workspace's top folder.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// The contract's root file, shown relative to the current folder where it lies below it.
pub(crate) fn contract() -> PathBuf {
    shown(&root().join("spec/openapi.yaml"))
}

/// The path relative to the current folder, where it lies below it.
pub(crate) fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).unwrap_or(path).to_owned()
}
