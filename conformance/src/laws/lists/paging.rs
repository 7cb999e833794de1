//! Paging: walks through the pages of a list as documented.

use openapi_document::view::Parameter;
use openapi_document::{Node, Pointer, Value};
use openapi_facts::envelope::{is_next_cursor, is_total};
use openapi_facts::pages::{Cursor, End, Link, Pages, Way, is_after};
use openapi_facts::rule::PagingRole;
use openapi_facts::{Fact, Rule};

use crate::exchange::{Answer, Exchange, Sent};
use crate::model::Call;
use crate::names;
use crate::shape::Shape;
use crate::value;

use crate::answered::{items_of, key_name};
use crate::scene::Scene;
use crate::scene::basis::Basis;

/// The role of a query parameter in paging.
pub(super) fn role_of<'d>(
    scene: &Scene<'_, 'd>,
    list: &Call<'d>,
    name: &str,
) -> Option<PagingRole> {
    let role = fact_of(scene, list, name).map(|(_, role)| role);
    role.or_else(|| (Paging::of(scene, list).size == Some(name)).then_some(PagingRole::Size))
}

/// The fact about a parameter's role in paging, with the role.
fn fact_of<'w>(
    scene: &Scene<'w, '_>,
    list: &Call<'_>,
    name: &str,
) -> Option<(&'w Fact, PagingRole)> {
    let mut facts = scene.facts.of(&list.operation.label());
    facts.find_map(|fact| match &fact.rule {
        Rule::Paging(rule) if rule.subject.name.as_deref() == Some(name) => Some((fact, rule.role)),
        _ => None,
    })
}

/// Lists are followed up to this many pages.
const MOST_PAGES: u64 = 60;

/// A walk keeps up to this many pages.
const KEPT_PAGES: u64 = 12;

/// The largest page size that is requested.
const LARGE: u64 = 100;

/// The paging parameters of a list.
#[derive(Debug, Clone, Default)]
pub(crate) struct Paging<'d> {
    /// The parameter for the page size.
    pub(crate) size: Option<&'d str>,
    /// The maximum of the page size.
    pub(crate) maximum: Option<u64>,
    /// The parameter that selects a page.
    pub(crate) by: Option<By<'d>>,
    /// Whether the document gives the number of the first page.
    tells_first: bool,
    /// The documented paging.
    known: Pages<'d>,
}

/// The parameter that selects a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By<'d> {
    /// The page number, with the number of the first page.
    Page(&'d str, u64),
    /// The number of items to skip.
    Offset(&'d str),
    /// A cursor from the previous page, or the key of its last item.
    Cursor(&'d str),
}

/// The result of a walk through the first pages of a list.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// The items of each page.
    pub(crate) pages: Vec<Vec<Node>>,
    /// The plain values of each page beside its items, by the words of their names.
    pub(crate) observed: Vec<Vec<(String, Node)>>,
    /// The last answer.
    pub(crate) last: Option<Exchange>,
    /// Whether the walk reached the end of the list.
    pub(crate) ended: bool,
}

/// The result of a search for a record in the pages of a list; it stops when the record is found.
#[derive(Debug, Default)]
pub(crate) struct Search {
    /// The item of the record.
    pub(crate) found: Option<Node>,
    /// The number of items seen.
    pub(crate) seen: u64,
    /// The last answer.
    pub(crate) last: Option<Exchange>,
    /// Whether the search reached the end of the list.
    pub(crate) ended: bool,
}

/// The progress of a walk or search.
#[derive(Debug, Default)]
struct Progress {
    pages: u64,
    items: u64,
    last_item: Option<Node>,
    last: Option<Exchange>,
}

impl Progress {
    /// Whether an answer without items is the end of the list. A refused first page is not; a refusal after the last
    /// page is, unless it is about the client.
    fn is_at_end(&self) -> bool {
        let answer = self
            .last
            .as_ref()
            .and_then(|exchange| exchange.outcome.as_ref().ok());
        answer.is_some_and(|answer| {
            let is_about_client = matches!(answer.status, 401 | 403 | 408 | 429);
            let is_refusal = answer.status < 500 && !is_about_client;
            answer.is_success() || (self.pages > 0 && is_refusal)
        })
    }
}

/// The request for a page.
struct Request<'r> {
    /// A record of the list with its request, which give the path parameters.
    address: (&'r Node, &'r Sent),
    /// The page size.
    size: Option<u64>,
    /// Further query parameters.
    more: &'r [(&'r str, Node)],
}

