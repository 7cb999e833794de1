//! How a list is divided, told by the names of its query parameters, and a walk through its pages.

use openapi_document::node::Entry;
use openapi_document::view::{Location, Parameter};
use openapi_document::{Node, Value};
use openapi_facts::rule::PagingRole;
use openapi_facts::{Evidence, Fact, Rule};

use crate::exchange::{Answer, Exchange, Sent};
use crate::model::Call;
use crate::names;
use crate::shape::Shape;
use crate::value;

use crate::answered::{items_of, own_key};
use crate::scene::Scene;
use crate::scene::ground::Ground;

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
pub(crate) fn divides(name: &str) -> bool {
    role_of_name(name).is_some()
}

/// Whether a fact says that a list has no pages.
fn has_no_pages(scene: &Scene<'_, '_, '_, '_>, list: &Call<'_>) -> bool {
    let label = list.operation.label();
    let mut facts = scene.facts.list.iter();
    facts.any(|fact| match &fact.rule {
        Rule::Paging(rule) => rule.role == PagingRole::None && rule.subject.owner == label,
        _ => false,
    })
}

fn role_of_name(name: &str) -> Option<PagingRole> {
    let name = names::words(name).join(" ");
    let all: [(&[&str], PagingRole); 4] = [
        (&SIZES, PagingRole::Size),
        (&PAGES, PagingRole::Page),
        (&OFFSETS, PagingRole::Offset),
        (&CURSORS, PagingRole::Cursor),
    ];
    let mut known = all.into_iter();
    let found = known.find(|(names, _)| names.contains(&name.as_str()));
    found.map(|(_, role)| role)
}

/// What a query parameter of a list is for: as its owner states, else as its name says, else as a sentence does. Of a cursor a
/// sentence does not say which way it leads.
pub(super) fn role_of(
    scene: &Scene<'_, '_, '_, '_>,
    list: &Call<'_>,
    name: &str,
) -> Option<PagingRole> {
    let fact = fact_of(scene, list, name);
    let role = fact.and_then(|own| match &own.rule {
        Rule::Paging(rule) => Some(rule.role),
        _ => None,
    });
    let is_stated = fact.is_some_and(|own| own.evidence() == Evidence::Stated);
    let read = || role.filter(|own| *own != PagingRole::Cursor);
    let stated = role.filter(|_| is_stated);
    stated.or_else(|| role_of_name(name)).or_else(read)
}

/// The fact of what a parameter of a list is for.
fn fact_of<'w>(scene: &Scene<'w, '_, '_, '_>, list: &Call<'_>, name: &str) -> Option<&'w Fact> {
    let label = list.operation.label();
    let mut facts = scene.facts.list.iter();
    facts.find(|fact| match &fact.rule {
        Rule::Paging(rule) => {
            rule.subject.owner == label && rule.subject.name.as_deref() == Some(name)
        }
        _ => false,
    })
}

/// No list is followed further.
const MOST_PAGES: u64 = 60;

/// No more pages of a walk are kept: what holds of a list holds of its beginning, however long it is.
const KEPT_PAGES: u64 = 12;

/// The largest page that is asked for.
const LARGE: u64 = 100;

/// The query parameters that divide a list.
#[derive(Debug, Clone, Default)]
pub(crate) struct Paging<'d> {
    /// How many items a page has.
    pub(crate) size: Option<&'d str>,
    /// The most that may be asked for.
    pub(crate) maximum: Option<u64>,
    /// What a page is asked for by.
    pub(crate) by: Option<By<'d>>,
    /// Whether the document tells the number of the first page.
    tells_first: bool,
}

