//! Language: detects whether the descriptions of a document are in English.

use openapi_document::view::Document;

use super::texts;

/// Words that occur in every longer English text.
const COMMON: [&str; 12] = [
    "the", "of", "to", "and", "is", "a", "in", "for", "be", "by", "that", "with",
];

/// The maximum number of words that are counted.
const ENOUGH: usize = 4000;

/// A document with fewer words counts as English.
const FEW: usize = 40;

/// Whether at least one word in ten is a common English word.
pub(super) fn is_english(document: &Document) -> bool {
    let (mut words, mut common) = (0_usize, 0_usize);
    texts::each(document, &mut |_, text| {
        if words > ENOUGH {
            return;
        }
        for word in text.as_str().unwrap_or_default().split_whitespace() {
            words += 1;
            let lower = word.to_lowercase();
            common += usize::from(COMMON.contains(&lower.as_str()));
        }
    });
    words < FEW || common * 10 >= words
}
