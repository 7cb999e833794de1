//! `contract bundle`: writes a document of many files as one file.

use std::path::Path;

use clap::ValueEnum;
use openapi_document::Diagnostics;

use crate::input::{self, Input, Overlays};

mod yaml;

/// The format of the bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// JSON.
    Json,
    /// YAML.
    Yaml,
}

impl Format {
    /// The format for a file extension; JSON if it is missing or unknown.
    pub fn of(out: Option<&Path>) -> Self {
        let ending = out
            .and_then(Path::extension)
            .and_then(|ending| ending.to_str());
        match ending {
            Some("yaml" | "yml") => Self::Yaml,
            _ => Self::Json,
        }
    }
}

/// A bundled document.
#[derive(Debug)]
pub struct Bundle {
    /// The text; all references are local.
    pub text: String,
    /// Warnings about overlay actions without effect, with places; empty if there are none.
    pub warnings: String,
}

/// Bundles a document after applying overlays.
///
/// # Errors
/// The document cannot be read, or cannot be written in this format; the text says why, with places.
pub fn text(document: &str, overlays: &Overlays, format: Format) -> Result<Bundle, String> {
    let input = Input::parse(document).map_err(|error| input::unreadable(&error).render(false))?;
    let document = input.load(overlays).map_err(|error| error.render(false))?;
    let text = match format {
        Format::Json => format!("{}\n", document.root.to_json_pretty()),
        Format::Yaml => yaml::text(&document.root)
            .map_err(|error| format!("error: failed to write YAML: {error}\n"))?,
    };
    let mut found = Diagnostics::default();
    let read = document.findings.iter();
    found.extend(
        read.filter(|finding| finding.rule.starts_with("overlay-"))
            .cloned(),
    );
    let warnings = found.render(&document.sources, false);
    Ok(Bundle { text, warnings })
}
