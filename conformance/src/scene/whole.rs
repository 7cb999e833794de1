//! Whole: the record whose amount an operation moves, or takes a part of.

use openapi_document::view::Method;
use openapi_document::{Node, Pointer, Value};

use crate::amount;
use crate::answered::{key_name, record_of, succeeded};
use crate::exchange::{Answer, Exchange, Sent};
use crate::model::{Call, Role};
use crate::scene::addressing::can_address;
use crate::scene::{Ready, Scene};
use crate::value;

/// At most this many recipes are searched for one that names the record.
const WAYS: usize = 4;

/// A record that a call is about, with its reader.
pub(crate) struct Whole<'w, 'd> {
    /// The operation that reads it.
    pub(crate) reader: &'w Call<'d>,
    /// A record that has its key.
    record: Node,
    /// A request that has its key.
    with: Sent,
    /// The currency of the call, if it has one.
    currency: Option<String>,
}

/// Whether an operation answers records of a component, or has this label.
fn answers(call: &Call<'_>, owner: &str) -> bool {
    let is_component = call.record().is_some_and(|record| {
        let last = record.schema.pointer.last();
        record.schema.pointer.segments().count() == 3 && last.as_deref() == Some(owner)
    });
    is_component || call.operation.label() == owner
}

impl<'w, 'd> Whole<'w, 'd> {
    /// Prepares a call on a readable record of a component, with the usual request or another one that names such a
    /// record.
    pub(crate) async fn ready(
        scene: &mut Scene<'w, 'd>,
        call: &Call<'d>,
        (owner, tag): (&str, &str),
    ) -> Result<(Ready<'w, 'd>, Self), String> {
        let ready = scene.ready(call, tag).await?;
        if let Some(whole) = Self::readable(scene, call, (&ready, owner)).await {
            return Ok((ready, whole));
        }
        for (index, recipe) in scene.recipes(call).into_iter().enumerate().take(WAYS) {
            if let Ok(ready) = scene.prepare(recipe, &format!("{tag}-{index}")).await
                && let Some(whole) = Self::readable(scene, call, (&ready, owner)).await
            {
                return Ok((ready, whole));
            }
        }
        if let Ok(ready) = scene.ready_naming(call, (owner, tag)).await
            && let Some(whole) = Self::readable(scene, call, (&ready, owner)).await
        {
            return Ok((ready, whole));
        }
        Err(format!("the call names no {owner} that can be read"))
    }

    async fn readable(
        scene: &mut Scene<'w, 'd>,
        call: &Call<'d>,
        about: (&Ready<'_, 'd>, &str),
    ) -> Option<Self> {
        let whole = Self::of(scene, call, about)?;
        whole.read(scene).await.map(|_| whole)
    }

    /// The record of a component that a call names, else one that a named record leads to. `None` if no operation
    /// reads it.
    pub(crate) fn of(
        scene: &Scene<'w, 'd>,
        call: &Call<'d>,
        (ready, owner): (&Ready<'_, 'd>, &str),
    ) -> Option<Self> {
        Self::by(scene, call, (ready, owner), None)
    }

    /// Like [`Self::of`]; `link` is the property of the request that names the record, if it names several.
    pub(crate) fn by(
        scene: &Scene<'w, 'd>,
        call: &Call<'d>,
        (ready, owner): (&Ready<'_, 'd>, &str),
        link: Option<&str>,
    ) -> Option<Self> {
        let with = scene.compose(ready, "whole").ok()?;
        let about = scene.record_before(call, ready).into_iter();
        let mut named: Vec<_> = { about }
            .chain(scene.named_before(call, ready, &with))
            .collect();
        if let Some(key) = link.and_then(|link| at(with.json.as_ref()?, link)) {
            let is_it = |creator: &Call<'d>, record: &Node| {
                let known = key_name(creator).and_then(|name| record.get(name));
                known.is_some_and(|known| known.same_value(key))
            };
            named.retain(|(creator, record)| !answers(creator, owner) || is_it(creator, record));
        }
        if are_several(&named, owner) {
            return None;
        }
        let currency = currency(scene, call, (ready, &with));
        let create = |(reader, record): (&'w Call<'d>, &Node), with: &Sent| Self {
            reader,
            record: record.clone(),
            with: with.clone(),
            currency: currency.clone(),
        };
        if let Some(found) = itself(scene, &named, (&with, owner)) {
            return Some(create(found, &with));
        }
        let kept = scene.kept_of(ready, owner);
        let found = beneath(scene, &named, (&with, owner)).filter(|_| kept.is_none());
        if let Some(found) = found {
            return Some(create(found, &with));
        }
        if let Some(kept) = kept.or_else(|| scene.beside(ready, owner)) {
            return Some(create((kept.reader, &kept.record), &kept.with));
        }
        let nothing = value::node(Value::Null);
        only(scene, owner).map(|reader| create((reader, &nothing), &with))
    }

    /// The current reading of the record.
    pub(crate) async fn read(&self, scene: &mut Scene<'_, 'd>) -> Option<Node> {
        let read = scene
            .read(self.reader, &self.record, &self.with)
            .await
            .ok()?;
        shown(self.reader, &read).cloned()
    }

    /// Whether it is a record without a key, which all requests of the run move.
    pub(crate) fn is_shared(&self) -> bool {
        self.record.is_null()
    }

    /// Whether the record has a number for each currency.
    pub(crate) fn has_currencies(&self, record: &Node, path: &str) -> bool {
        self.place(record, path).is_some() && place(record, path).is_none()
    }

    /// The pointer to a dotted path in the record; of amounts in several currencies, that of the call's.
    pub(crate) fn place(&self, record: &Node, path: &str) -> Option<Pointer> {
        place_in(record, path, self.currency.as_deref())
    }
}

