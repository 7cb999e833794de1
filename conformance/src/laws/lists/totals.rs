//! Totals: compares what a list says about itself with its items: totals, page numbers, and whether more follows.

use openapi_document::view::MediaType;
use openapi_document::{Node, Pointer};
use openapi_facts::envelope::{is_more, is_page_count, is_total};

use crate::checks::{self, Check};
use crate::exchange::Exchange;
use crate::value;

use super::addressed_list::AddressedList;
use super::paging::{self, By, Walk};
use crate::model::Call;
use crate::names;
use crate::prose;
use crate::scene::Scene;
use crate::scene::draft::Draft;
use crate::shape::Shape;

/// Words for the number of matching items, beside a total of all.
const FILTERED: [&str; 4] = ["filtered", "matching", "matched", "matches"];

/// Words which say that a total counts all records, whatever the filter.
const REGARDLESS: [&str; 6] = [
    "regardless",
    "irrespective",
    "unfiltered",
    "ignoring",
    "whatever",
    "without",
];

/// The total of a filtered list if it is not the number of its items: its name, the number of items, and the total.
pub(crate) fn of_others<'d>(
    scene: &Scene<'_, 'd>,
    list: &Call<'d>,
    walk: &Walk,
) -> Option<(String, u64, u64)> {
    let answer = walk.last.as_ref()?.outcome.as_ref().ok()?;
    let observed = walk.observed.first().cloned();
    let observed = observed.or_else(|| answer.json().map(paging::scalars))?;
    let is_filtered = |word: &str| word.split(' ').any(|word| FILTERED.contains(&word));
    if !walk.ended || observed.iter().any(|(name, _)| is_filtered(name)) {
        return None;
    }
    let items = walk.pages.iter().map(Vec::len).sum::<usize>() as u64;
    let (name, node) = observed.iter().find(|pair| is_total(&pair.0))?;
    let number: u64 = value::plain(node).parse().ok()?;
    (number != items && !is_of_all(scene, list, name)).then(|| (name.clone(), items, number))
}

/// Whether the document says that a total counts all records, whatever the filter.
fn is_of_all<'d>(scene: &Scene<'_, 'd>, list: &Call<'d>, name: &str) -> bool {
    let words = names::words(&said_of(scene, list, name).to_lowercase());
    words.iter().any(|word| REGARDLESS.contains(&word.as_str()))
}

/// The description of a property beside the items of a list.
pub(super) fn said_of<'d>(scene: &Scene<'_, 'd>, list: &Call<'d>, name: &str) -> &'d str {
    let document = scene.model.document;
    let media = list
        .success
        .as_ref()
        .and_then(|success| success.media.as_ref());
    let body = Shape::of(document, media.and_then(MediaType::schema).as_ref());
    let names = body.property_names().into_iter();
    let inner: Vec<Shape<'d>> = names.map(|name| body.property(document, name)).collect();
    let mut shapes = std::iter::once(&body).chain(&inner);
    let text = shapes.find_map(|shape| {
        let mut names = shape.property_names().into_iter();
        let property = names.find(|property| names::words(property).join(" ") == name)?;
        shape
            .property(document, property)
            .keyword("description")?
            .as_str()
    });
    text.unwrap_or_default()
}

