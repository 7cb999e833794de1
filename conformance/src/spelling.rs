//! What to type instead of a name that does not exist.

use openapi_document::spelling::nearest;

/// `; did you mean …?` with the name that is spelled nearly like a word, else nothing.
pub fn suggestion<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> String {
    nearest(word, names).map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}
