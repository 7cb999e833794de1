//! Envelope: where a list response has its items, and its properties about other pages.

use openapi_document::view::{Document, Located};
use openapi_document::{Pointer, Shape};

use crate::lexicon::Lexicon;
use crate::name::normalized;

/// Where the address of the next page is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// At a place in the response body.
    At(Pointer),
    /// At a place in the response body, in a list of `rel` and `href`.
    Relation(Pointer),
    /// In the header `Link` (RFC 8288).
    Header,
}

/// How a response shows that its page is the last one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// A flag at this place is `false`.
    More(Pointer),
    /// The total number of items is at this place.
    Total(Pointer),
    /// The total number of pages is at this place.
    Pages(Pointer),
}

/// The places in a list response, as its schema describes them.
#[derive(Debug, Clone, Default)]
pub struct Envelope<'d> {
    /// The items of the page; `None` if several properties could be the list.
    pub items: Option<(Pointer, Shape<'d>)>,
    /// The address of the next page.
    pub link: Option<Link>,
    /// The cursor of the next page; the last page lacks it.
    pub next: Option<Pointer>,
    /// The key of the last item of the page; every page has it.
    pub last: Option<Pointer>,
    /// The page size that the server applied.
    pub limit: Option<Pointer>,
    /// How a response shows that its page is the last one.
    pub ends: Vec<End>,
}

/// Whether a response property of this name is the cursor of the next page.
pub fn is_next_cursor(name: &str) -> bool {
    is_called("next-name", name)
}

/// Whether a response property of this name is a flag that another page follows.
pub fn is_more(name: &str) -> bool {
    is_called("more-name", name)
}

/// Whether a response property of this name is the total number of items.
pub fn is_total(name: &str) -> bool {
    is_called("total-name", name)
}

/// Whether a response property of this name is the total number of pages.
pub fn is_page_count(name: &str) -> bool {
    is_called("pages-name", name)
}

/// Whether a parameter of this name is the page size if another parameter leads to the next page.
pub(crate) fn is_size_beside(name: &str) -> bool {
    is_called("size-beside-name", name)
}

fn is_called(role: &str, name: &str) -> bool {
    Lexicon::english().roles.has(role, &normalized(name))
}

/// A property of the response body, or of the object in it that describes the page.
struct Member<'d> {
    name: &'d str,
    at: Pointer,
    shape: Shape<'d>,
}

/// Whether a property may be a cursor: a number, or a text that is not an address.
fn is_cursor(one: &Member<'_>) -> bool {
    let is_link = one.at.segments().any(|name| normalized(&name) == "links");
    is_scalar(&one.shape) && !is_address(&one.shape) && !is_link
}

impl<'d> Envelope<'d> {
    /// The envelope of responses with this schema.
    pub fn of(document: &'d Document, schema: Option<&Located<'d>>) -> Self {
        let body = Shape::of(document, schema);
        let items = items(document, &body);
        let members = members(document, &body);
        let place = |role: &str, is: fn(&Member<'_>) -> bool| {
            let mut called = members.iter().filter(|one| is_called(role, one.name));
            called.find(|one| is(one)).map(|one| one.at.clone())
        };
        let ends = [
            place("more-name", |one| one.shape.type_name() == Some("boolean")).map(End::More),
            place("total-name", |one| is_number(&one.shape)).map(End::Total),
            place("pages-name", |one| is_number(&one.shape)).map(End::Pages),
        ];
        Self {
            link: link(document, &members),
            next: place("next-name", is_cursor),
            last: place("last-name", |one| is_scalar(&one.shape)),
            limit: place("limit-name", |one| is_number(&one.shape)),
            ends: ends.into_iter().flatten().collect(),
            items,
        }
    }

    /// Whether the response leads to the next page.
    pub fn leads_on(&self) -> bool {
        self.link.is_some() || self.next.is_some() || self.last.is_some()
    }

    /// Whether a flag shows which page is the last one.
    pub(crate) fn is_flagged(&self) -> bool {
        self.ends.iter().any(|end| matches!(end, End::More(_)))
    }
}

