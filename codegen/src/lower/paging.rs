//! Which operations give a list in pages, and how one page leads to the next.
//!
//! What the document says goes first, then the behaviour beside it, then the conventions of the
//! field. What a parameter is for is a fact of `openapi-facts`; here it is put together with what the
//! answer has. Where two conventions fit, or one fits halfway, nothing is guessed.

use openapi_document::node::Node;
use openapi_document::view::{Located, Location, Operation as Source};
use openapi_facts::rule::PagingRole;

use super::Lowering;
use super::envelope::{Envelope, squashed};
use super::said::SaidOf;
use crate::ir::{Encoding, End, Method, Next, Paging, Parameter, Response, Status};

/// What an operation says of its pages; `false` for none.
const MARK: &str = "x-pagination";

/// A query parameter, and what an answer calls its next value.
const CURSORS: [(&str, &[&str]); 10] = [
    ("cursor", &["nextcursor"]),
    ("nextcursor", &["nextcursor"]),
    ("pagetoken", &["nextpagetoken", "nextpage"]),
    ("nextpagetoken", &["nextpagetoken"]),
    ("nexttoken", &["nexttoken"]),
    ("pagecursor", &["nextpagecursor", "nextcursor"]),
    ("marker", &["nextmarker"]),
    (
        "continuationtoken",
        &["nextcontinuationtoken", "continuationtoken"],
    ),
    ("after", &["nextcursor", "endcursor", "lastid"]),
    ("startingafter", &["nextcursor", "lastid"]),
];

/// Names of a value that the last page has as well, so that only a flag tells that it is the last.
const ALWAYS_THERE: [&str; 2] = ["endcursor", "lastid"];

/// Query parameters with the id of the item before a page.
const AFTER: [&str; 2] = ["startingafter", "after"];

impl<'d> Lowering<'d> {
    /// How the answers of an operation are divided, where they are.
    pub(super) fn paging(
        &mut self,
        source: &Source<'d>,
        parameters: &[Parameter],
        responses: &[Response],
    ) -> Option<Paging> {
        let response = only_success(responses)?;
        let [content] = response.contents.as_slice() else {
            return None;
        };
        if content.encoding != Encoding::Json {
            return None;
        }
        let said = self.said.of(self.document, source);
        if said.is_without_pages() {
            return None;
        }
        let envelope = Envelope::of(&self.schemas, &content.usage);
        if let Some(mark) = source.at.get(MARK) {
            let told = told(mark.node).filter(|paging| {
                envelope.is_list(&paging.items) && is_asked_for(paging, parameters)
            });
            if told.is_none() {
                self.warn_pagination(&mark);
            }
            return told;
        }
        if source.method != Method::Get {
            return None;
        }
        let behaviour = self.behaviour.and_then(|it| it.pagination.as_ref());
        let by_behaviour = behaviour.and_then(|pagination| {
            let number = pagination
                .parameters
                .iter()
                .find(|one| said.paging_role(&one.name.text) == Some(PagingRole::Page))?;
            let next = Next::Page(number.name.text.clone(), number.default.parse().ok()?);
            let (items, ends) = (pagination.items.text.clone(), envelope.ends());
            let paging = Paging { items, next, ends };
            (envelope.is_list(&paging.items) && is_asked_for(&paging, parameters)).then_some(paging)
        });
        by_behaviour.or_else(|| {
            let next = by_convention((source, &said), parameters, response, &envelope)?;
            let (items, ends) = (envelope.items()?, envelope.ends());
            Some(Paging { items, next, ends })
        })
    }

    fn warn_pagination(&mut self, mark: &Located<'d>) {
        let title = "the pages are not expressed: `x-pagination` needs `items`, the place of a list \
                     in the answer, and how to go on by a query parameter of the operation";
        self.warn("pagination-not-understood", mark, title);
    }
}

fn only_success(responses: &[Response]) -> Option<&Response> {
    let mut successes = responses.iter().filter(|response| match response.status {
        Status::Code(code) => (200..300).contains(&code),
        Status::Range(class) => class == 2,
        Status::Default => false,
    });
    let only = successes.next()?;
    successes.next().is_none().then_some(only)
}

