//! Where things are.

use std::path::{Path, PathBuf};

use contract::cli::Judging;

/// The workspace's top folder: that of the checkout in which cargo was asked to run this.
pub(crate) fn root() -> PathBuf {
    let built_in = || env!("CARGO_MANIFEST_DIR").into();
    let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(built_in));
    package
        .parent()
        .map_or_else(|| package.clone(), Path::to_owned)
}

/// The contract's root file, shown relative to the current folder where it lies below it.
pub(crate) fn contract() -> PathBuf {
    shown(&root().join("spec/openapi.yaml"))
}

/// How the gate judges: by the workspace's configuration where no other is named.
pub(crate) fn judging(words: &Judging) -> Judging {
    let usual = || shown(&root().join(contract::config::NAME));
    Judging {
        config: Some(words.config.clone().unwrap_or_else(usual)),
        ..words.clone()
    }
}

/// The path relative to the current folder, where it lies below it.
pub(crate) fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).unwrap_or(path).to_owned()
}

/// The lines of all Rust files below a folder.
pub(crate) fn lines(folder: &Path) -> anyhow::Result<usize> {
    let mut count = 0;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            count += lines(&path)?;
        } else if path.extension().is_some_and(|it| it == "rs") {
            count += std::fs::read_to_string(&path)?.lines().count();
        }
    }
    Ok(count)
}
