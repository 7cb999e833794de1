//! Known records: the records that the steps before a call created, found by their component.

use openapi_document::Node;

use super::addressing::{bound, can_address};
use super::{Ready, Scene};
use crate::answered::record_of;
use crate::case::Step;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role};
use crate::names;
use crate::value;

/// A readable record with the request that created it.
pub(crate) struct KnownRecord<'w, 'd> {
    /// The operation that reads it.
    pub(crate) reader: &'w Call<'d>,
    /// The record as the creation answered it.
    pub(crate) record: Node,
    /// The request that created it.
    pub(crate) with: Sent,
}

/// The prepared state, a step that would succeed now, and another record.
pub(crate) type Stage<'w, 'd> = (Ready<'w, 'd>, Step<'d>, KnownRecord<'w, 'd>);

/// Whether an operation answers records of a component.
pub(crate) fn answers(call: &Call<'_>, component: &str) -> bool {
    call.record().is_some_and(|record| {
        let is_it = record.schema.pointer.last().as_deref() == Some(component);
        is_it || names::words(component).join(" ") == record.name
    })
}

impl<'w, 'd> Scene<'w, 'd> {
    /// The operations that create a record of a component.
    pub(crate) fn creators(&self, component: &str) -> Vec<&'w Call<'d>> {
        let creators = self.model.of(Role::Create);
        creators
            .filter(|creator| answers(creator, component))
            .collect()
    }

    /// The record that an exchange created. `None` if no operation reads it.
    pub(crate) fn kept(&self, exchange: &Exchange) -> Option<KnownRecord<'w, 'd>> {
        let creator = self.model.call(&exchange.sent.operation)?;
        let record = record_of(creator, exchange).filter(|_| creator.role == Role::Create)?;
        let readers = self.readers_for(creator, record, &exchange.sent);
        Some(KnownRecord {
            reader: readers.first().copied()?,
            record: record.clone(),
            with: exchange.sent.clone(),
        })
    }

    /// The record of a component that the steps before a call created. `None` if there are none or several.
    pub(crate) fn kept_of(
        &self,
        ready: &Ready<'_, 'd>,
        component: &str,
    ) -> Option<KnownRecord<'w, 'd>> {
        let kept = ready.state.kept.iter().flatten();
        let mut created = kept.filter(|exchange| {
            let creator = self.model.call(&exchange.sent.operation);
            creator
                .is_some_and(|creator| creator.role == Role::Create && answers(creator, component))
        });
        let only = created.next().filter(|_| created.next().is_none())?;
        self.kept(only)
    }

    /// The record of a component without a creating operation, such as the stock of a product. `None` unless all
    /// records of the steps before the call lead to the same one.
    pub(crate) fn beside(
        &self,
        ready: &Ready<'_, 'd>,
        component: &str,
    ) -> Option<KnownRecord<'w, 'd>> {
        let mut creators = self.model.of(Role::Create);
        if creators.any(|creator| answers(creator, component)) {
            return None;
        }
        let readers = self.model.of(Role::Read);
        let readers = readers.filter(|call| answers(call, component));
        let readers: Vec<&'w Call<'d>> = readers.collect();
        let leads = |exchange: &Exchange| {
            let record = record_of(self.model.call(&exchange.sent.operation)?, exchange)?;
            // The path of its request may have keys that the record itself does not show.
            let mut with = exchange.sent.clone();
            with.path_arguments.clear();
            let mut readers = readers.iter().copied();
            let reader = readers.find(|call| {
                !call.path_parameters().is_empty() && can_address(call, record, &with)
            })?;
            Some(KnownRecord {
                reader,
                record: record.clone(),
                with: exchange.sent.clone(),
            })
        };
        let kept = ready.state.kept.iter().flatten();
        let mut found = kept.filter_map(leads);
        let first = found.next()?;
        let path = |kept: &KnownRecord<'_, 'd>| -> Vec<Option<String>> {
            let names = kept.reader.path_parameters().into_iter();
            names
                .map(|name| {
                    Some(value::plain(&bound(
                        kept.reader,
                        name,
                        &kept.record,
                        &kept.with,
                    )?))
                })
                .collect()
        };
        let only = path(&first);
        found.all(|other| path(&other) == only).then_some(first)
    }

    /// Prepares an operation together with another record: one that the steps before it create or lead to, else one
    /// that is created in addition.
    ///
    /// # Errors
    /// No such record could be made.
    pub(crate) async fn stage(
        &mut self,
        call: &Call<'d>,
        (on, tag): (&str, &str),
    ) -> Result<Stage<'w, 'd>, String> {
        let ready = self.ready(call, tag).await?;
        let kept = { self.kept_of(&ready, on) }.or_else(|| self.beside(&ready, on));
        if let Some(kept) = kept {
            let step = ready.call.clone();
            return Ok((ready, step, kept));
        }
        for creator in self.creators(on) {
            let tag = format!("{tag}-{}", creator.operation.label());
            let Ok(ready) = self.ready(creator, &tag).await else {
                continue;
            };
            let Some(step) = self.step_on(call, &ready) else {
                continue;
            };
            let created = self.call(&ready, &tag).await?;
            if let Some(kept) = self.kept(&created) {
                return Ok((ready, step, kept));
            }
        }
        Err(format!(
            "no {on} could be created in addition to its record"
        ))
    }

    /// The current reading of a record, with its exchange.
    pub(crate) async fn read_again(
        &mut self,
        kept: &KnownRecord<'w, 'd>,
    ) -> Option<(Node, Exchange)> {
        let read = self
            .read(kept.reader, &kept.record, &kept.with)
            .await
            .ok()?;
        Some((record_of(kept.reader, &read)?.clone(), read))
    }
}
