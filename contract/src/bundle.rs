//! `contract bundle`: a document of many files as one.

use crate::input::{self, Input};

/// The document as JSON, in which references stay within.
///
/// # Errors
/// It cannot be read; why, with places.
pub fn text(document: &str) -> Result<String, String> {
    let input = Input::parse(document).map_err(|error| input::unreadable(&error).render(false))?;
    let document = input.load().map_err(|error| error.render(false))?;
    Ok(format!("{}\n", document.root.to_json_pretty()))
}
