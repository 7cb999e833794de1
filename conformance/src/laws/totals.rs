//! What a list tells of itself beside its items: how many there are, which page this is, and whether more
//! follows.

use spec::Node;

use crate::checks::{self, Check};
use crate::value;

use super::draft::Draft;
use super::pages::Stand;
use super::paging::{By, Walk};
use super::world::World;
use crate::model::names;

/// Names of the number of all items.
const TOTALS: [&str; 8] = [
    "total",
    "total count",
    "total items",
    "total results",
    "total records",
    "total elements",
    "total size",
    "count total",
];

/// Names of the number of all pages.
const PAGES: [&str; 4] = ["total pages", "page count", "pages", "pages total"];

/// What is wrong with what a page tells.
type Wrong = (&'static Check, String, (String, String));

impl<'d> Stand<'_, 'd> {
    /// Compares what the pages of a walk tell with what they are.
    pub(super) fn tells(
        &self,
        world: &World<'_, '_, '_, 'd>,
        (walk, size): (&Walk, u64),
        draft: &mut Draft,
    ) {
        if !walk.ended {
            return;
        }
        let Some(last) = &walk.last else { return };
        for (index, told) in walk.told.iter().enumerate() {
            let wrong = self.wrong((walk, size), index, told);
            if let Some((check, name, texts)) = wrong {
                self.differ(world, (check, &name), texts, last, draft);
                return;
            }
        }
    }

    fn wrong(
        &self,
        (walk, size): (&Walk, u64),
        index: usize,
        told: &[(String, Node)],
    ) -> Option<Wrong> {
        let items: usize = walk.pages.iter().map(Vec::len).sum();
        let items = items as u64;
        let expected = |name: &str| {
            if TOTALS.contains(&name) {
                return Some(items);
            }
            if PAGES.contains(&name) {
                return Some(items.div_ceil(size));
            }
            let asked = |own: &str| names::words(own).join(" ") == name;
            if self.paging.size.is_some_and(asked) {
                return Some(size);
            }
            match self.paging.by {
                Some(By::Page(own, first)) if asked(own) => Some(first + index as u64),
                Some(By::Offset(own)) if asked(own) => Some(index as u64 * size),
                _ => None,
            }
        };
        told.iter().find_map(|(name, node)| {
            if index + 1 == walk.pages.len() && promises(name, node) == Some(true) {
                let texts = (
                    "the end of the list".to_owned(),
                    "more is promised".to_owned(),
                );
                return Some((&checks::MORE_PROMISED, name.clone(), texts));
            }
            if index + 1 < walk.pages.len() && promises(name, node) == Some(false) {
                let texts = (
                    "more: another page follows".to_owned(),
                    "the end".to_owned(),
                );
                return Some((&checks::TOTAL_DIFFERS, name.clone(), texts));
            }
            let number: u64 = value::plain(node).parse().ok()?;
            let expected = expected(name).filter(|own| *own != number)?;
            let texts = (format!("`{name}` {expected}"), number.to_string());
            Some((&checks::TOTAL_DIFFERS, name.clone(), texts))
        })
    }
}

/// What a flag says of whether more follows.
fn promises(name: &str, node: &Node) -> Option<bool> {
    let speaks = matches!(name, "has more" | "has next" | "has next page" | "more");
    node.as_bool().filter(|_| speaks)
}