/// Whether the query parameter that moves on is one of the operation.
fn is_asked_for(paging: &Paging, parameters: &[Parameter]) -> bool {
    match &paging.next {
        Next::Page(name, _)
        | Next::Offset(name, _)
        | Next::Cursor(name, _)
        | Next::LastItem(name, _) => query(parameters).any(|parameter| parameter.wire == *name),
        Next::Link(_) | Next::Relation(_) | Next::LinkHeader => true,
    }
}

fn query(parameters: &[Parameter]) -> impl Iterator<Item = &Parameter> {
    let in_query = |parameter: &&Parameter| parameter.location == Location::Query;
    parameters.iter().filter(in_query)
}

/// What the document says.
fn told(mark: &Node) -> Option<Paging> {
    let text = |key: &str| mark.get(key).and_then(Node::as_str).map(str::to_owned);
    let next = if let Some(name) = text("page") {
        Next::Page(name, mark.get("first").map_or(Some(1), Node::as_u64)?)
    } else if let Some(name) = text("offset") {
        Next::Offset(name, text("limit"))
    } else if let Some(name) = text("cursor") {
        Next::Cursor(name, text("from")?)
    } else if let Some(name) = text("lastItem") {
        Next::LastItem(name, text("property")?)
    } else if let Some(place) = text("link") {
        Next::Link(place)
    } else if let Some(place) = text("relation") {
        Next::Relation(place)
    } else {
        mark.get("linkHeader")?
            .as_bool()?
            .then_some(Next::LinkHeader)?
    };
    let ends = [
        text("more").map(End::More),
        text("total").map(End::Total),
        text("pages").map(End::Pages),
    ];
    Some(Paging {
        items: text("items")?,
        next,
        ends: ends.into_iter().flatten().collect(),
    })
}

/// The one convention that fits. A link is the word of the server, and goes before the others.
fn by_convention(
    (source, said): (&Source<'_>, &SaidOf),
    parameters: &[Parameter],
    response: &Response,
    envelope: &Envelope<'_>,
) -> Option<Next> {
    let header = response.headers.iter();
    let mut header = header.filter(|header| header.wire.eq_ignore_ascii_case("link"));
    let link = envelope
        .link()
        .or_else(|| header.next().map(|_| Next::LinkHeader));
    if link.is_some() {
        return link;
    }
    let ends = envelope.ends();
    let flagged = ends.iter().any(|end| matches!(end, End::More(_)));
    let only = |fits: &dyn Fn(&str) -> bool| {
        let mut found = query(parameters).filter(|it| fits(&it.wire));
        found.next().filter(|_| found.next().is_none())
    };
    let of_role = |role: PagingRole| only(&|name| said.paging_role(name) == Some(role));
    // A name that says nothing by itself may fit what the answer calls its next value.
    let is_cursor = |name: &str| {
        let role = said.paging_role(name);
        role.is_none_or(|role| role == PagingRole::Cursor)
    };
    let named = |known: &str| only(&|name| squashed(name) == known && is_cursor(name));
    let cursor = CURSORS.iter().find_map(|(name, values)| {
        let parameter = named(name)?;
        let (place, value) = envelope.scalar(values)?;
        (flagged || !ALWAYS_THERE.contains(&value.as_str()))
            .then(|| Next::Cursor(parameter.wire.clone(), place))
    });
    let last = AFTER.iter().find_map(|name| {
        let parameter = named(name)?;
        (flagged && cursor.is_none() && envelope.items_have("id"))
            .then(|| Next::LastItem(parameter.wire.clone(), "id".to_owned()))
    });
    let page = of_role(PagingRole::Page)
        .filter(|_| !ends.is_empty())
        .and_then(|it| {
            let first = first_page(source, it)?;
            Some(Next::Page(it.wire.clone(), first))
        });
    let offset = of_role(PagingRole::Offset).filter(|_| !ends.is_empty());
    let offset = offset.map(|it| Next::Offset(it.wire.clone(), envelope.limit()));
    let mut fitting = [cursor, last, page, offset].into_iter().flatten();
    fitting.next().filter(|_| fitting.next().is_none())
}

/// The number of the first page, where the document tells it.
fn first_page(source: &Source<'_>, parameter: &Parameter) -> Option<u64> {
    let declared = source.parameters();
    let own = declared
        .iter()
        .find(|it| it.location == Location::Query && it.name == parameter.wire)?;
    let schema = own.schema()?;
    let number = |key: &str| schema.node.get(key).and_then(Node::as_u64);
    number("default")
        .or_else(|| number("minimum"))
        .filter(|first| *first < 2)
}
