//! Which operations give a list in pages, and how one page leads to the next.
//!
//! What a document says of its pages is read by `openapi-facts`. Where two ways fit, or one fits halfway, nothing is guessed.

use openapi_document::Pointer;
use openapi_document::view::{Located, Operation as Source};
use openapi_facts::pages::{self, Cursor, Link, Pages, Way};

use super::Lowering;
use super::schema::Schemas;
use crate::ir::{Encoding, End, Next, Paging, Response, Shape, Status, Type, Usage};

/// What an operation says of its pages; `false` for none.
const MARK: &str = "x-pagination";

impl<'d> Lowering<'d> {
    /// How the answers of an operation are divided, where they are.
    pub(super) fn paging(&mut self, source: &Source<'d>, responses: &[Response]) -> Option<Paging> {
        let response = only_success(responses)?;
        let [content] = response.contents.as_slice() else {
            return None;
        };
        if content.encoding != Encoding::Json {
            return None;
        }
        let answers = source.responses();
        let answer = answers.iter().find(|one| one.status == response.status)?;
        let said = self.said.of(self.document, source);
        let pages = Pages::of(
            self.document,
            self.behaviour,
            (source, answer),
            said.facts(),
        );
        let mark = source.at.get(MARK);
        let mark = mark.filter(|mark| mark.node.as_bool() != Some(false));
        let is_asked_for = mark.is_none() || pages.is_stated;
        let paging = paging(&pages).filter(|_| is_asked_for);
        let paging = paging.filter(|it| is_list(&self.schemas, &content.usage, &it.items));
        if let (Some(mark), None) = (mark, &paging) {
            self.warn_pagination(&mark);
        }
        paging
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

/// The one way that fits. A link is the word of the server, and goes before the others.
fn paging(pages: &Pages<'_>) -> Option<Paging> {
    let items = text(pages.items.as_ref()?);
    let mut fitting = pages.ways.iter().filter_map(|way| next(pages, way));
    let first = fitting.next()?;
    let is_link = matches!(pages.ways.first(), Some(Way::Link(_)));
    let is_only = is_link || fitting.next().is_none();
    let ends = pages.ends.iter().map(|end| match end {
        pages::End::More(at) => End::More(text(at)),
        pages::End::Total(at) => End::Total(text(at)),
        pages::End::Pages(at) => End::Pages(text(at)),
    });
    is_only.then(|| Paging {
        items,
        next: first,
        ends: ends.collect(),
    })
}

/// A way that tells where the list ends.
fn next(pages: &Pages<'_>, way: &Way<'_>) -> Option<Next> {
    let is_counted = pages.is_stated || !pages.ends.is_empty();
    let flag = |end: &pages::End| matches!(end, pages::End::More(_));
    let is_flagged = pages.is_stated || pages.ends.iter().any(flag);
    match way {
        Way::Page(name, first) => {
            let page = Next::Page((*name).to_owned(), (*first)?);
            is_counted.then_some(page)
        }
        Way::Offset(name, limit) => {
            let offset = Next::Offset((*name).to_owned(), limit.as_ref().map(text));
            is_counted.then_some(offset)
        }
        Way::Cursor(name, Cursor::Next(at)) => Some(Next::Cursor((*name).to_owned(), text(at))),
        Way::Cursor(name, Cursor::Last(at)) => {
            is_flagged.then(|| Next::Cursor((*name).to_owned(), text(at)))
        }
        Way::Cursor(name, Cursor::Item(property)) => {
            is_flagged.then(|| Next::LastItem((*name).to_owned(), property.clone()))
        }
        Way::Cursor(_, Cursor::Unknown) => None,
        Way::Link(Link::At(at)) => Some(Next::Link(text(at))),
        Way::Link(Link::Relation(at)) => Some(Next::Relation(text(at))),
        Way::Link(Link::Header) => Some(Next::LinkHeader),
    }
}

fn text(at: &Pointer) -> String {
    at.as_str().to_owned()
}

/// Whether there is a list at a place that can be reached without asking which variant a value is.
fn is_list(schemas: &Schemas, body: &Usage, place: &str) -> bool {
    let wire = |name: &str| name.replace("~1", "/").replace("~0", "~");
    let mut names = place.split('/').skip(1);
    let reached = names.try_fold(body, |usage, name| {
        let Type::Named(id) = usage.ty else {
            return None;
        };
        let Some(Shape::Struct(object)) = schemas.shape(id) else {
            return None;
        };
        let mut fields = object.fields.iter();
        let field = fields.find(|field| field.wire == wire(name))?;
        Some(&field.usage)
    });
    reached.is_some_and(|usage| matches!(usage.ty, Type::List(_)) && !usage.sensitive)
}
