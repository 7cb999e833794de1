//! Parameters of paths, queries, headers and cookies, and the fields of forms.
//!
//! An operation's parameters are one struct; a static table of [`Parameter`]s says where each of
//! its fields travels and in which style. Values pass through a [`Tree`] of texts in between.

#[cfg(feature = "styles")]
pub(super) mod nesting;
mod reader;
mod scalar;
#[cfg(feature = "styles")]
mod style;
#[cfg(feature = "styles")]
mod style_error;
mod table;
mod tree;

#[cfg(feature = "server")]
pub(super) use reader::read_quickly;
pub use reader::read_tree;
#[cfg(feature = "client")]
pub(super) use scalar::push_pair;
#[cfg(not(feature = "styles"))]
pub(super) use scalar::scalar as text;
#[cfg(feature = "styles")]
pub use style::{pairs, parse_pairs, parse_text, text};
#[cfg(feature = "styles")]
pub use style_error::StyleError;
pub use table::{Parameter, Place};
#[cfg(feature = "styles")]
pub use table::{Shape, Style};
pub use tree::Tree;

use http::HeaderMap;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::json::Unreadable;

/// The fields of a struct as header names and values, in the style of headers.
#[cfg(feature = "styles")]
pub fn header_texts<H: Serialize>(headers: &H) -> Vec<(String, String)> {
    let Ok(Some(Tree::Map(fields))) = Tree::of(headers) else {
        return Vec::new();
    };
    let plain = Parameter::header("");
    fields
        .into_iter()
        .map(|(name, tree)| (name, text(&plain, &tree)))
        .collect()
}

/// Reads a struct from headers; its fields are named like the headers, in lower case.
pub fn read_headers<H: DeserializeOwned>(headers: &HeaderMap) -> Result<H, Unreadable> {
    let texts = headers.iter().filter_map(|(name, value)| {
        let value = value.to_str().ok()?;
        Some((name.as_str().to_owned(), Tree::Text(value.to_owned())))
    });
    read_tree(Tree::Map(texts.collect()))
}