/// A wrong value of a page: check, name, expected and actual text.
type Wrong = (&'static Check, String, (String, String));

impl<'d> AddressedList<'_, 'd> {
    /// Compares the values of each page with the walk.
    pub(crate) fn check(
        &self,
        scene: &Scene<'_, 'd>,
        (walk, size): (&Walk, u64),
        draft: &mut Draft,
    ) {
        if !walk.ended {
            return;
        }
        let Some(last) = &walk.last else { return };
        if let Some(texts) = self.leads_on(scene, last) {
            self.differ(scene, (&checks::MORE_PROMISED, "next"), texts, last, draft);
            return;
        }
        for (index, observed) in walk.observed.iter().enumerate() {
            let wrong = self.wrong(scene, (walk, size), index, observed);
            if let Some((check, name, texts)) = wrong {
                // The facts of a parameter support a finding about the value that repeats it.
                let mut parameters = self.list.operation.parameters().into_iter();
                if parameters.any(|item| names::words(item.name).join(" ") == name) {
                    self.differ(scene, (check, &name), texts, last, draft);
                } else {
                    let place = place_of(last, &name);
                    self.differ_at(scene, (check, place), texts, last, draft);
                }
                return;
            }
        }
    }

    /// A link to a next page on the last one, if the document says that there is none.
    fn leads_on(&self, scene: &Scene<'_, 'd>, last: &Exchange) -> Option<(String, String)> {
        let body = last.outcome.as_ref().ok()?.json()?;
        let (at, link) = self.paging.leads_on(body)?;
        let beside = body.entries().map(|entry| entry.key.as_str());
        let mut texts: Vec<&str> = beside.map(|item| self.said_at(scene, item)).collect();
        texts.extend(at.last().map(|name| said_of(scene, self.list, &name)));
        texts.extend(self.list.overall);
        let text = descriptions(self.list);
        texts.push(&text);
        let is_said = texts.into_iter().any(says_absent_at_end);
        is_said.then(|| ("no next page".to_owned(), value::excerpt(&link.to_json())))
    }

    /// The description of a property at the top of the answer.
    fn said_at(&self, scene: &Scene<'_, 'd>, name: &str) -> &'d str {
        let document = scene.model.document;
        let media = self
            .list
            .success
            .as_ref()
            .and_then(|success| success.media.as_ref());
        let body = Shape::of(document, media.and_then(MediaType::schema).as_ref());
        let text = body.property(document, name).keyword("description");
        text.and_then(Node::as_str).unwrap_or_default()
    }

    fn wrong(
        &self,
        scene: &Scene<'_, 'd>,
        (walk, size): (&Walk, u64),
        index: usize,
        observed: &[(String, Node)],
    ) -> Option<Wrong> {
        let items: usize = walk.pages.iter().map(Vec::len).sum();
        let items = items as u64;
        let expected = |name: &str| {
            if is_total(name) {
                return Some(items);
            }
            if is_page_count(name) {
                return Some(items.div_ceil(size));
            }
            let requested = |property: &str| names::words(property).join(" ") == name;
            if self.paging.size.is_some_and(requested) {
                return Some(size);
            }
            match self.paging.by {
                Some(By::Page(item, first)) if requested(item) => Some(first + index as u64),
                Some(By::Offset(item)) if requested(item) => Some(index as u64 * size),
                _ => None,
            }
        };
        let said = descriptions(self.list);
        let overall = self.list.overall.into_iter();
        let ends = overall.chain([said.as_str()]).any(says_null_at_end);
        let is_next = |name: &str, node: &Node| {
            let is_cursor = name
                .split(' ')
                .any(|word| word == "cursor" || word == "next");
            let is_said = || {
                ends || says_null_at_end(&format!("{name}: {}", said_of(scene, self.list, name)))
            };
            is_cursor && node.as_str().is_some() && is_said()
        };
        observed.iter().find_map(|(name, node)| {
            let promised = promises(name, node) == Some(true) || is_next(name, node);
            if index + 1 == walk.pages.len() && promised {
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
            let expected = expected(name).or_else(|| self.summed(name, walk));
            let expected = expected.filter(|item| *item != number)?;
            let texts = (format!("`{name}` {expected}"), number.to_string());
            Some((&checks::TOTAL_DIFFERS, name.clone(), texts))
        })
    }
}

