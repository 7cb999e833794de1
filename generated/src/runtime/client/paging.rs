//! How a list is divided into pages, and how one page leads to the next.

use std::borrow::Cow;
use std::collections::BTreeSet;

use http::header;
use reqwest::Url;
use serde_json::value::RawValue;

use super::super::answer::Answer;
use super::super::json;
use super::query::Query;

/// How the answers of an operation that lists are divided. Places in an answer are JSON pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paging {
    /// Where the items of a page are.
    pub items: &'static str,
    /// How one page leads to the next.
    pub next: Next,
    /// How an answer marks the last page; an answer may lack the mark.
    pub ends: &'static [End],
}

/// How one page leads to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A query parameter has the number of the page; the first page has this number. The page after
    /// the last one is empty.
    Page(&'static str, u64),
    /// A query parameter has the number of items before the page. After the last item there is an
    /// empty page. An answer may say how many items it was to have at most.
    Offset(&'static str, Option<&'static str>),
    /// A query parameter has what the answer says at a place; the last one says nothing there.
    Cursor(&'static str, &'static str),
    /// A query parameter has a property of the last item of the page before.
    LastItem(&'static str, &'static str),
    /// The answer has the address of the next page at a place; the last one has none.
    Link(&'static str),
    /// The answer has a list of `rel` and `href` at a place.
    Relation(&'static str),
    /// The answer has the address of the next page in its header `Link` (RFC 8288).
    LinkHeader,
}

/// How an answer marks the last page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// `false` at a place.
    More(&'static str),
    /// The number of all items at a place.
    Total(&'static str),
    /// The number of all pages at a place.
    Pages(&'static str),
}

/// How to ask for the next page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// With another value of a query parameter.
    Parameter(&'static str, String),
    /// At another address, which may be relative to the one before.
    Address(String),
    /// There is no next page.
    Over,
}

/// The position in a list.
#[derive(Debug, Default)]
pub(super) struct Position {
    /// The number of the page, or of the items before it.
    number: u64,
    /// The number of pages and items read so far.
    pages: u64,
    read: u64,
    /// The parameter values or addresses that led to the pages so far.
    seen: BTreeSet<String>,
    /// The items of the page before, for lists whose pages are counted.
    before: String,
}

impl Position {
    /// Before the first page. `given` is the value the caller gave the parameter that moves on.
    pub(super) fn new(paging: &Paging, given: Option<&str>) -> Self {
        let first = match paging.next {
            Next::Page(_, first) => first,
            _ => 0,
        };
        let given_number = given.and_then(|text| text.parse().ok());
        let mut position = Self {
            number: given_number.unwrap_or(first),
            ..Self::default()
        };
        position.seen.extend(given.map(str::to_owned));
        position
    }

    /// The step that an answer leads to. The error says why it does not lead to a new page.
    pub(super) fn turn(&mut self, paging: &Paging, answer: &Answer) -> Result<Turn, String> {
        let body = &answer.body;
        let turn = match paging.next {
            Next::Page(parameter, first) => {
                return self.count(paging, body, parameter, Some(first));
            }
            Next::Offset(parameter, _) => return self.count(paging, body, parameter, None),
            Next::Cursor(parameter, from) => {
                text_at(body, from).map(|value| Turn::Parameter(parameter, value))
            }
            Next::LastItem(parameter, property) => {
                last_item(paging, body, property)?.map(|value| Turn::Parameter(parameter, value))
            }
            Next::Link(at) => text_at(body, at).map(Turn::Address),
            Next::Relation(at) => related(body, at).map(Turn::Address),
            Next::LinkHeader => link_header(answer).map(Turn::Address),
        };
        let Some(turn) = turn.filter(|_| !self.is_over(paging, body)) else {
            return Ok(Turn::Over);
        };
        let (Turn::Parameter(_, value) | Turn::Address(value)) = &turn else {
            return Ok(Turn::Over);
        };
        if self.seen.insert(value.clone()) {
            Ok(turn)
        } else {
            Err("it leads to a page that was read before".to_owned())
        }
    }

    /// Moves on in a list whose pages or items are counted.
    fn count(
        &mut self,
        paging: &Paging,
        body: &[u8],
        parameter: &'static str,
        first: Option<u64>,
    ) -> Result<Turn, String> {
        let items = json::at(body, paging.items);
        let number = items
            .and_then(json::items)
            .map_or(0, |items| items.len() as u64);
        let Some(items) = items.filter(|_| number > 0) else {
            return Ok(Turn::Over);
        };
        if self.before == items.get() {
            return Err("it has the same items as the page before".to_owned());
        }
        items.get().clone_into(&mut self.before);
        let start = match (first, self.pages) {
            // As many items were left out before as the pages before would have had.
            (Some(first), 0) => self.number.saturating_sub(first).saturating_mul(number),
            (Some(_), _) => 0,
            (None, _) => self.number.saturating_sub(self.read),
        };
        self.read = self.read.saturating_add(start).saturating_add(number);
        self.pages += 1;
        let step = match paging.next {
            Next::Offset(_, Some(limit)) => text_at(body, limit)
                .and_then(|text| text.parse().ok())
                .filter(|limit| *limit > 0),
            Next::Offset(_, None) => None,
            _ => Some(1),
        };
        if self.is_over(paging, body) {
            return Ok(Turn::Over);
        }
        self.number = self.number.saturating_add(step.unwrap_or(number));
        Ok(Turn::Parameter(parameter, self.number.to_string()))
    }

    fn is_over(&self, paging: &Paging, body: &[u8]) -> bool {
        let number = |at| text_at(body, at).and_then(|text| text.parse::<u64>().ok());
        let last = |pages: u64| match paging.next {
            Next::Page(_, first) => pages.saturating_add(first).saturating_sub(1),
            _ => pages,
        };
        paging.ends.iter().any(|end| match end {
            End::More(at) => text_at(body, at).as_deref() == Some("false"),
            End::Total(at) => number(at).is_some_and(|total| self.read >= total),
            End::Pages(at) => number(at).is_some_and(|pages| self.number >= last(pages)),
        })
    }
}

/// The text of a scalar at a JSON pointer; `None` when it is missing, `null` or empty.
fn text_at(body: &[u8], at: &str) -> Option<String> {
    text(json::at(body, at)?)
}

fn text(value: &RawValue) -> Option<String> {
    let text = match value.get().as_bytes().first()? {
        b'"' => serde_json::from_str(value.get()).ok()?,
        b'n' | b'{' | b'[' => return None,
        _ => value.get().to_owned(),
    };
    Some(text).filter(|text| !text.is_empty())
}

fn last_item(paging: &Paging, body: &[u8], property: &str) -> Result<Option<String>, String> {
    let more = paging.ends.iter().any(|end| match end {
        End::More(at) => text_at(body, at).as_deref() == Some("true"),
        End::Total(_) | End::Pages(_) => false,
    });
    if !more {
        return Ok(None);
    }
    let items = json::at(body, paging.items).and_then(json::items);
    let last = items.and_then(|items| items.last().copied());
    let pointer = format!("/{}", json::escape(property));
    let value = last.and_then(|item| text_at(item.get().as_bytes(), &pointer));
    let missing = || format!("there are more items, but no last one with `{property}`");
    value.map(Some).ok_or_else(missing)
}

fn related(body: &[u8], at: &str) -> Option<String> {
    let links = json::items(json::at(body, at)?)?;
    let of = |link: &RawValue, at| text_at(link.get().as_bytes(), at);
    let next = links
        .into_iter()
        .find(|link| of(link, "/rel").as_deref() == Some("next"))?;
    of(next, "/href")
}

/// The target of the first link whose relation is `next` (RFC 8288, section 3).
fn link_header(answer: &Answer) -> Option<String> {
    let values = answer.headers.get_all(header::LINK).iter();
    let texts = values.filter_map(|value| value.to_str().ok());
    texts
        .flat_map(links)
        .find(|(_, relations)| {
            let mut relations = relations.split_ascii_whitespace();
            relations.any(|relation| relation.eq_ignore_ascii_case("next"))
        })
        .map(|(target, _)| target)
}

/// Targets and relations of a header `Link`.
fn links(mut rest: &str) -> Vec<(String, String)> {
    let mut links = Vec::new();
    while let Some((target, tail)) = rest
        .split_once('<')
        .and_then(|(_, tail)| tail.split_once('>'))
    {
        let (parameters, tail) = parameters(tail);
        let relation = parameters
            .into_iter()
            .find(|(name, _)| name.eq_ignore_ascii_case("rel"));
        links.extend(relation.map(|(_, relation)| (target.to_owned(), relation)));
        rest = tail;
    }
    links
}

/// The parameters up to the comma that ends a link, and what follows it.
fn parameters(text: &str) -> (Vec<(String, String)>, &str) {
    let (mut parameters, mut current, mut quoted) = (Vec::new(), String::new(), false);
    let mut add = |current: &mut String| {
        let (name, value) = current.split_once('=').unwrap_or((current, ""));
        parameters.push((name.trim().to_owned(), value.trim().to_owned()));
        current.clear();
    };
    for (place, character) in text.char_indices() {
        match character {
            '"' => quoted = !quoted,
            ';' if !quoted => add(&mut current),
            ',' if !quoted => {
                add(&mut current);
                return (parameters, &text[place + 1..]);
            }
            other => current.push(other),
        }
    }
    add(&mut current);
    (parameters, "")
}

/// The path below `base` and the query of the target of `link` on the page at `current`. A link
/// that leads out of `base` is not followed: its server would receive the credentials.
pub(super) fn follow(
    base: &str,
    current: &str,
    link: &str,
) -> Result<(Cow<'static, str>, Query), String> {
    let address = Url::parse(current)
        .and_then(|page| page.join(link))
        .map_err(|_| "the link to the next page is no address".to_owned())?;
    let base = Url::parse(base).map_err(|_| "the base URL is no address".to_owned())?;
    let root = base.path().trim_end_matches('/');
    let path = address
        .path()
        .strip_prefix(root)
        .filter(|path| path.starts_with('/'));
    match path.filter(|_| address.origin() == base.origin()) {
        Some(path) => {
            let query = Query::of(address.query().unwrap_or_default());
            Ok((path.to_owned().into(), query))
        }
        None => Err("the link to the next page leads to another server".to_owned()),
    }
}