impl<'d> Paging<'d> {
    /// The documented paging of a list. Links are not followed.
    pub(crate) fn of(scene: &Scene<'_, 'd>, list: &Call<'d>) -> Self {
        let Some(success) = &list.success else {
            return Self::default();
        };
        let answer = (&list.operation, &success.response);
        let facts = scene.facts.of(&list.operation.label());
        let document = scene.model.document;
        let known = Pages::of(document, Some(&scene.model.behaviour), answer, facts);
        let controls = known.ways.iter();
        let by = controls.filter_map(|control| match control {
            Way::Page(name, first) => Some(By::Page(name, first.unwrap_or(1))),
            Way::Offset(name, _) => Some(By::Offset(name)),
            Way::Cursor(name, _) => Some(By::Cursor(name)),
            Way::Link(_) => None,
        });
        let by: Vec<By<'d>> = by.collect();
        let mut numbered = by.iter().filter(|by| matches!(by, By::Page(..)));
        let parameters = list.operation.parameters();
        let size = parameters
            .iter()
            .find(|parameter| Some(parameter.name) == known.size);
        Self {
            size: known.size,
            maximum: size.and_then(|size| most(scene, size)),
            by: numbered.next().or(by.first()).copied(),
            tells_first: known
                .ways
                .iter()
                // A minimum of 0 may allow more than the first page number.
                .any(|control| matches!(control, Way::Page(_, Some(1..)))),
            known,
        }
    }

    /// The basis for findings about paging: the facts with the weakest evidence, or names if a parameter has no
    /// fact.
    pub(super) fn basis(&self, scene: &Scene<'_, 'd>, list: &Call<'d>) -> Basis {
        let by = self.by.map(|item| match item {
            By::Page(name, _) | By::Offset(name) | By::Cursor(name) => name,
        });
        let names = [self.size, by].into_iter().flatten();
        let facts = names.map(|item| Some(fact_of(scene, list, item)?.0));
        let facts: Option<Vec<&Fact>> = facts.collect();
        let mut facts = facts.unwrap_or_default();
        let weakest = facts.iter().map(|fact| fact.evidence()).min();
        facts.retain(|fact| Some(fact.evidence()) == weakest);
        if facts.is_empty() {
            return Basis::Names;
        }
        Basis::Fact(
            facts
                .into_iter()
                .flat_map(|item| scene.because(item))
                .collect(),
        )
    }