/// The items of a page: the body itself, or the only list in it, the only list with a list-like
/// name, or the only list of objects. `None` for a body with an id: it is a record, and its lists
/// are parts of the record.
fn items<'d>(document: &'d Document, body: &Shape<'d>) -> Option<(Pointer, Shape<'d>)> {
    if is_list(body) {
        return Some((Pointer::root(), body.items(document)));
    }
    let properties = body.property_names().into_iter();
    let properties = properties.map(|name| (name, body.property(document, name)));
    let lists: Vec<_> = properties
        .filter(|_| {
            !body
                .property_names()
                .iter()
                .any(|name| normalized(name) == "id")
        })
        .filter(|(name, shape)| is_list(shape) && normalized(name) != "links")
        .map(|(name, shape)| (name, shape.items(document)))
        .collect();
    let only = |fits: &dyn Fn(&str, &Shape<'d>) -> bool| {
        let mut fitting = lists.iter().filter(|(name, items)| fits(name, items));
        fitting.next().filter(|_| fitting.next().is_none())
    };
    let (name, items) = only(&|_, _| true)
        .or_else(|| only(&|name, _| is_called("items-name", name)))
        .or_else(|| only(&|_, items| items.lists_properties()))?;
    Some((Pointer::root().join(name), items.clone()))
}

/// The properties of the body, then those of objects in it that describe the page.
fn members<'d>(document: &'d Document, body: &Shape<'d>) -> Vec<Member<'d>> {
    let properties = |object: &Shape<'d>, at: &Pointer| {
        let names = object.property_names().into_iter();
        let member = |name| Member {
            name,
            at: at.join(name),
            shape: object.property(document, name),
        };
        names.map(member).collect::<Vec<_>>()
    };
    let outer = properties(body, &Pointer::root());
    let about = outer.iter().filter(|one| is_called("about-name", one.name));
    let inner = about.flat_map(|one| properties(&one.shape, &one.at));
    let inner: Vec<_> = inner.collect();
    outer.into_iter().chain(inner).collect()
}

/// The place of the next page's address.
fn link(document: &Document, members: &[Member<'_>]) -> Option<Link> {
    let addressed = |one: &&Member<'_>| {
        is_text(&one.shape)
            && (is_called("next-link-name", one.name)
                || normalized(one.name) == "next" && is_address(&one.shape))
    };
    if let Some(one) = members.iter().find(addressed) {
        return Some(Link::At(one.at.clone()));
    }
    let mut links = members.iter().filter(|one| normalized(one.name) == "links");
    links.find_map(|one| {
        if is_list(&one.shape) {
            let parts = one.shape.items(document).property_names();
            let is_related = ["rel", "href"].iter().all(|name| parts.contains(name));
            return is_related.then(|| Link::Relation(one.at.clone()));
        }
        let pages = one.shape.property(document, "pages");
        let pages = (&pages, one.at.join("pages"));
        let all = [(&one.shape, one.at.clone()), pages];
        let mut found = all
            .iter()
            .filter_map(|(links, at)| next_in(document, links, at));
        found.next().map(Link::At)
    })
}

/// The place of `next`, or of the `href` in it.
fn next_in(document: &Document, links: &Shape<'_>, at: &Pointer) -> Option<Pointer> {
    links.property_names().contains(&"next").then_some(())?;
    let next = links.property(document, "next");
    let at = at.join("next");
    if is_text(&next) {
        return Some(at);
    }
    let is_there = next.property_names().contains(&"href");
    (is_there && is_text(&next.property(document, "href"))).then(|| at.join("href"))
}

fn is_list(shape: &Shape<'_>) -> bool {
    shape.type_name() == Some("array")
}

pub(crate) fn is_number(shape: &Shape<'_>) -> bool {
    matches!(shape.type_name(), Some("integer" | "number"))
}

fn is_text(shape: &Shape<'_>) -> bool {
    let is_other = matches!(shape.format(), Some("date" | "date-time" | "decimal"));
    shape.type_name() == Some("string") && shape.known_values().is_empty() && !is_other
}

pub(crate) fn is_scalar(shape: &Shape<'_>) -> bool {
    is_number(shape) || is_text(shape)
}

fn is_address(shape: &Shape<'_>) -> bool {
    matches!(shape.format(), Some("uri" | "url" | "uri-reference"))
}
