//! Kept: the records that the steps before a call have left behind, by their component.

use openapi_document::Node;

use super::{Ready, Scene};
use crate::answered::record_of;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role};
use crate::names;

/// A record that can be read, and the request that made it.
pub(crate) struct Kept<'w, 'd> {
    /// What reads it.
    pub(crate) reader: &'w Call<'d>,
    /// The record as it was made.
    pub(crate) record: Node,
    /// The request that made it.
    pub(crate) with: Sent,
}

/// Whether an operation answers records of a component.
pub(crate) fn answers(call: &Call<'_>, component: &str) -> bool {
    call.record().is_some_and(|record| {
        let is_it = record.schema.pointer.last().as_deref() == Some(component);
        is_it || names::words(component).join(" ") == record.name
    })
}

impl<'w, 'd> Scene<'w, '_, '_, 'd> {
    /// The operations that make a record of a component.
    pub(crate) fn makers(&self, component: &str) -> Vec<&'w Call<'d>> {
        let makers = self.model.of(Role::Create);
        makers
            .filter(|maker| answers(maker, component) && self.covers(maker))
            .collect()
    }

    /// The record that an exchange has made, where it can be read.
    pub(crate) fn kept(&self, exchange: &Exchange) -> Option<Kept<'w, 'd>> {
        let maker = self.model.call(&exchange.sent.operation)?;
        let record = record_of(maker, exchange).filter(|_| maker.role == Role::Create)?;
        let readers = self.readers_for(maker, record, &exchange.sent);
        Some(Kept {
            reader: readers.first().copied()?,
            record: record.clone(),
            with: exchange.sent.clone(),
        })
    }

    /// The only record of a component that the steps before a call have made.
    pub(crate) fn kept_of(&self, ready: &Ready<'_, 'd>, component: &str) -> Option<Kept<'w, 'd>> {
        let kept = ready.state.kept.iter().flatten();
        let mut made = kept.filter(|exchange| {
            let maker = self.model.call(&exchange.sent.operation);
            maker.is_some_and(|maker| maker.role == Role::Create && answers(maker, component))
        });
        let only = made.next().filter(|_| made.next().is_none())?;
        self.kept(only)
    }

    /// A record as it reads now, and the answer that tells it.
    pub(crate) async fn read_again(&mut self, kept: &Kept<'w, 'd>) -> Option<(Node, Exchange)> {
        let read = self
            .read(kept.reader, &kept.record, &kept.with)
            .await
            .ok()?;
        Some((record_of(kept.reader, &read)?.clone(), read))
    }
}
