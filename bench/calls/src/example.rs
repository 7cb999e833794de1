//! The documented examples, as typed values.

use anyhow::Context;
use serde::de::DeserializeOwned;

const DOCUMENT: &str = include_str!("../../../generated/openapi.json");

/// The value of an example in the document.
pub(crate) fn read<T: DeserializeOwned>(name: &str) -> anyhow::Result<T> {
    let document: serde_json::Value = serde_json::from_str(DOCUMENT)?;
    let value = &document["components"]["examples"][name]["value"];
    // Parsed from text, as a program would do.
    serde_json::from_str(&value.to_string()).with_context(|| format!("the example `{name}`"))
}
