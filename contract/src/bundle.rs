//! `contract bundle`: a document of many files as one.

use std::path::Path;

use clap::ValueEnum;
use openapi_document::Diagnostics;

use crate::input::{self, Input, Overlays};

mod yaml;

/// How the document is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// JSON.
    Json,
    /// YAML.
    Yaml,
}

impl Format {
    /// What the ending of a file asks for; JSON where there is none, or another one.
    pub fn of(out: Option<&Path>) -> Self {
        let ending = out.and_then(Path::extension).and_then(|own| own.to_str());
        match ending {
            Some("yaml" | "yml") => Self::Yaml,
            _ => Self::Json,
        }
    }
}

/// A document as one text.
#[derive(Debug)]
pub struct Bundle {
    /// The text, in which references stay within.
    pub text: String,
    /// What overlays do not change although they say so, with places; empty where there is nothing.
    pub warnings: String,
}

/// The document, changed by overlays, as one text.
///
/// # Errors
/// It cannot be read, or not be written in this format; why, with places.
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
    found.extend(read.filter(|own| own.rule.starts_with("overlay-")).cloned());
    let warnings = found.render(&document.sources, false);
    Ok(Bundle { text, warnings })
}