impl AddressedList<'_, '_> {
    /// The sum of a property over the items of all pages, for a total such as `total_quantity`. `None` unless a
    /// documented example shows the same relation.
    fn summed(&self, name: &str, walk: &Walk) -> Option<u64> {
        let words: Vec<&str> = name.split(' ').collect();
        let part = match &words[..] {
            ["total", part @ ..] | [part @ .., "total"] if !part.is_empty() => part.join(" "),
            _ => return None,
        };
        let sum = |items: &[&Node]| -> Option<u64> {
            let number = |node: &&Node| {
                let mut all = node.entries();
                let entry = all.find(|entry| names::words(&entry.key).join(" ") == part)?;
                entry.value.as_u64()
            };
            items.iter().map(number).sum()
        };
        let success = self.list.success.as_ref()?;
        let (at, media) = (success.items.as_ref()?, success.media.as_ref()?);
        let is_shown = media.examples().iter().any(|example| {
            let body = example.value.node;
            let observed = paging::scalars(body);
            let observed = observed.iter().find(|pair| pair.0 == name);
            let items: Vec<&Node> = body.at(at).into_iter().flat_map(Node::items).collect();
            let total = observed.and_then(|pair| pair.1.as_u64());
            total.is_some_and(|item| item > 0) && total == sum(&items)
        });
        let items: Vec<&Node> = walk.pages.iter().flatten().collect();
        // An item in a state that no example shows may not count.
        let shown = media.examples();
        let known = shown.iter().filter_map(|example| example.value.node.at(at));
        let known: Vec<String> = known.flat_map(Node::items).flat_map(states_of).collect();
        let mut all = items.iter().flat_map(|item| states_of(item));
        let is_shown = is_shown && all.all(|name| known.contains(&name));
        is_shown.then(|| sum(&items)).flatten()
    }
}

/// The place of a scalar of [`paging::scalars`] in the body of an answer; the root for a header.
fn place_of(exchange: &Exchange, name: &str) -> Pointer {
    let answer = exchange.outcome.as_ref().ok();
    let Some(body) = answer.and_then(|answer| answer.json()) else {
        return Pointer::root();
    };
    let key_of = |node: &Node| {
        let mut entries = node.entries();
        let entry = entries.find(|entry| names::words(&entry.key).join(" ") == name);
        entry.map(|entry| entry.key.clone())
    };
    if let Some(key) = key_of(body) {
        return Pointer::root().join(key);
    }
    let mut inner = body.entries();
    let found = inner.find_map(|entry| Some((&entry.key, key_of(&entry.value)?)));
    found.map_or_else(Pointer::root, |(outer, key)| {
        Pointer::root().join(outer.as_str()).join(key)
    })
}

/// The texts of a list and its success.
fn descriptions(list: &Call<'_>) -> String {
    let operation = list.operation.at.node;
    let success = list
        .success
        .as_ref()
        .map(|success| success.response.at.node);
    let nodes = [Some(operation), success].into_iter().flatten();
    let texts = nodes.flat_map(|node| ["summary", "description"].map(|key| node.get(key)));
    let texts: Vec<&str> = texts.filter_map(|item| item?.as_str()).collect();
    texts.join(" ")
}

/// The states of an item.
fn states_of(item: &Node) -> Vec<String> {
    let all = item
        .entries()
        .filter(|entry| names::names_state(&entry.key));
    all.map(|entry| entry.value.to_json()).collect()
}

/// Whether a text says that the link to the next page is null on the last one.
fn says_null_at_end(text: &str) -> bool {
    prose::spoken(text).iter().any(|words| {
        let has = |word: &str| prose::has(words, &[word]);
        let is_next = has("next") || has("cursor");
        is_next && has("null") && has("last") && has("page")
    })
}

/// Whether a text says that the link to the next page is absent on the last one.
fn says_absent_at_end(text: &str) -> bool {
    const NONE: [&str; 7] = [
        "absent", "omitted", "missing", "null", "left", "no", "without",
    ];
    prose::spoken(text).iter().any(|words| {
        let next = words.iter().position(|word| word == "next");
        let near = |at: usize| {
            let rest = &words[at..words.len().min(at + 12)];
            let last = rest
                .windows(2)
                .any(|part| part[0] == "last" && part[1] == "page");
            let none = prose::has(rest, &NONE) || at > 0 && words[at - 1] == "no";
            last && none && !prose::has(rest, &["not", "unless", "until"])
        };
        next.is_some_and(near)
    })
}

/// Whether a flag says that more follows. `None` for other values.
pub(super) fn promises(name: &str, node: &Node) -> Option<bool> {
    node.as_bool().filter(|_| is_more(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_about_the_last_page() {
        for (text, expected) in [
            (
                "`next` is absent on the last page, `prev` on the first.",
                true,
            ),
            ("The next link is omitted on the last page", true),
            ("`next` is null on the last page.", true),
            ("Links to the next and the last page.", false),
            ("`next` is not omitted on the last page", false),
            ("`prev` is absent on the first page", false),
        ] {
            assert_eq!(says_absent_at_end(text), expected, "{text}");
        }
    }
}