    /// The page number parameter, if the document does not give the number of the first page.
    pub(crate) fn undocumented_first(&self) -> Option<&'d str> {
        match self.by? {
            By::Page(name, _) if !self.tells_first => Some(name),
            _ => None,
        }
    }

    /// Sets the number of the first page.
    pub(crate) fn begin_with(&mut self, number: u64) {
        if let Some(By::Page(_, first)) = &mut self.by {
            *first = number;
        }
    }

    /// The largest page size to request. `None` if the size cannot be requested.
    pub(crate) fn largest(&self) -> Option<u64> {
        self.size?;
        Some(self.maximum.unwrap_or(LARGE).min(LARGE))
    }

    /// Walks through a list from its first page, with `size` items per page if possible.
    ///
    /// # Errors
    /// A path parameter of the list has no value in the record.
    pub(crate) async fn walk(
        &self,
        scene: &mut Scene<'_, 'd>,
        list: &Call<'d>,
        address: (&Node, &Sent),
        size: Option<u64>,
        more: &[(&str, Node)],
    ) -> Result<Walk, String> {
        let request = Request {
            address,
            size,
            more,
        };
        let (mut walk, mut progress) = (Walk::default(), Progress::default());
        while progress.pages < KEPT_PAGES {
            let Some(items) = self.next(scene, list, &request, &mut progress).await? else {
                walk.ended = progress.is_at_end();
                break;
            };
            let answer = progress
                .last
                .as_ref()
                .and_then(|exchange| exchange.outcome.as_ref().ok());
            let observed = answer.and_then(Answer::json).map(scalars);
            let mut observed = observed.unwrap_or_default();
            observed.extend(
                answer
                    .into_iter()
                    .flat_map(|answer| totals_of(list, answer)),
            );
            walk.pages.push(items);
            walk.observed.push(observed);
        }
        walk.last = progress.last;
        Ok(walk)
    }

    /// Searches the item of a record by its key.
    ///
    /// # Errors
    /// A path parameter of the list has no value in the record.
    pub(crate) async fn find(
        &self,
        scene: &mut Scene<'_, 'd>,
        list: &Call<'d>,
        address: (&Node, &Sent),
        (key, value): (&str, &Node),
    ) -> Result<Search, String> {
        let request = Request {
            address,
            size: self.largest(),
            more: &[],
        };
        let is_it = |item: &Node| item.get(key).is_some_and(|node| node.same_value(value));
        let (mut search, mut progress) = (Search::default(), Progress::default());
        while progress.pages < MOST_PAGES && search.found.is_none() {
            let Some(items) = self.next(scene, list, &request, &mut progress).await? else {
                search.ended = progress.is_at_end();
                break;
            };
            search.found = items.into_iter().find(is_it);
        }
        search.seen = progress.items;
        search.last = progress.last;
        Ok(search)
    }

    /// Collects a value from each item of a list. `None` if the list is too long.
    ///
    /// # Errors
    /// A path parameter of the list has no value in the record.
    pub(crate) async fn all<T>(
        &self,
        scene: &mut Scene<'_, 'd>,
        list: &Call<'d>,
        address: (&Node, &Sent),
        take: impl Fn(Node) -> Option<T>,
    ) -> Result<Option<Vec<T>>, String> {
        let request = Request {
            address,
            size: self.largest(),
            more: &[],
        };
        let (mut all, mut progress) = (Vec::new(), Progress::default());
        while progress.pages < MOST_PAGES {
            match self.next(scene, list, &request, &mut progress).await? {
                Some(items) => all.extend(items.into_iter().filter_map(&take)),
                None => return Ok(progress.is_at_end().then_some(all)),
            }
        }
        Ok(None)
    }

    /// The items of the next page. `None` at the end.
    async fn next(
        &self,
        scene: &mut Scene<'_, 'd>,
        list: &Call<'d>,
        request: &Request<'_>,
        progress: &mut Progress,
    ) -> Result<Option<Vec<Node>>, String> {
        let key = key_name(list);
        let Some(mut query) = self.query(request.size, progress, key) else {
            return Ok(None);
        };
        query.extend(request.more.iter().cloned());
        let (record, with) = request.address;
        let sent = scene.compose_read(list, record, with, &query)?;
        let exchange = scene.send(sent).await;
        let items = items_of(list, &exchange).map(<[Node]>::to_vec);
        let items = items.filter(|item| !item.is_empty());
        if let Some(items) = &items {
            progress.pages += 1;
            progress.items += items.len() as u64;
            progress.last_item = items.last().cloned();
        }
        progress.last = Some(exchange);
        Ok(items)
    }

    /// The cursor of the next page from its documented place. Without one: a value with such a name, else the last
    /// item's key.
    fn next_cursor(&self, progress: &Progress, key: Option<&str>) -> Option<Node> {
        let answer = progress.last.as_ref()?.outcome.as_ref().ok()?;
        let body = answer.json()?;
        let mut flags = self.known.ends.iter().filter_map(|end| match end {
            End::More(at) => body.at(at)?.as_bool(),
            End::Total(_) | End::Pages(_) => None,
        });
        if flags.any(|more| !more) {
            return None;
        }
        let of_item = |key: &str| progress.last_item.as_ref()?.get(key);
        let mut controls = self.known.ways.iter();
        let (name, from) = controls.find_map(|one| match one {
            Way::Cursor(name, from) => Some((name, from)),
            _ => None,
        })?;
        let found = match from {
            Cursor::Next(at) | Cursor::Last(at) => body.at(at),
            Cursor::Item(property) => of_item(property),
            Cursor::Unknown => {
                called_so(body, 2).or_else(|| of_item(key.filter(|_| is_after(name))?))
            }
        }?;
        let is_end = found.is_null() || found.as_str().is_some_and(str::is_empty);
        (!is_end).then(|| found.clone())
    }

    /// The value that leads to the next page, with its pointer.
    pub(crate) fn leads_on<'a>(&self, body: &'a Node) -> Option<(Pointer, &'a Node)> {
        let mut places = self.known.ways.iter().filter_map(|control| match control {
            Way::Link(Link::At(at)) | Way::Cursor(_, Cursor::Next(at)) => Some(at),
            _ => None,
        });
        places.find_map(|at| {
            let value = body.at(at)?;
            let leads = value.as_str().is_some_and(|text| !text.is_empty());
            leads.then(|| (at.clone(), value))
        })
    }

    /// The query for the next page. `None` if there is none.
    fn query(
        &self,
        size: Option<u64>,
        progress: &Progress,
        key: Option<&str>,
    ) -> Option<Vec<(&'d str, Node)>> {
        let mut query = Vec::new();
        if let (Some(name), Some(size)) = (self.size, size) {
            query.push((name, value::number(size)));
        }
        if progress.pages == 0 {
            return Some(query);
        }
        match self.by? {
            By::Page(name, first) => query.push((name, value::number(first + progress.pages))),
            By::Offset(name) => {
                // With an allowed page size, all pages but the last one are full.
                let known = size.filter(|size| self.maximum.is_some_and(|most| *size <= most));
                let whole = known.map(|size| size * progress.pages);
                query.push((name, value::number(whole.unwrap_or(progress.items))));
            }
            By::Cursor(name) => query.push((name, self.next_cursor(progress, key)?)),
        }
        Some(query)
    }
}

