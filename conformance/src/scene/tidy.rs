//! Tidy: what a try has made of things of which there may be a few at a time only, as a text says, is called off when it is
//! over, where a step or a deletion does that: others may make them, too.

use openapi_document::view::Method;

use super::Scene;
use super::made::Made;
use crate::answered::{record_of, status};
use crate::exchange::Exchange;
use crate::model::{Call, Role};
use crate::names;

/// Verbs of steps that call off what was made.
const OFF: [&str; 6] = ["cancel", "void", "release", "revoke", "abort", "withdraw"];

impl<'d> Scene<'_, '_, '_, 'd> {
    /// Notes what an exchange has made, where a text says how many there may be of it.
    pub(super) fn note_made(&mut self, exchange: &Exchange) {
        let operation = &exchange.sent.operation;
        let call = self.model.call(operation);
        let made = call.filter(|own| own.role == Role::Create && status(exchange) == Some(201));
        let Some(call) = made.filter(|own| self.watch.is_limited(own)) else {
            return;
        };
        if let Some(record) = record_of(call, exchange) {
            self.made.push(Made {
                operation: operation.clone(),
                record: record.clone(),
                sent: exchange.sent.clone(),
            });
        }
    }

    /// Calls off what examples have made where a conflict is documented: it may be in the way of what laws make.
    pub(crate) async fn call_off(&mut self, granted: Vec<Exchange>) {
        "laws".clone_into(&mut self.current);
        for exchange in granted {
            let call = self.model.call(&exchange.sent.operation);
            let made = call.filter(|own| own.role == Role::Create && own.response(409).is_some());
            let record = made.and_then(|call| record_of(call, &exchange)).cloned();
            if let Some(record) = record.filter(|_| self.may_write()) {
                self.made.push(Made {
                    operation: exchange.sent.operation.clone(),
                    record,
                    sent: exchange.sent,
                });
            }
        }
        self.tidy().await;
    }

    /// Calls off what the try has made.
    pub(crate) async fn tidy(&mut self) {
        for made in std::mem::take(&mut self.made) {
            let step = self.calling_off(&made.operation);
            let Some(step) = step else { continue };
            if let Ok(mut sent) = self.compose_read(&step, &made.record, &made.sent, &[]) {
                sent.case.clone_from(&self.current);
                // It may have been called off before.
                self.sender.send(sent).await;
            }
        }
    }

    /// The step without a body that calls off what an operation makes, else its deletion.
    fn calling_off(&self, operation: &str) -> Option<Call<'d>> {
        let maker = self.model.call(operation)?;
        let kind = maker.record()?;
        let mut steps = self.model.of(Role::Change);
        let step = steps.find(|own| {
            let is_of_kind = own.record().is_some_and(|own| own.is(kind));
            let body = own.operation.request_body();
            let verb = names::words(&own.about);
            own.operation.method == Method::Post
                && is_of_kind
                && !body.is_some_and(|own| own.required())
                && verb.first().is_some_and(|own| OFF.contains(&own.as_str()))
                && self.covers(own)
        });
        let mut deletions = self.model.of(Role::Delete);
        let deletion = || {
            deletions.find(|own| {
                let parameter = own.path_parameters().last().copied();
                let of = parameter.and_then(|name| self.model.creator_for(&own.operation, name));
                let is_of_kind = of.is_some_and(|own| own.operation.label() == operation);
                is_of_kind && self.covers(own)
            })
        };
        step.or_else(deletion).cloned()
    }
}
