//! `contract bundle`: a document of many files as one.

use std::path::Path;

use clap::ValueEnum;

use crate::input::{self, Input};

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

/// The document as one text, in which references stay within.
///
/// # Errors
/// It cannot be read, or not be written in this format; why, with places.
pub fn text(document: &str, format: Format) -> Result<String, String> {
    let input = Input::parse(document).map_err(|error| input::unreadable(&error).render(false))?;
    let document = input.load().map_err(|error| error.render(false))?;
    match format {
        Format::Json => Ok(format!("{}\n", document.root.to_json_pretty())),
        Format::Yaml => yaml::text(&document.root)
            .map_err(|error| format!("error: failed to write YAML: {error}\n")),
    }
}
