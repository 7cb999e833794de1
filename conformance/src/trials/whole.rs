//! Whole: the record whose amounts an operation moves, or takes a part of.

use openapi_document::{Node, Pointer};

use crate::answered::record_of;
use crate::exchange::Sent;
use crate::model::{Call, Role};
use crate::scene::addressing::can_address;
use crate::scene::{Ready, Scene};

/// A record that a call is about, and who reads it.
pub(crate) struct Whole<'w, 'd> {
    /// The operation that reads it.
    pub(crate) reader: &'w Call<'d>,
    /// A record that names it, as it was made.
    record: Node,
    /// A request that names it.
    with: Sent,
}

/// Whether an operation answers records of a schema.
fn answers(call: &Call<'_>, owner: &str) -> bool {
    let is_component = call.record().is_some_and(|record| {
        let last = record.schema.pointer.last();
        record.schema.pointer.segments().count() == 3 && last.as_deref() == Some(owner)
    });
    is_component || call.operation.label() == owner
}

impl<'w, 'd> Whole<'w, 'd> {
    /// The record of a schema that a call names; `None` where nothing reads it.
    pub(crate) fn of(
        scene: &Scene<'w, '_, '_, 'd>,
        call: &Call<'d>,
        (ready, owner): (&Ready<'_, 'd>, &str),
    ) -> Option<Self> {
        let with = scene.compose(ready, "whole").ok()?;
        let named = scene.named_before(call, ready, &with);
        let about = scene.made_before(call, ready).into_iter();
        let calls = scene.model.calls.iter();
        let is_reader = |reader: &&Call<'d>| reader.role == Role::Read && answers(reader, owner);
        let readers: Vec<&Call<'d>> = calls.filter(is_reader).collect();
        let found = about.chain(named).find_map(|(maker, record)| {
            let is_it = answers(maker, owner);
            let own = scene.readers_for(maker, record, &with).into_iter();
            let mut own = own.filter(|reader| is_it && answers(reader, owner));
            let mut rest = readers.iter().copied();
            let reader = own.next().or_else(|| {
                rest.find(|reader| {
                    !reader.path_parameters().is_empty() && can_address(reader, record, &with)
                })
            })?;
            Some(Self {
                reader,
                record: record.clone(),
                with: with.clone(),
            })
        });
        found.or_else(|| {
            let kept = scene.beside(ready, owner)?;
            Some(Self {
                reader: kept.reader,
                record: kept.record,
                with: kept.with,
            })
        })
    }

    /// The record as it is now.
    pub(crate) async fn read(&self, scene: &mut Scene<'_, '_, '_, 'd>) -> Option<Node> {
        let read = scene
            .read(self.reader, &self.record, &self.with)
            .await
            .ok()?;
        record_of(self.reader, &read).cloned()
    }
}

/// Where a way of properties that are divided by dots leads to; a list on the way has one item.
pub(crate) fn place(record: &Node, path: &str) -> Option<Pointer> {
    let (mut node, mut at) = (Some(record), Pointer::root());
    for name in path.split('.') {
        if let Some(items) = node.and_then(Node::as_sequence) {
            let [only] = items else { return None };
            (node, at) = (Some(only), at.join("0"));
        }
        (node, at) = (node.and_then(|node| node.get(name)), at.join(name));
    }
    Some(at)
}

/// The node at a way of properties.
pub(crate) fn at<'n>(record: &'n Node, path: &str) -> Option<&'n Node> {
    record.at(&place(record, path)?)
}