/// The plain values of an answer beside its items, at the top level or one level below.
pub(crate) fn scalars(body: &Node) -> Vec<(String, Node)> {
    let plain = |node: &Node| !matches!(node.value, Value::Mapping(_) | Value::Sequence(_));
    let inner = body
        .entries()
        .filter(|entry| entry.value.as_mapping().is_some());
    let inner = inner.flat_map(|entry| entry.value.entries());
    let all = body
        .entries()
        .chain(inner)
        .filter(|entry| plain(&entry.value));
    all.map(|entry| (names::words(&entry.key).join(" "), entry.value.clone()))
        .collect()
}

/// The documented headers of an answer that count the items of all pages, such as `X-Total-Count`.
fn totals_of(list: &Call<'_>, answer: &Answer) -> Vec<(String, Node)> {
    let success = list.success.as_ref();
    let headers = success.map(|success| success.response.headers());
    let headers = headers.into_iter().flatten();
    let total = |(header, _): (&str, _)| {
        let words = names::words(header);
        let words = words.strip_prefix(&["x".to_owned()]).unwrap_or(&words);
        let value = answer.header(header)?.parse::<u64>().ok()?;
        is_total(&words.concat()).then(|| (words.join(" "), value::number(value)))
    };
    headers.filter_map(total).collect()
}

/// A value named like a cursor of the next page.
fn called_so(node: &Node, depth: usize) -> Option<&Node> {
    let entry = node.entries().find(|entry| {
        let is_plain = !matches!(entry.value.value, Value::Mapping(_) | Value::Sequence(_));
        is_next_cursor(&entry.key) && is_plain
    });
    entry.map(|entry| &entry.value).or_else(|| {
        let is_links = |key: &str| key.trim_start_matches('_') == "links";
        let objects = node.entries().filter(|entry| !is_links(&entry.key));
        let objects = objects.map(|entry| &entry.value);
        let mut objects = objects.filter(|value| depth > 0 && value.as_mapping().is_some());
        objects.find_map(|object| called_so(object, depth - 1))
    })
}

/// The maximum of the page size.
fn most(scene: &Scene<'_, '_>, size: &Parameter<'_>) -> Option<u64> {
    let schema = size.schema();
    let shape = Shape::of(scene.model.document, schema.as_ref());
    let stated = || {
        let all = scene.model.behaviour.pagination.iter();
        let mut all = all.flat_map(|item| &item.parameters);
        all.find(|item| item.name.text == size.name)?.maximum
    };
    let maximum = shape.keyword("maximum").and_then(Node::as_u64);
    maximum.or_else(stated)
}
