//! Tidy: cancels records of a law after it, where a text limits how many may exist at a time.
//!
//! A step such as `cancel`, else a deletion, makes room for the records of other laws.

use openapi_document::view::Method;

use super::Scene;
use super::created::Created;
use crate::answered::{record_of, status};
use crate::exchange::Exchange;
use crate::model::{Call, Role};
use crate::names;

/// Verbs of steps that cancel a record.
const OFF: [&str; 6] = ["cancel", "void", "release", "revoke", "abort", "withdraw"];

impl<'d> Scene<'_, 'd> {
    /// Records the creation in an exchange if a text limits how many such records may exist.
    pub(super) fn note_created(&mut self, exchange: &Exchange) {
        let operation = &exchange.sent.operation;
        let call = self.model.call(operation);
        let created =
            call.filter(|call| call.role == Role::Create && status(exchange) == Some(201));
        let Some(call) = created.filter(|call| self.watch.is_limited(call)) else {
            return;
        };
        if let Some(record) = record_of(call, exchange) {
            self.created.push(Created {
                operation: operation.clone(),
                record: record.clone(),
                sent: exchange.sent.clone(),
            });
        }
    }

    /// Cancels the records of examples whose creation documents a conflict, as they could be in the way of laws.
    pub(crate) async fn cancel_examples(&mut self, granted: Vec<Exchange>) {
        "laws".clone_into(&mut self.current);
        for exchange in granted {
            let call = self.model.call(&exchange.sent.operation);
            let created =
                call.filter(|call| call.role == Role::Create && call.response(409).is_some());
            let record = created.and_then(|call| record_of(call, &exchange)).cloned();
            if let Some(record) = record.filter(|_| self.may_write()) {
                self.created.push(Created {
                    operation: exchange.sent.operation.clone(),
                    record,
                    sent: exchange.sent,
                });
            }
        }
        self.tidy().await;
    }

    /// Cancels the records of this law.
    pub(crate) async fn tidy(&mut self) {
        for created in std::mem::take(&mut self.created) {
            let step = self.cancellation(&created.operation);
            let Some(step) = step else { continue };
            if let Ok(mut sent) = self.compose_read(&step, &created.record, &created.sent, &[]) {
                sent.case.clone_from(&self.current);
                // A 404 or 409 is fine: the record may be cancelled already.
                self.sender.send(sent).await;
            }
        }
    }

    /// The step without a required body that cancels the records of an operation, else their deletion.
    fn cancellation(&self, operation: &str) -> Option<Call<'d>> {
        let creator = self.model.call(operation)?;
        let kind = creator.record()?;
        let mut steps = self.model.of(Role::Change);
        let step = steps.find(|call| {
            let is_of_kind = call.record().is_some_and(|record| record.is(kind));
            let body = call.operation.request_body();
            let verb = names::words(&call.about);
            call.operation.method == Method::Post
                && is_of_kind
                && !body.is_some_and(|parameter| parameter.required())
                && verb
                    .first()
                    .is_some_and(|word| OFF.contains(&word.as_str()))
                && self.covers(call)
        });
        let mut deletions = self.model.of(Role::Delete);
        let deletion = || {
            deletions.find(|call| {
                let parameter = call.path_parameters().last().copied();
                let creator =
                    parameter.and_then(|name| self.model.creator_for(&call.operation, name));
                let is_of_kind = creator.is_some_and(|call| call.operation.label() == operation);
                is_of_kind && self.covers(call)
            })
        };
        step.or_else(deletion).cloned()
    }
}
