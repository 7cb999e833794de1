//! A walk through the pages of a list, as the document says that it is divided.

use openapi_document::view::Parameter;
use openapi_document::{Node, Pointer, Value};
use openapi_facts::envelope::is_next_cursor;
use openapi_facts::pages::{Cursor, End, Link, Pages, Way, is_after};
use openapi_facts::rule::PagingRole;
use openapi_facts::{Fact, Rule};

use crate::exchange::{Answer, Exchange, Sent};
use crate::model::Call;
use crate::names;
use crate::shape::Shape;
use crate::value;

use crate::answered::{items_of, own_key};
use crate::scene::Scene;
use crate::scene::ground::Ground;

/// What a query parameter of a list is for.
pub(super) fn role_of<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    list: &Call<'d>,
    name: &str,
) -> Option<PagingRole> {
    let role = fact_of(scene, list, name).map(|(_, role)| role);
    role.or_else(|| (Paging::of(scene, list).size == Some(name)).then_some(PagingRole::Size))
}

/// The fact of what a parameter of a list is for, and what that is.
fn fact_of<'w>(
    scene: &Scene<'w, '_, '_, '_>,
    list: &Call<'_>,
    name: &str,
) -> Option<(&'w Fact, PagingRole)> {
    let mut facts = scene.facts.of(&list.operation.label());
    facts.find_map(|fact| match &fact.rule {
        Rule::Paging(rule) if rule.subject.name.as_deref() == Some(name) => Some((fact, rule.role)),
        _ => None,
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
    /// What the document says of the pages.
    known: Pages<'d>,
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
struct Progress {
    pages: u64,
    items: u64,
    last_item: Option<Node>,
    last: Option<Exchange>,
}

impl Progress {
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
    /// How a list is divided. Links are not followed.
    pub(crate) fn of(scene: &Scene<'_, '_, '_, 'd>, list: &Call<'d>) -> Self {
        let Some(success) = &list.success else {
            return Self::default();
        };
        let answer = (&list.operation, &success.response);
        let facts = scene.facts.of(&list.operation.label());
        let document = scene.model.document;
        let known = Pages::of(document, Some(&scene.model.behaviour), answer, facts);
        let ways = known.ways.iter();
        let by = ways.filter_map(|way| match way {
            Way::Page(name, first) => Some(By::Page(name, first.unwrap_or(1))),
            Way::Offset(name, _) => Some(By::Offset(name)),
            Way::Cursor(name, _) => Some(By::Cursor(name)),
            Way::Link(_) => None,
        });
        let by: Vec<By<'d>> = by.collect();
        let mut numbered = by.iter().filter(|by| matches!(by, By::Page(..)));
        let parameters = list.operation.parameters();
        let size = parameters.iter().find(|own| Some(own.name) == known.size);
        Self {
            size: known.size,
            maximum: size.and_then(|size| most(scene, size)),
            by: numbered.next().or(by.first()).copied(),
            tells_first: known
                .ways
                .iter()
                // A least number of 0 may allow what the first page is not.
                .any(|way| matches!(way, Way::Page(_, Some(1..)))),
            known,
        }
    }

    /// What the division of a list rests on: the weakest of the facts of its parameters; their names, where one has none.
    pub(super) fn ground(&self, scene: &Scene<'_, '_, '_, 'd>, list: &Call<'d>) -> Ground {
        let by = self.by.map(|own| match own {
            By::Page(name, _) | By::Offset(name) | By::Cursor(name) => name,
        });
        let names = [self.size, by].into_iter().flatten();
        let facts = names.map(|own| Some(fact_of(scene, list, own)?.0));
        let facts: Option<Vec<&Fact>> = facts.collect();
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
        let (mut walk, mut way) = (Walk::default(), Progress::default());
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
        let (mut search, mut way) = (Search::default(), Progress::default());
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
        let (mut all, mut way) = (Vec::new(), Progress::default());
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
        way: &mut Progress,
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

    /// The cursor of the next page: what the document says it is taken from. Where it does not say, what the answer calls so,
    /// else the key of the last item.
    fn next_cursor(&self, way: &Progress, key: Option<&str>) -> Option<Node> {
        let answer = way.last.as_ref()?.outcome.as_ref().ok()?;
        let body = answer.json()?;
        let mut flags = self.known.ends.iter().filter_map(|end| match end {
            End::More(at) => body.at(at)?.as_bool(),
            End::Total(_) | End::Pages(_) => None,
        });
        if flags.any(|more| !more) {
            return None;
        }
        let of_item = |key: &str| way.last_item.as_ref()?.get(key);
        let mut ways = self.known.ways.iter();
        let (name, from) = ways.find_map(|one| match one {
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

    /// Where a page says which one is next, and its value there.
    pub(crate) fn leads_on<'a>(&self, body: &'a Node) -> Option<(Pointer, &'a Node)> {
        let mut places = self.known.ways.iter().filter_map(|way| match way {
            Way::Link(Link::At(at)) | Way::Cursor(_, Cursor::Next(at)) => Some(at),
            _ => None,
        });
        places.find_map(|at| {
            let value = body.at(at)?;
            let leads = value.as_str().is_some_and(|text| !text.is_empty());
            leads.then(|| (at.clone(), value))
        })
    }

    /// The query of the page after some others.
    fn query(
        &self,
        size: Option<u64>,
        way: &Progress,
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
            By::Cursor(name) => query.push((name, self.next_cursor(way, key)?)),
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

/// A value that is called as the cursor of the next page is.
fn called_so(node: &Node, depth: usize) -> Option<&Node> {
    let own = node.entries().find(|entry| {
        let is_plain = !matches!(entry.value.value, Value::Mapping(_) | Value::Sequence(_));
        is_next_cursor(&entry.key) && is_plain
    });
    own.map(|entry| &entry.value).or_else(|| {
        let is_links = |key: &str| key.trim_start_matches('_') == "links";
        let objects = node.entries().filter(|entry| !is_links(&entry.key));
        let objects = objects.map(|entry| &entry.value);
        let mut objects = objects.filter(|value| depth > 0 && value.as_mapping().is_some());
        objects.find_map(|object| called_so(object, depth - 1))
    })
}

/// The most items that a page may be asked for.
fn most(scene: &Scene<'_, '_, '_, '_>, size: &Parameter<'_>) -> Option<u64> {
    let schema = size.schema();
    let shape = Shape::of(scene.model.document, schema.as_ref());
    let stated = || {
        let all = scene.model.behaviour.pagination.iter();
        let mut all = all.flat_map(|own| &own.parameters);
        all.find(|own| own.name.text == size.name)?.maximum
    };
    let maximum = shape.keyword("maximum").and_then(Node::as_u64);
    maximum.or_else(stated)
}
