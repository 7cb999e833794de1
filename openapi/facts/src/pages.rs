//! Pages: how a list operation is paged, and how to reach the next page.

use openapi_document::view::{Document, Located, Location, MediaType, Method, Operation, Response};
use openapi_document::{Behaviour, Node, Pointer, Shape};

pub use crate::envelope::{End, Link};
use crate::envelope::{Envelope, is_number, is_scalar, is_size_beside};
use crate::fact::Fact;
use crate::name::normalized;
use crate::rule::{PagingRole, Rule};

/// The extension with which an operation describes its paging; `false` if it has none.
const MARK: &str = "x-pagination";

/// Query parameters with the id of the item before the page.
const AFTER: [&str; 2] = ["startingafter", "after"];

/// How a list operation is paged. Places are JSON pointers into the response body.
#[derive(Debug, Clone, Default)]
pub struct Pages<'d> {
    /// The place of the items; `None` if several properties could be the list.
    pub items: Option<Pointer>,
    /// The query parameter with the page size.
    pub size: Option<&'d str>,
    /// The ways to the next page, in the order of the parameters; links come first.
    pub ways: Vec<Way<'d>>,
    /// How a response shows that its page is the last one.
    pub ends: Vec<End>,
    /// Whether the operation states its paging.
    pub is_stated: bool,
}