/// What a page is asked for by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By<'d> {
    /// Its number; the first is 1, or what the parameter's minimum says.
    Page(&'d str, u64),
    /// The number of items before it.
    Offset(&'d str),
    /// A text that the page before has given, or the key of its last item.
    Cursor(&'d str),
}

/// A walk through the first pages of a list.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// The items of each page.
    pub(crate) pages: Vec<Vec<Node>>,
    /// What each page tells beside its items: plain values by the words of their names.
    pub(crate) told: Vec<Vec<(String, Node)>>,
    /// The last answer.
    pub(crate) last: Option<Exchange>,
    /// Whether the list has come to its end.
    pub(crate) ended: bool,
}

/// A search for a record through the pages of a list, which goes no further than to where it is.
#[derive(Debug, Default)]
pub(crate) struct Search {
    /// The item of the record.
    pub(crate) found: Option<Node>,
    /// How many items were seen.
    pub(crate) seen: u64,
    /// The last answer.
    pub(crate) last: Option<Exchange>,
    /// Whether the list has come to its end.
    pub(crate) ended: bool,
}

/// How far into a list a walk or a search has come.
#[derive(Debug, Default)]
struct Way {
    pages: u64,
    items: u64,
    last_item: Option<Node>,
    last: Option<Exchange>,
}

impl Way {
    /// Whether nothing comes after what has come: a list that is refused at its first page says nothing
    /// of what is in it, and a page after the last one may be refused.
    fn is_at_end(&self) -> bool {
        let answer = self.last.as_ref().and_then(|own| own.outcome.as_ref().ok());
        answer.is_some_and(|own| own.is_success() || (self.pages > 0 && own.status < 500))
    }
}

/// What a page is asked for with.
struct Request<'r> {
    /// A record of the list and what it was asked for with: they give the path parameters.
    stand: (&'r Node, &'r Sent),
    /// The number of items of a page.
    size: Option<u64>,
    /// More query parameters.
    more: &'r [(&'r str, Node)],
}

impl<'d> Paging<'d> {
    /// How a list is divided.
    pub(crate) fn of(scene: &Scene<'_, '_, '_, 'd>, list: &Call<'d>) -> Self {
        let mut paging = Self::default();
        if has_no_pages(scene, list) {
            return paging;
        }
        for parameter in list.operation.parameters() {
            if parameter.location == Location::Query {
                paging.take(scene, list, &parameter);
            }
        }
        paging
    }

    fn take(&mut self, scene: &Scene<'_, '_, '_, 'd>, list: &Call<'d>, parameter: &Parameter<'d>) {
        let schema = parameter.schema();
        let shape = Shape::of(scene.model.document, schema.as_ref());
        let bound = |key: &str| shape.keyword(key).and_then(Node::as_u64);
        let role = role_of(scene, list, parameter.name);
        let told = scene.model.behaviour.pagination.iter();
        let told = told
            .flat_map(|own| &own.parameters)
            .find(|own| own.name.text == parameter.name);
        match role {
            Some(PagingRole::Size) => {
                self.size = Some(parameter.name);
                self.maximum = bound("maximum").or_else(|| told?.maximum);
            }
            Some(PagingRole::Page) => {
                let told = told.and_then(|own| own.default.parse().ok());
                let first = bound("minimum").or(bound("default")).or(told);
                self.tells_first = first.is_some();
                self.by = Some(By::Page(parameter.name, first.unwrap_or(1)));
            }
            Some(PagingRole::Offset) => {
                self.by.get_or_insert(By::Offset(parameter.name));
            }
            Some(PagingRole::Cursor) => {
                self.by.get_or_insert(By::Cursor(parameter.name));
            }
            Some(PagingRole::None) | None => {}
        }
    }

    /// What the division of a list rests on: the weakest of the facts of its parameters; their names, where one has none.
    pub(super) fn ground(&self, scene: &Scene<'_, '_, '_, 'd>, list: &Call<'d>) -> Ground {
        let by = self.by.map(|own| match own {
            By::Page(name, _) | By::Offset(name) | By::Cursor(name) => name,
        });
        let names = [self.size, by].into_iter().flatten();
        let facts: Option<Vec<&Fact>> = names.map(|own| fact_of(scene, list, own)).collect();
        let mut facts = facts.unwrap_or_default();
        let weakest = facts.iter().map(|own| own.evidence()).min();
        facts.retain(|own| Some(own.evidence()) == weakest);
        if facts.is_empty() {
            return Ground::Names;
        }
        Ground::Fact(
            facts
                .into_iter()
                .flat_map(|own| scene.because(own))
                .collect(),
        )
    }

