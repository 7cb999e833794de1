//! Steady: who follows the pages of a list sees each record once though another one is made meanwhile, where a text says that
//! pages neither repeat nor miss one.

use std::collections::BTreeSet;

use openapi_document::Node;
use openapi_document::view::Location;

use super::pages::Stand;
use super::paging::Walk;
use crate::checks;
use crate::laws::trial::draft::Draft;
use crate::laws::trial::world::World;
use crate::model::{Call, names, prose};

/// So many records are there at least, and on a page at most.
const FEW: usize = 4;
const SIZE: u64 = 2;

impl<'d> Stand<'_, 'd> {
    /// Makes a record after the first page was read.
    pub(crate) async fn steady(
        &self,
        world: &mut World<'_, '_, '_, 'd>,
        whole: &Walk,
        draft: &mut Draft,
    ) -> Option<()> {
        let all = self.keys(whole);
        let may_be = self.paging.cursor().is_some() && all.len() >= FEW && draft.is_clean();
        (may_be && said(self.list).iter().any(|own| says_once(own))).then_some(())?;
        let walk = self.while_one_is_made(world, SIZE).await?;
        let last = walk.last.as_ref()?;
        let keys = self.keys(&walk);
        let different: BTreeSet<&String> = keys.iter().collect();
        let due = all.iter().take(keys.len().saturating_sub(1));
        let missed = due.filter(|own| !different.contains(own)).count();
        let told = |actual: String| {
            let expected = "each record once, though one was made after the first page";
            (expected.to_owned(), actual)
        };
        if different.len() < keys.len() {
            let twice = format!("{} of them twice", keys.len() - different.len());
            let place = (&checks::PAGE_REPEATS, "");
            self.differ(world, place, told(twice), last, draft);
        } else if missed > 0 {
            let place = (&checks::PAGE_MISSES, "");
            self.differ(
                world,
                place,
                told(format!("{missed} are missing")),
                last,
                draft,
            );
        }
        Some(())
    }
}

/// What is said of a list, of its pages and of all lists.
pub(super) fn said(list: &Call<'_>) -> Vec<Vec<String>> {
    let parameters = list.operation.parameters().into_iter();
    let queries = parameters.filter(|own| own.location == Location::Query);
    let own: Vec<&str> = queries
        .filter_map(|own| own.at.node.get("description").and_then(Node::as_str))
        .collect();
    let texts = list.texts().chain(list.overall).chain(own);
    texts.flat_map(prose::sentences).map(names::words).collect()
}

/// Whether a sentence says that pages have each record once.
fn says_once(sentence: &[String]) -> bool {
    const PAGES: [&str; 6] = ["page", "pages", "paging", "cursor", "cursors", "walking"];
    const TWICE: [&str; 9] = [
        "repeat",
        "repeats",
        "repeated",
        "skip",
        "skips",
        "skipped",
        "twice",
        "miss",
        "duplicates",
    ];
    const NOT: [&str; 6] = ["neither", "nor", "not", "no", "never", "without"];
    const OPEN: [&str; 3] = ["may", "can", "might"];
    let has = |list: &[&str]| prose::has(sentence, list);
    let is_once = has(&["once"]) && has(&["each", "every"]);
    has(&PAGES) && (is_once || (has(&TWICE) && has(&NOT))) && !has(&OPEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_about_pages() {
        for (text, expected) in [
            (
                "Pages neither repeat nor skip an order, even if others are made",
                true,
            ),
            ("Walking through the pages gives each record once", true),
            (
                "Who follows the cursors to the end sees every record that was there at the beginning exactly once",
                true,
            ),
            ("An order may be on two pages, or on none", false),
            ("Each page has a cursor", false),
            ("Send each request once", false),
        ] {
            assert_eq!(says_once(&names::words(text)), expected, "{text}");
        }
    }
}
