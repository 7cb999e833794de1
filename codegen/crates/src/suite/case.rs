//! A schema of the suite and its instances.

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use programs::workspace;
use serde_json::Value;

/// A schema and the instances that it allows or refuses.
#[derive(Debug, Clone)]
pub(super) struct Case {
    /// The name of its file: the keyword.
    pub keyword: String,
    /// What the suite calls it.
    pub description: String,
    /// The schema.
    pub schema: Value,
    /// The instances.
    pub instances: Vec<Instance>,
}

/// A value that a schema allows or refuses.
#[derive(Debug, Clone)]
pub(super) struct Instance {
    /// What the suite calls it.
    pub description: String,
    /// The value.
    pub value: Value,
    /// Whether the schema allows it.
    pub valid: bool,
}

/// Every case of a folder, in the order of its files.
pub(super) fn read(folder: &Path) -> anyhow::Result<Vec<Case>> {
    ensure!(folder.is_dir(), "{} is no folder", folder.display());
    let mut cases = Vec::new();
    for path in workspace::documents(&[folder.to_owned()])? {
        let keyword = path.file_stem().unwrap_or_default();
        let keyword = keyword.to_string_lossy().into_owned();
        let file: Value = serde_json::from_str(&fs::read_to_string(&path)?)?;
        for case in file.as_array().into_iter().flatten() {
            let case = Case::read(keyword.clone(), case);
            cases.push(case.with_context(|| format!("a case of {}", path.display()))?);
        }
    }
    Ok(cases)
}

impl Case {
    fn read(keyword: String, case: &Value) -> Option<Self> {
        let instances = case.get("tests")?.as_array()?.iter().map(Instance::read);
        Some(Self {
            keyword,
            description: case.get("description")?.as_str()?.to_owned(),
            schema: case.get("schema")?.clone(),
            instances: instances.collect::<Option<_>>()?,
        })
    }
}

impl Instance {
    fn read(instance: &Value) -> Option<Self> {
        Some(Self {
            description: instance.get("description")?.as_str()?.to_owned(),
            value: instance.get("data")?.clone(),
            valid: instance.get("valid")?.as_bool()?,
        })
    }
}