/// The record that a reading shows, or the whole answer if it has none.
pub(crate) fn shown<'e>(reader: &Call<'_>, read: &'e Exchange) -> Option<&'e Node> {
    let answer = read.outcome.as_ref().ok().filter(|_| succeeded(read));
    record_of(reader, read).or_else(|| answer.and_then(Answer::json))
}

/// A record that a call names, with the operation that created it.
type Named<'n, 'w, 'd> = (&'w Call<'d>, &'n Node);

/// Whether a call names two records of a component, as a transfer does: which one it moves is then unknown.
fn are_several(named: &[Named<'_, '_, '_>], owner: &str) -> bool {
    let keys = named.iter().filter(|(creator, _)| answers(creator, owner));
    let mut keys = keys.filter_map(|(creator, record)| record.get(key_name(creator)?));
    let first = keys.next();
    keys.any(|other| first.is_some_and(|first| !first.same_value(other)))
}

/// The named record of the component, with its reader.
fn itself<'n, 'w, 'd>(
    scene: &Scene<'w, 'd>,
    named: &[Named<'n, 'w, 'd>],
    (with, owner): (&Sent, &str),
) -> Option<(&'w Call<'d>, &'n Node)> {
    let mut all = named.iter().filter(|(creator, _)| answers(creator, owner));
    let (creator, record) = all.next()?;
    let mut readers = scene.readers_for(creator, record, with).into_iter();
    let reader = readers.find(|reader| answers(reader, owner))?;
    Some((reader, record))
}

/// A named record, with the reader that finds another record by its key.
fn beneath<'n, 'w, 'd>(
    scene: &Scene<'w, 'd>,
    named: &[Named<'n, 'w, 'd>],
    (with, owner): (&Sent, &str),
) -> Option<(&'w Call<'d>, &'n Node)> {
    let readers = scene.model.calls.iter().filter(|call| {
        let is_named = call.operation.label() == owner && call.operation.method == Method::Get;
        is_named || call.role == Role::Read && answers(call, owner)
    });
    let readers: Vec<&Call<'d>> = readers.collect();
    named.iter().find_map(|(_, record)| {
        let mut readers = readers.iter().copied();
        let reader = readers.find(|reader| {
            !reader.path_parameters().is_empty() && can_address(reader, record, with)
        })?;
        Some((reader, *record))
    })
}

/// The reader of a record without a key, such as the caller's balance.
fn only<'w, 'd>(scene: &Scene<'w, 'd>, owner: &str) -> Option<&'w Call<'d>> {
    scene.model.calls.iter().find(|call| {
        let is_list = call.role == Role::List && call.operation.label() != owner;
        let is_one = call.path_parameters().is_empty() && call.operation.method == Method::Get;
        is_one && !is_list && answers(call, owner)
    })
}

/// The currency of a call: from its request, else from the record that it is about.
fn currency<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (ready, with): (&Ready<'_, 'd>, &Sent),
) -> Option<String> {
    let about = scene.record_before(call, ready).map(|(_, record)| record);
    let mut bodies = with.json.iter().chain(about);
    bodies.find_map(|record| Some(amount::currency_of(record)?.1.to_owned()))
}

/// The pointer to a dotted path; a list within it must have one item.
pub(crate) fn place(record: &Node, path: &str) -> Option<Pointer> {
    place_in(record, path, None)
}

fn place_in(record: &Node, path: &str, currency: Option<&str>) -> Option<Pointer> {
    let (mut node, mut at) = (Some(record), Pointer::root());
    for name in path.split('.') {
        if let Some(items) = node.and_then(Node::as_sequence) {
            let index = item(items, currency)?;
            (node, at) = (items.get(index), at.join(index.to_string()));
        }
        (node, at) = (node.and_then(|node| node.get(name)), at.join(name));
    }
    // A list of amounts holds one per currency; any other list is counted.
    let items = node.and_then(Node::as_sequence).unwrap_or_default();
    if !items.is_empty() && items.iter().all(|item| amount::currency(item).is_some()) {
        at = at.join(item(items, currency)?.to_string());
    }
    Some(at)
}

/// The index of the item with the currency, else of the only item.
fn item(items: &[Node], currency: Option<&str>) -> Option<usize> {
    let is_it = |node: &Node| match (amount::currency(node), currency) {
        (Some(item), Some(currency)) => item == currency,
        _ => items.len() == 1,
    };
    let index = items.iter().position(is_it)?;
    let others = items.get(index + 1..).unwrap_or_default();
    (!others.iter().any(is_it)).then_some(index)
}

/// The node at a dotted path.
pub(crate) fn at<'n>(record: &'n Node, path: &str) -> Option<&'n Node> {
    record.at(&place(record, path)?)
}
