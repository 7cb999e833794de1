//! How a list is divided, told by the names of its query parameters, and a walk through its pages.

use spec::document::{Location, Parameter};
use spec::{Node, Value};

use crate::exchange::{Answer, Exchange, Sent};
use crate::model::{Call, names};
use crate::shape::Shape;
use crate::value;

use super::answered::{items_of, own_key};
use super::world::World;

const SIZES: [&str; 11] = [
    "limit",
    "items per page",
    "per page",
    "page size",
    "size",
    "count",
    "max",
    "max results",
    "first",
    "take",
    "top",
];
const PAGES: [&str; 3] = ["page", "page number", "page index"];
const OFFSETS: [&str; 4] = ["offset", "skip", "start", "start index"];
const CURSORS: [&str; 6] = [
    "cursor",
    "after",
    "starting after",
    "page token",
    "next",
    "continuation token",
];

/// Whether a query parameter of a name divides a list.
pub(super) fn divides(name: &str) -> bool {
    let name = names::words(name).join(" ");
    let all = SIZES.iter().chain(&PAGES).chain(&OFFSETS).chain(&CURSORS);
    all.into_iter().any(|own| *own == name)
}

/// No walk is longer.
const MOST_PAGES: usize = 60;

/// The query parameters that divide a list.
#[derive(Debug, Clone, Default)]
pub(super) struct Paging<'d> {
    /// How many items a page has.
    pub(super) size: Option<&'d str>,
    /// The most that may be asked for.
    pub(super) maximum: Option<u64>,
    /// What a page is asked for by.
    pub(super) by: Option<By<'d>>,
    /// Whether the document tells the number of the first page.
    tells_first: bool,
}

/// What a page is asked for by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By<'d> {
    /// Its number; the first is 1, or what the parameter's minimum says.
    Page(&'d str, u64),
    /// The number of items before it.
    Offset(&'d str),
    /// A text that the page before has given, or the key of its last item.
    Cursor(&'d str),
}

/// A walk through the pages of a list.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// The items of each page.
    pub(super) pages: Vec<Vec<Node>>,
    /// What each page tells beside its items: plain values by the words of their names.
    pub(super) told: Vec<Vec<(String, Node)>>,
    /// The last answer.
    pub(super) last: Option<Exchange>,
    /// Whether the list has come to its end.
    pub(super) ended: bool,
}

impl<'d> Paging<'d> {
    /// How a list is divided.
    pub(super) fn of(world: &World<'_, '_, '_, 'd>, list: &Call<'d>) -> Self {
        let mut paging = Self::default();
        for parameter in list.operation.parameters() {
            if parameter.location == Location::Query {
                paging.take(world, &parameter);
            }
        }
        paging
    }

    fn take(&mut self, world: &World<'_, '_, '_, 'd>, parameter: &Parameter<'d>) {
        let schema = parameter.schema();
        let shape = Shape::of(world.model.document, schema.as_ref());
        let bound = |key: &str| shape.keyword(key).and_then(Node::as_u64);
        let name = names::words(parameter.name).join(" ");
        let name = name.as_str();
        let told = world.model.behaviour.pagination.iter();
        let told = told
            .flat_map(|own| &own.parameters)
            .find(|own| own.name.text == parameter.name);
        if SIZES.contains(&name) {
            self.size = Some(parameter.name);
            self.maximum = bound("maximum").or_else(|| told?.maximum);
        } else if PAGES.contains(&name) {
            let told = told.and_then(|own| own.default.parse().ok());
            let first = bound("minimum").or(bound("default")).or(told);
            self.tells_first = first.is_some();
            self.by = Some(By::Page(parameter.name, first.unwrap_or(1)));
        } else if OFFSETS.contains(&name) {
            self.by.get_or_insert(By::Offset(parameter.name));
        } else if CURSORS.contains(&name) {
            self.by.get_or_insert(By::Cursor(parameter.name));
        }
    }

    /// The parameter that numbers the pages, where the document does not tell the first number.
    pub(super) fn undocumented_first(&self) -> Option<&'d str> {
        match self.by? {
            By::Page(name, _) if !self.tells_first => Some(name),
            _ => None,
        }
    }

    /// The number of the first page was found out.
    pub(super) fn begin_with(&mut self, number: u64) {
        if let Some(By::Page(_, first)) = &mut self.by {
            *first = number;
        }
    }

    /// The query of the page after some others.
    fn query(
        &self,
        size: Option<u64>,
        walk: &Walk,
        key: Option<&str>,
    ) -> Option<Vec<(&'d str, Node)>> {
        let mut query = Vec::new();
        if let (Some(name), Some(size)) = (self.size, size) {
            query.push((name, value::number(size)));
        }
        if walk.pages.is_empty() {
            return Some(query);
        }
        let before: usize = walk.pages.iter().map(Vec::len).sum();
        match self.by? {
            By::Page(name, first) => {
                query.push((name, value::number(first + walk.pages.len() as u64)));
            }
            By::Offset(name) => {
                // Where pages of this size are documented, none but the last is shorter.
                let known = size.filter(|size| self.maximum.is_some_and(|most| *size <= most));
                let whole = known.map(|size| size * walk.pages.len() as u64);
                query.push((name, value::number(whole.unwrap_or(before as u64))));
            }
            By::Cursor(name) => query.push((name, next_cursor(walk, key)?)),
        }
        Some(query)
    }

    /// Walks through a list from its first page; `size` items a page where that can be asked for.
    ///
    /// # Errors
    /// A path parameter of the list has no value in the record.
    pub(super) async fn walk(
        &self,
        world: &mut World<'_, '_, '_, 'd>,
        list: &Call<'d>,
        (record, with): (&Node, &Sent),
        size: Option<u64>,
        more: &[(&str, Node)],
    ) -> Result<Walk, String> {
        let key = own_key(world.model, list);
        let mut walk = Walk::default();
        while walk.pages.len() < MOST_PAGES {
            let Some(mut query) = self.query(size, &walk, key) else {
                walk.ended = true;
                break;
            };
            query.extend(more.iter().cloned());
            let sent = world.compose_read(list, record, with, &query)?;
            let exchange = world.send(sent).await;
            let items = items_of(list, &exchange).map(<[Node]>::to_vec);
            let told = exchange
                .outcome
                .as_ref()
                .ok()
                .and_then(Answer::json)
                .map(told);
            walk.last = Some(exchange);
            let Some(items) = items.filter(|own| !own.is_empty()) else {
                walk.ended = true;
                break;
            };
            walk.pages.push(items);
            walk.told.push(told.unwrap_or_default());
        }
        Ok(walk)
    }
}