    /// The parameter that numbers the pages, where the document does not tell the first number.
    pub(crate) fn undocumented_first(&self) -> Option<&'d str> {
        match self.by? {
            By::Page(name, _) if !self.tells_first => Some(name),
            _ => None,
        }
    }

    /// The number of the first page was found out.
    pub(crate) fn begin_with(&mut self, number: u64) {
        if let Some(By::Page(_, first)) = &mut self.by {
            *first = number;
        }
    }

    /// The number of items of the largest page that is asked for, where a number can be asked for.
    pub(crate) fn largest(&self) -> Option<u64> {
        self.size?;
        Some(self.maximum.unwrap_or(LARGE).min(LARGE))
    }

    /// Walks through a list from its first page; `size` items a page where that can be asked for.
    ///
    /// # Errors
    /// A path parameter of the list has no value in the record.
    pub(crate) async fn walk(
        &self,
        scene: &mut Scene<'_, '_, '_, 'd>,
        list: &Call<'d>,
        stand: (&Node, &Sent),
        size: Option<u64>,
        more: &[(&str, Node)],
    ) -> Result<Walk, String> {
        let request = Request { stand, size, more };
        let (mut walk, mut way) = (Walk::default(), Way::default());
        while way.pages < KEPT_PAGES {
            let Some(items) = self.next(scene, list, &request, &mut way).await? else {
                walk.ended = way.is_at_end();
                break;
            };
            let answer = way.last.as_ref().and_then(|own| own.outcome.as_ref().ok());
            let told = answer.and_then(Answer::json).map(told);
            walk.pages.push(items);
            walk.told.push(told.unwrap_or_default());
        }
        walk.last = way.last;
        Ok(walk)
    }

    /// Looks through a list for the item of a record, told by a key and its value.
    ///
    /// # Errors
    /// A path parameter of the list has no value in the record.
    pub(crate) async fn find(
        &self,
        scene: &mut Scene<'_, '_, '_, 'd>,
        list: &Call<'d>,
        stand: (&Node, &Sent),
        (key, value): (&str, &Node),
    ) -> Result<Search, String> {
        let request = Request {
            stand,
            size: self.largest(),
            more: &[],
        };
        let is_it = |item: &Node| item.get(key).is_some_and(|own| own.same_value(value));
        let (mut search, mut way) = (Search::default(), Way::default());
        while way.pages < MOST_PAGES && search.found.is_none() {
            let Some(items) = self.next(scene, list, &request, &mut way).await? else {
                search.ended = way.is_at_end();
                break;
            };
            search.found = items.into_iter().find(is_it);
        }
        search.seen = way.items;
        search.last = way.last;
        Ok(search)
    }

    /// What is taken of each item of a list; nothing where its end is too far.
    ///
    /// # Errors
    /// A path parameter of the list has no value in the record.
    pub(crate) async fn all<T>(
        &self,
        scene: &mut Scene<'_, '_, '_, 'd>,
        list: &Call<'d>,
        stand: (&Node, &Sent),
        take: impl Fn(Node) -> Option<T>,
    ) -> Result<Option<Vec<T>>, String> {
        let request = Request {
            stand,
            size: self.largest(),
            more: &[],
        };
        let (mut all, mut way) = (Vec::new(), Way::default());
        while way.pages < MOST_PAGES {
            match self.next(scene, list, &request, &mut way).await? {
                Some(items) => all.extend(items.into_iter().filter_map(&take)),
                None => return Ok(way.is_at_end().then_some(all)),
            }
        }
        Ok(None)
    }

    /// The items of the next page, where there are any.
    async fn next(
        &self,
        scene: &mut Scene<'_, '_, '_, 'd>,
        list: &Call<'d>,
        request: &Request<'_>,
        way: &mut Way,
    ) -> Result<Option<Vec<Node>>, String> {
        let key = own_key(list);
        let Some(mut query) = self.query(request.size, way, key) else {
            return Ok(None);
        };
        query.extend(request.more.iter().cloned());
        let (record, with) = request.stand;
        let sent = scene.compose_read(list, record, with, &query)?;
        let exchange = scene.send(sent).await;
        let items = items_of(list, &exchange).map(<[Node]>::to_vec);
        let items = items.filter(|own| !own.is_empty());
        if let Some(items) = &items {
            way.pages += 1;
            way.items += items.len() as u64;
            way.last_item = items.last().cloned();
        }
        way.last = Some(exchange);
        Ok(items)
    }

    /// The query of the page after some others.
    fn query(
        &self,
        size: Option<u64>,
        way: &Way,
        key: Option<&str>,
    ) -> Option<Vec<(&'d str, Node)>> {
        let mut query = Vec::new();
        if let (Some(name), Some(size)) = (self.size, size) {
            query.push((name, value::number(size)));
        }
        if way.pages == 0 {
            return Some(query);
        }
        match self.by? {
            By::Page(name, first) => query.push((name, value::number(first + way.pages))),
            By::Offset(name) => {
                // Where pages of this size are documented, none but the last is shorter.
                let known = size.filter(|size| self.maximum.is_some_and(|most| *size <= most));
                let whole = known.map(|size| size * way.pages);
                query.push((name, value::number(whole.unwrap_or(way.items))));
            }
            By::Cursor(name) => query.push((name, next_cursor(way, key)?)),
        }
        Some(query)
    }
}

