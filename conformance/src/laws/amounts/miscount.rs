//! Miscount: what does not add up in an answer, though it does in each documented one.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use openapi_document::view::MediaType;
use openapi_document::{Node, Pointer};

use super::arithmetic::{self, Wrong};
use super::statement::{self, Statement};
use super::{formula, share};
use crate::checks;
use crate::laws::lists::paging::divides;
use crate::laws::steps::room;
use crate::model::{Call, Model, Role};
use crate::scene::ground::Ground;
use crate::scene::watch::{Breach, Watch};
use crate::shape::Shape;

/// So many items of a page are held against what is said of each.
const ITEMS: usize = 32;

/// What is documented of the amounts of an answer, or of each item of a page.
pub(super) struct Told<'d> {
    /// Where the items of a page are; the sum of a list may be that of all its pages, while what an item tells of itself is
    /// its own.
    items: Option<Pointer>,
    shape: Shape<'d>,
    /// Documented ones.
    shown: Vec<&'d Node>,
    /// The kinds of sums that they keep.
    sums: Vec<&'static str>,
    /// What texts say of shares, where one is documented.
    shares: Option<Vec<&'d str>>,
}

/// Finds what does not add up; what is documented is looked for once.
pub(crate) struct Miscount<'w, 'd> {
    model: &'w Model<'d>,
    /// What texts say of amounts, wherever they are answered.
    statements: OnceCell<Vec<Statement>>,
    /// What is documented of the amounts that operations answer.
    told: RefCell<BTreeMap<String, Rc<Told<'d>>>>,
    /// Whether a text limits how many records an operation creates.
    limited: RefCell<BTreeMap<String, bool>>,
}

impl<'d> Watch<'d> for Miscount<'_, 'd> {
    fn breach(&self, call: &Call<'d>, body: &Node) -> Option<Breach> {
        let wrong = self.miscounted(call, body)?;
        Some(Breach {
            check: &checks::SUM_DIFFERS,
            ground: Ground::Names,
            pointer: wrong.pointer,
            expected: format!("{}, which its parts come to", wrong.due),
            actual: wrong.told,
        })
    }

    fn is_limited(&self, call: &Call<'d>) -> bool {
        let mut limited = self.limited.borrow_mut();
        let known = limited.entry(call.operation.label());
        *known.or_insert_with(|| {
            room::is_limited(call) || room::takes_places(self.model.document, call)
        })
    }
}

impl<'w, 'd> Miscount<'w, 'd> {
    /// Finds what does not add up in the answers that a model documents.
    pub(crate) fn new(model: &'w Model<'d>) -> Self {
        Self {
            model,
            statements: OnceCell::new(),
            told: RefCell::default(),
            limited: RefCell::default(),
        }
    }

    /// What does not add up in an answer, though it does in each documented one.
    fn miscounted(&self, call: &Call<'d>, body: &Node) -> Option<Wrong> {
        let told = self.told(call);
        let Some(at) = &told.items else {
            return self.miscounted_in(body, &told);
        };
        let items = body.at(at)?.items().enumerate();
        let mut wrong = items.take(ITEMS).filter_map(|(index, item)| {
            let found = self.miscounted_in(item, &told)?;
            let within = found.pointer.segments();
            let pointer = within.fold(at.join(index.to_string()), |at, own| at.join(own));
            Some(Wrong { pointer, ..found })
        });
        wrong.next()
    }

    /// What does not add up in an answer, or in an item of one.
    fn miscounted_in(&self, body: &Node, told: &Told<'d>) -> Option<Wrong> {
        let of_text = || {
            let statements = self
                .statements
                .get_or_init(|| statement::statements(&self.model.calls));
            let both = (body, &told.shown[..]);
            formula::wrong(self.model.document, &told.shape, both, statements)
        };
        let of_share = || share::wrong(body, &told.shown, told.shares.as_ref()?);
        let wrong = arithmetic::wrong(body, &told.sums);
        wrong.or_else(of_text).or_else(of_share)
    }

    /// What is documented of the amounts that a call answers, looked for once.
    fn told(&self, call: &Call<'d>) -> Rc<Told<'d>> {
        let mut told = self.told.borrow_mut();
        let known = told.entry(call.operation.label());
        Rc::clone(known.or_insert_with(|| Rc::new(self.look(call))))
    }

    /// What is documented of the amounts that a call answers.
    fn look(&self, call: &Call<'d>) -> Told<'d> {
        let document = self.model.document;
        let success = call.success.as_ref();
        let content = success.map(|own| own.response.content());
        let content = content.unwrap_or_default();
        let shown = content.iter().flat_map(MediaType::examples);
        let mut shown: Vec<&'d Node> = shown.map(|own| own.value.node).collect();
        let schema = success.and_then(|own| own.media.as_ref()?.schema());
        let mut shape = Shape::of(document, schema.as_ref());
        let parameters = call.operation.parameters();
        let is_page = call.role == Role::List && parameters.iter().any(|own| divides(own.name));
        let items = success.and_then(|own| own.items.clone());
        let items = items.filter(|_| is_page);
        if let Some(at) = &items {
            let list = at.segments();
            let list = list.fold(shape, |own, name| own.property(document, &name));
            shape = list.items(document);
            let lists = shown.iter().filter_map(|own| own.at(at));
            shown = lists.flat_map(Node::items).collect();
        }
        // What is so in one state only is shown where that is.
        let alike = self.shown_alike(call, items.is_some()).into_iter();
        let is_new = |own: &&'d Node| !shown.iter().any(|known| std::ptr::eq(*known, *own));
        let alike: Vec<&'d Node> = alike.filter(is_new).collect();
        shown.extend(alike);
        let has_share = shown.iter().any(|own| share::is_within(own));
        Told {
            items,
            shape,
            sums: arithmetic::kept(&shown),
            shares: has_share.then(|| self.of_shares(call)),
            shown,
        }
    }

    /// The documented answers of other operations that have the same kind of record: in the same place, or as it is an
    /// item of a list.
    fn shown_alike(&self, call: &Call<'d>, is_item: bool) -> Vec<&'d Node> {
        let Some(kind) = call.record() else {
            return Vec::new();
        };
        let calls = self.model.calls.iter().filter(|own| own.role != Role::List);
        let alike = calls.filter_map(|own| {
            let record = own.record().filter(|own| own.is(kind))?;
            let is_there = is_item || (call.role != Role::List && record.at == kind.at);
            is_there.then_some((own, record))
        });
        let shown = alike.flat_map(|(own, record)| {
            let media = own.success.as_ref().and_then(|own| own.media.as_ref());
            let shown = media.map(MediaType::examples).unwrap_or_default();
            let nodes = shown.into_iter().map(|own| own.value.node);
            let nodes = nodes.filter_map(|own| {
                if is_item {
                    own.at(&record.at)
                } else {
                    Some(own)
                }
            });
            nodes.collect::<Vec<_>>()
        });
        shown.collect()
    }

    /// What texts say of the shares that a call answers.
    fn of_shares(&self, call: &Call<'d>) -> Vec<&'d str> {
        let document = self.model.document;
        let record = Shape::of(document, call.record().map(|own| &own.schema));
        let names = record.property_names().into_iter();
        let shares = names.filter(|name| share::is_share(name));
        let own = shares.filter_map(|name| {
            let text = record.property(document, name);
            text.keyword("description").and_then(Node::as_str)
        });
        call.texts().chain(own).collect()
    }
}
