//! Callback: an operation that the service sends to the client.

use super::{Document, Located, Operation};
use crate::node::{Entry, Node};

/// An operation of a callback or webhook, which the server sends.
#[derive(Debug, Clone)]
pub struct Callback<'d> {
    /// The name under `callbacks` or `webhooks`.
    pub name: &'d str,
    /// The callback object with its extensions; for a webhook, the path item.
    pub node: &'d Node,
    /// The operation. Its path is the expression for the address; for a webhook it is empty.
    pub operation: Operation<'d>,
}

impl Callback<'_> {
    /// Its `operationId`, or its name.
    pub fn label(&self) -> String {
        self.operation.id().unwrap_or(self.name).to_owned()
    }
}

impl Document {
    /// The operations under `webhooks`, in the order of the document.
    pub fn webhooks(&self) -> Vec<Callback<'_>> {
        let webhooks = self.located_root().get("webhooks");
        let mut all = Vec::new();
        for (entry, item) in webhooks.iter().flat_map(named) {
            let operations = self.operations_of("", &item).into_iter();
            all.extend(operations.map(|operation| Callback {
                name: &entry.key,
                node: item.node,
                operation,
            }));
        }
        all
    }
}

impl<'d> Operation<'d> {
    /// The operations under its `callbacks`, in the order of the document.
    pub fn callbacks(&self) -> Vec<Callback<'d>> {
        let mut all = Vec::new();
        let callbacks = self.at.get("callbacks");
        for (entry, raw) in callbacks.iter().flat_map(named) {
            let Some(callback) = self.document.resolve_or_none(&raw) else {
                continue;
            };
            for (expression, item) in named(&callback) {
                let operations = self.document.operations_of(&expression.key, &item);
                all.extend(operations.into_iter().map(|operation| Callback {
                    name: &entry.key,
                    node: callback.node,
                    operation,
                }));
            }
        }
        all
    }
}

/// The entries that are not extensions.
fn named<'d>(at: &Located<'d>) -> Vec<(&'d Entry, Located<'d>)> {
    at.entries()
        .filter(|(entry, _)| !entry.key.starts_with("x-"))
        .collect()
}