/// What an answer tells beside its items: in it, or one step down.
pub(crate) fn told(body: &Node) -> Vec<(String, Node)> {
    let plain = |own: &Node| !matches!(own.value, Value::Mapping(_) | Value::Sequence(_));
    let inner = body
        .entries()
        .filter(|own| own.value.as_mapping().is_some());
    let inner = inner.flat_map(|own| own.value.entries());
    let all = body.entries().chain(inner).filter(|own| plain(&own.value));
    all.map(|own| (names::words(&own.key).join(" "), own.value.clone()))
        .collect()
}

/// Where a body says that the next page is: a link under that name, beside its items or among other links.
pub(crate) fn next_link(body: &Node) -> Option<(&str, &Node)> {
    let is_links = |own: &&Entry| matches!(own.key.trim_start_matches('_'), "links" | "link");
    let inner = body.entries().filter(is_links);
    let inner = inner.flat_map(|own| own.value.entries());
    let mut all = body.entries().chain(inner);
    let own = all.find(|own| own.key == "next")?;
    let href = own.value.get("href").or_else(|| own.value.get("url"));
    let target = href.unwrap_or(&own.value);
    let leads = target.as_str().is_some_and(|own| !own.is_empty());
    leads.then_some((own.key.as_str(), target))
}

/// The cursor of the next page: what the last answer calls so, else the key of its last item.
fn next_cursor(way: &Way, key: Option<&str>) -> Option<Node> {
    let answer = way.last.as_ref()?.outcome.as_ref().ok()?;
    let body = answer.json()?;
    if let Some(told) = told_cursor(body, 0) {
        let is_end = told.is_null() || told.as_str().is_some_and(str::is_empty);
        return (!is_end).then(|| told.clone());
    }
    let has_more = body.get("has_more").or_else(|| body.get("hasMore"));
    if has_more.and_then(Node::as_bool) == Some(false) {
        return None;
    }
    way.last_item.as_ref()?.get(key?).cloned()
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
