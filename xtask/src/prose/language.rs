//! Checks sentences, lines and phrases.

use super::finding::Finding;
use super::page::Page;
use super::phrases::Phrases;

/// The greatest number of words in nine of ten sentences of a page.
const SENTENCE: usize = 28;
/// The greatest number of characters in a line of prose.
const LINE: usize = 100;

/// The language defects of a page.
pub(crate) fn check<'p>(
    page: &'p Page,
    phrases: &'p Phrases,
) -> impl Iterator<Item = Finding> + use<'p> {
    long_sentences(page)
        .chain(long_lines(page))
        .chain(refused_phrases(page, phrases))
}

/// The defects of a text whose lines are wrapped by another tool, such as doc comments.
pub(crate) fn check_words<'p>(
    page: &'p Page,
    phrases: &'p Phrases,
) -> impl Iterator<Item = Finding> + use<'p> {
    long_sentences(page).chain(refused_phrases(page, phrases))
}

fn refused_phrases<'p>(
    page: &'p Page,
    phrases: &'p Phrases,
) -> impl Iterator<Item = Finding> + use<'p> {
    page.blocks.iter().flat_map(move |block| {
        phrases.within(&block.text).map(move |(phrase, advice)| {
            let message = format!("avoid \"{phrase}\"; instead: {advice}");
            Finding::new(block.line, message)
        })
    })
}

fn long_lines(page: &Page) -> impl Iterator<Item = Finding> + use<'_> {
    let long = page.lines.iter().filter(|(_, length)| *length > LINE);
    long.map(|(line, length)| {
        let message = format!("the line has {length} characters; wrap it at {LINE}");
        Finding::new(*line, message)
    })
}

/// The longest sentences, when more than one in ten is too long.
fn long_sentences(page: &Page) -> impl Iterator<Item = Finding> + use<> {
    let prose = page.blocks.iter().filter(|block| block.is_prose);
    let mut sentences: Vec<(usize, usize)> = prose
        .flat_map(|block| lengths(&block.text).map(|length| (length, block.line)))
        .collect();
    sentences.sort_unstable();
    let rank = (sentences.len() * 9).div_ceil(10).saturating_sub(1);
    let is_long = sentences.get(rank).is_some_and(|(p90, _)| *p90 > SENTENCE);
    let longest = sentences.split_off(rank.min(sentences.len()));
    longest
        .into_iter()
        .filter(move |_| is_long)
        .map(|(length, line)| {
            let message = format!(
                "a sentence has {length} words; nine of ten on a page have at most {SENTENCE}"
            );
            Finding::new(line, message)
        })
}

/// The number of words in each sentence of a text.
fn lengths(text: &str) -> impl Iterator<Item = usize> + use<'_> {
    let mut ended = false;
    let sentences = text.split_inclusive(char::is_whitespace);
    let mut lengths = vec![0];
    for word in sentences {
        if ended {
            lengths.push(0);
        }
        if let Some(last) = lengths.last_mut() {
            *last += usize::from(!word.trim().is_empty());
        }
        ended = word.trim_end().ends_with(['.', '!', '?', ':']);
    }
    lengths.into_iter().filter(|length| *length > 0)
}

#[cfg(test)]
mod tests {
    use super::super::page::Page;
    use super::super::phrases::Phrases;
    use super::{check, lengths};

    fn found(text: &str) -> Vec<String> {
        let phrases = Phrases::parse("is told | name the actor");
        let page = Page::parse(text);
        check(&page, &phrases)
            .map(|finding| finding.to_string())
            .collect()
    }

    #[test]
    fn words_are_counted_by_sentence() {
        let counted: Vec<usize> = lengths("One two. Three: four five! Six").collect();
        assert_eq!(counted, [2, 1, 2, 1]);
    }

    #[test]
    fn a_page_of_short_sentences_is_clean() {
        assert_eq!(found("# Page\n\nShort words. More of them.\n"), [""; 0]);
    }

    #[test]
    fn long_sentences_long_lines_and_phrases_are_found() {
        let sentence = "word ".repeat(29);
        let text = format!("{sentence}.\n\nIt is told.\n");
        let found = found(&text);
        assert_eq!(found.len(), 3, "{found:#?}");
        assert!(
            found[0].starts_with(":1: a sentence has 30 words"),
            "{found:#?}"
        );
        assert!(found[1].starts_with(":1: the line has 146"), "{found:#?}");
        assert!(found[2].starts_with(":3: avoid \"is told\""), "{found:#?}");
    }

    #[test]
    fn one_long_sentence_of_eleven_is_allowed() {
        let long = "word\n".repeat(40);
        let short = "Short. ".repeat(10);
        assert_eq!(found(&format!("{short}\n\n{long}")), [""; 0]);
    }
}
