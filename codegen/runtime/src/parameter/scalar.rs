//! Putting texts into paths, queries, headers and cookies.

use super::super::percent;
use super::table::{Parameter, Place};
use super::tree::Tree;

/// Adds a query or cookie parameter that is a text, as `name=value`, percent-encoded.
pub(in super::super) fn push_pair(pairs: &mut String, parameter: &Parameter, text: &str) {
    percent::push(pairs, parameter.name);
    pairs.push('=');
    #[cfg(feature = "styles")]
    if parameter.place == Place::Query && parameter.allow_reserved {
        return pairs.push_str(&percent::encode_reserved(text));
    }
    percent::push(pairs, text);
}

/// A text in its place. Values nested deeper than a style can say have no text in it.
pub(in super::super) fn scalar(parameter: &Parameter, tree: &Tree) -> String {
    match tree {
        Tree::Text(text) => encoded(parameter, text),
        Tree::List(_) | Tree::Map(_) => String::new(),
    }
}

pub(super) fn encoded(parameter: &Parameter, text: &str) -> String {
    match parameter.place {
        Place::Header => text.to_owned(),
        #[cfg(feature = "styles")]
        Place::Query if parameter.allow_reserved => percent::encode_reserved(text),
        _ => percent::encode(text),
    }
}
