//! The paths at which `.ci/install` installs tools.

use std::path::PathBuf;

use super::found::checkout;

fn tools() -> PathBuf {
    checkout().join("target/tools")
}

/// A Python with libraries.
#[must_use]
pub fn python() -> PathBuf {
    tools().join("python/bin/python")
}

/// The folder of the packages for Node, as its `NODE_PATH`.
#[must_use]
pub fn node() -> PathBuf {
    tools().join("node/node_modules")
}

/// The JSON schema of SARIF 2.1.0.
#[must_use]
pub fn sarif_schema() -> PathBuf {
    tools().join("sarif.schema.json")
}