/// What an answer tells beside its items: in it, or one step down.
fn told(body: &Node) -> Vec<(String, Node)> {
    let plain = |own: &Node| !matches!(own.value, Value::Mapping(_) | Value::Sequence(_));
    let inner = body
        .entries()
        .filter(|own| own.value.as_mapping().is_some());
    let inner = inner.flat_map(|own| own.value.entries());
    let all = body.entries().chain(inner).filter(|own| plain(&own.value));
    all.map(|own| (names::words(&own.key).join(" "), own.value.clone()))
        .collect()
}

/// The cursor of the next page: what the last answer calls so, else the key of its last item.
fn next_cursor(walk: &Walk, key: Option<&str>) -> Option<Node> {
    let answer = walk.last.as_ref()?.outcome.as_ref().ok()?;
    let body = answer.json()?;
    if let Some(told) = told_cursor(body, 0) {
        let is_end = told.is_null() || told.as_str().is_some_and(str::is_empty);
        return (!is_end).then(|| told.clone());
    }
    let has_more = body.get("has_more").or_else(|| body.get("hasMore"));
    if has_more.and_then(Node::as_bool) == Some(false) {
        return None;
    }
    walk.pages.last()?.last()?.get(key?).cloned()
}

/// A value whose name speaks of what comes next, and of a cursor or a token.
fn told_cursor(node: &Node, depth: usize) -> Option<&Node> {
    if depth > 2 {
        return None;
    }
    let is_cursor = |name: &str| {
        let words = names::words(name);
        let has = |word: &str| words.iter().any(|own| own == word);
        has("next") && (words.len() == 1 || has("cursor") || has("token") || has("after"))
            || words == ["cursor"]
    };
    let own = node.entries().find(|entry| {
        is_cursor(&entry.key)
            && !matches!(entry.value.value, Value::Mapping(_) | Value::Sequence(_))
    });
    own.map(|entry| &entry.value).or_else(|| {
        let inner = node
            .entries()
            .filter(|entry| entry.value.as_mapping().is_some());
        inner
            .map(|entry| &entry.value)
            .find_map(|inner| told_cursor(inner, depth + 1))
    })
}