/// A way to the next page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way<'d> {
    /// A query parameter with the page number, and the number of the first page.
    Page(&'d str, Option<u64>),
    /// A query parameter with the number of items before the page, and the place of the page size
    /// that the server applied.
    Offset(&'d str, Option<Pointer>),
    /// A query parameter with a cursor, and the source of the cursor.
    Cursor(&'d str, Cursor),
    /// The address of the next page.
    Link(Link),
}

/// The source of the cursor of the next page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cursor {
    /// A place in the response; the last page lacks it.
    Next(Pointer),
    /// A place in the response; every page has it.
    Last(Pointer),
    /// A property of the last item of the page.
    Item(String),
    /// The document does not say.
    Unknown,
}

/// The success response of a list operation, with its envelope and its paging facts.
struct List<'s, 'd> {
    document: &'d Document,
    operation: &'s Operation<'d>,
    response: &'s Response<'d>,
    envelope: Envelope<'d>,
    body: Shape<'d>,
    /// Paging roles by parameter name; `None` is the list itself.
    roles: Vec<(Option<&'s str>, PagingRole)>,
}

impl<'d> Pages<'d> {
    /// How a success response of an operation is paged. The operation's extension wins over the
    /// behaviour file, and both over names and shapes. `facts` are the operation's facts; the first
    /// fact about a parameter counts.
    pub fn of<'f>(
        document: &'d Document,
        behaviour: Option<&Behaviour>,
        (operation, response): (&Operation<'d>, &Response<'d>),
        facts: impl IntoIterator<Item = &'f Fact>,
    ) -> Self {
        let mut content = response.content();
        let json = content.iter().position(MediaType::is_json);
        let media = json.or((content.len() == 1).then_some(0));
        let schema = media.and_then(|at| content.swap_remove(at).schema());
        let roles = facts.into_iter().filter_map(|fact| match &fact.rule {
            Rule::Paging(rule) => Some((rule.subject.name.as_deref(), rule.role)),
            _ => None,
        });
        let list = List {
            document,
            operation,
            response,
            envelope: Envelope::of(document, schema.as_ref()),
            body: Shape::of(document, schema.as_ref()),
            roles: roles.collect(),
        };
        if list.roles.iter().any(|(_, role)| *role == PagingRole::None) {
            return Self::default();
        }
        let is_read = operation.method == Method::Get;
        let suggested = if is_read {
            list.suggested()
        } else {
            Self::default()
        };
        let stated = match operation.at.get(MARK) {
            Some(mark) => list.stated(mark.node),
            None => behaviour
                .filter(|_| is_read)
                .and_then(|behaviour| list.of_behaviour(behaviour)),
        };
        match stated {
            Some(stated) => Self {
                size: suggested.size,
                ..stated
            },
            None => suggested,
        }
    }
}

impl<'d> List<'_, 'd> {
    fn role(&self, parameter: &str) -> Option<PagingRole> {
        let mut roles = self.roles.iter();
        let found = roles.find(|(name, _)| *name == Some(parameter));
        found.map(|(_, role)| *role)
    }

    /// Paging as names and shapes suggest it.
    fn suggested(&self) -> Pages<'d> {
        let envelope = &self.envelope;
        let mut headers = self.response.headers().into_iter();
        let header = headers.find(|(name, _)| name.eq_ignore_ascii_case("link"));
        let link = envelope.link.clone().or(header.map(|_| Link::Header));
        let mut pages = Pages {
            items: envelope.items.clone().map(|(at, _)| at),
            size: None,
            ways: link.map(Way::Link).into_iter().collect(),
            ends: envelope.ends.clone(),
            is_stated: false,
        };
        for parameter in self.operation.parameters() {
            if parameter.location != Location::Query {
                continue;
            }
            match self.role(parameter.name) {
                Some(PagingRole::Size) => pages.size = Some(parameter.name),
                Some(PagingRole::Page) => {
                    let first = self.first(parameter.schema().as_ref());
                    pages.ways.push(Way::Page(parameter.name, first));
                }
                Some(PagingRole::Offset) => {
                    let way = Way::Offset(parameter.name, envelope.limit.clone());
                    pages.ways.push(way);
                }
                Some(PagingRole::Cursor) if leads_on(parameter.name) => {
                    let way = Way::Cursor(parameter.name, self.from(parameter.name));
                    pages.ways.push(way);
                }
                Some(PagingRole::Cursor | PagingRole::None) | None => {}
            }
        }
        pages.size = pages.size.or_else(|| self.size_beside(&pages));
        pages
    }

    /// A parameter called size or count is the page size if another parameter leads to the next
    /// page, and nothing contradicts it.
    fn size_beside(&self, pages: &Pages<'d>) -> Option<&'d str> {
        let is_parameter = |way: &Way<'_>| !matches!(way, Way::Link(_));
        pages.ways.iter().find(|way| is_parameter(way))?;
        let parameters = self.operation.parameters().into_iter();
        let mut query = parameters.filter(|one| one.location == Location::Query);
        let found = query.find(|one| {
            let schema = one.schema();
            is_size_beside(one.name)
                && self.role(one.name).is_none()
                && is_number(&Shape::of(self.document, schema.as_ref()))
        });
        found.map(|one| one.name)
    }

    /// The number of the first page, 0 or 1: the default or the minimum in the parameter's schema.
    fn first(&self, schema: Option<&Located<'d>>) -> Option<u64> {
        let shape = Shape::of(self.document, schema);
        let number = |key| shape.keyword(key).and_then(Node::as_u64);
        let first = number("default").or_else(|| number("minimum"));
        first.filter(|first| *first < 2)
    }

    /// The source of the cursor for a parameter.
    fn from(&self, parameter: &str) -> Cursor {
        let envelope = &self.envelope;
        let has_id = envelope.items.as_ref().is_some_and(|(_, items)| {
            items.requires("id") && is_scalar(&items.property(self.document, "id"))
        });
        let next = envelope.next.clone().map(Cursor::Next);
        let last = envelope.last.clone().map(Cursor::Last);
        next.or(last).unwrap_or_else(|| {
            if is_after(parameter) && has_id && envelope.is_flagged() {
                Cursor::Item("id".to_owned())
            } else {
                Cursor::Unknown
            }
        })
    }

    /// Paging as the operation's extension states it; `None` if the extension is incomplete
    /// or does not fit the operation.
    fn stated(&self, mark: &'d Node) -> Option<Pages<'d>> {
        let text = |key: &str| mark.get(key).and_then(Node::as_str);
        let place = |key: &str| text(key).and_then(Pointer::parse);
        let way = if let Some(name) = text("page") {
            Way::Page(name, Some(mark.get("first").map_or(Some(1), Node::as_u64)?))
        } else if let Some(name) = text("offset") {
            Way::Offset(name, place("limit"))
        } else if let Some(name) = text("cursor") {
            Way::Cursor(name, Cursor::Next(place("from")?))
        } else if let Some(name) = text("lastItem") {
            Way::Cursor(name, Cursor::Item(text("property")?.to_owned()))
        } else if let Some(at) = place("link") {
            Way::Link(Link::At(at))
        } else if let Some(at) = place("relation") {
            Way::Link(Link::Relation(at))
        } else {
            let is_there = mark.get("linkHeader")?.as_bool()?;
            is_there.then_some(Way::Link(Link::Header))?
        };
        let ends = [
            place("more").map(End::More),
            place("total").map(End::Total),
            place("pages").map(End::Pages),
        ];
        self.checked(place("items")?, way, ends.into_iter().flatten().collect())
    }

    /// Paging as the behaviour file states it.
    fn of_behaviour(&self, behaviour: &Behaviour) -> Option<Pages<'d>> {
        let pagination = behaviour.pagination.as_ref()?;
        let mut parameters = self.operation.parameters().into_iter();
        let way = parameters.find_map(|parameter| {
            let mut known = pagination.parameters.iter();
            let known = known.find(|known| known.name.text == parameter.name)?;
            let is_page = self.role(parameter.name) == Some(PagingRole::Page);
            let first = known.default.parse().ok().filter(|_| is_page)?;
            Some(Way::Page(parameter.name, Some(first)))
        })?;
        let items = Pointer::parse(&pagination.items.text)?;
        self.checked(items, way, self.envelope.ends.clone())
    }

    /// The stated paging, if the operation has the named list and parameter.
    fn checked(&self, items: Pointer, way: Way<'d>, ends: Vec<End>) -> Option<Pages<'d>> {
        let list = items
            .segments()
            .try_fold(self.body.clone(), |shape, name| {
                let is_there = shape.property_names().contains(&&*name);
                is_there.then(|| shape.property(self.document, &name))
            })?;
        let parameters = self.operation.parameters();
        let has = |name| {
            let mut parameters = parameters.iter();
            parameters.any(|one| one.location == Location::Query && one.name == name)
        };
        let is_there = match way {
            Way::Page(name, _) | Way::Offset(name, _) | Way::Cursor(name, _) => has(name),
            Way::Link(_) => true,
        };
        (is_there && list.type_name() == Some("array")).then(|| Pages {
            items: Some(items),
            size: None,
            ways: vec![way],
            ends,
            is_stated: true,
        })
    }
}

/// Whether a cursor parameter of this name takes the key of the previous page's last item.
pub fn is_after(parameter: &str) -> bool {
    AFTER.contains(&&*normalized(parameter))
}

/// Whether a cursor leads to the next page and not to the previous one.
fn leads_on(parameter: &str) -> bool {
    let name = normalized(parameter);
    !["before", "prev", "ending"]
        .iter()
        .any(|word| name.contains(word))
}
