//! Suggests a similar name for one that does not exist.

use openapi_document::spelling::nearest;

/// `; did you mean …?` with the most similar name, or an empty text when none is similar.
pub fn suggestion<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> String {
    nearest(word, names).map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}
