//! Lowers callbacks and webhooks, which the service sends. Each becomes an operation of a separate
//! area: the generated client sends it, and the server stubs receive it.

use std::collections::BTreeSet;

use openapi_document::view::{Callback, Location, Operation as Source};

use super::Lowering;
use super::area::Group;
use super::example::sorted;
use super::security::security;
use crate::ir::{Area, Docs, Operation, Scheme};

/// The headers of Standard Webhooks. An operation that declares them all is signed.
const SIGNED: [&str; 3] = ["webhook-id", "webhook-timestamp", "webhook-signature"];

/// A callback, and the operation it belongs to; a webhook belongs to none.
struct Sent<'d> {
    owner: Option<String>,
    callback: Callback<'d>,
}

impl<'d> Lowering<'d> {
    /// The areas of callbacks and of webhooks, where the document has any.
    pub(super) fn sent(&mut self, schemes: &[Scheme]) -> Vec<Group<'d>> {
        let callbacks = self.callbacks();
        let webhooks = self.document.webhooks().into_iter();
        let webhooks = webhooks.map(|callback| Sent {
            owner: None,
            callback,
        });
        let told = [
            (
                "callbacks",
                "What is sent about an operation later.",
                callbacks,
            ),
            ("webhooks", "What is sent unasked.", webhooks.collect()),
        ];
        let areas = told.into_iter().map(|(tag, text, sent)| {
            let (operations, sources) = self.sent_operations(sent, schemes);
            let docs = Docs {
                text: Some(text.to_owned()),
                ..Docs::default()
            };
            let area = Area {
                tag: tag.to_owned(),
                docs,
                sent: true,
                operations,
            };
            Group { area, sources }
        });
        areas
            .filter(|group| !group.area.operations.is_empty())
            .collect()
    }

    /// The callbacks of all operations. What several of them send alike is one.
    fn callbacks(&mut self) -> Vec<Sent<'d>> {
        let mut operations = self.document.operations();
        operations.sort_by(|a, b| (a.path, a.method).cmp(&(b.path, b.method)));
        let (mut seen, mut sent) = (BTreeSet::new(), Vec::new());
        for owner in operations {
            for callback in owner.callbacks() {
                let source = &callback.operation;
                let common = source.item.node.get("parameters");
                let common = common.map(|all| sorted(all).to_json());
                let place = (callback.name, source.path, source.method);
                if seen.insert((place, sorted(source.at.node).to_json(), common)) {
                    let owner = Some(owner.label());
                    sent.push(Sent { owner, callback });
                }
            }
        }
        sent
    }

    fn sent_operations(
        &mut self,
        mut sent: Vec<Sent<'d>>,
        schemes: &[Scheme],
    ) -> (Vec<Operation>, Vec<Source<'d>>) {
        sent.sort_by(|a, b| place(a).cmp(&place(b)));
        let names: Vec<String> = sent.iter().map(|one| one.name(&sent)).collect();
        let lowered = sent.into_iter().zip(names).map(|(one, name)| {
            let source = one.callback.operation;
            (self.sent_operation(&source, name, schemes), source)
        });
        lowered.unzip()
    }

    fn sent_operation(&mut self, source: &Source<'d>, id: String, schemes: &[Scheme]) -> Operation {
        if let Some(nested) = source.at.get("callbacks") {
            let title = "a callback of a callback is not expressed";
            self.warn("callback-not-expressed", &nested, title);
        }
        let mut parameters = self.parameters(source);
        if let Some(in_path) = parameters
            .iter()
            .find(|parameter| parameter.location == Location::Path)
        {
            let title = format!(
                "`{}` is left out: what is sent has no path of the document's",
                in_path.wire
            );
            self.warn("path-parameter-undeclared", &source.at, title);
        }
        parameters.retain(|parameter| parameter.location != Location::Path);
        let declared = |name: &str| {
            parameters.iter().any(|parameter| {
                parameter.location == Location::Header && parameter.wire.eq_ignore_ascii_case(name)
            })
        };
        let signed = SIGNED.iter().all(|name| declared(name));
        // What the whole document asks of its callers is not asked of the service itself.
        let security = match source.at.get("security") {
            Some(_) => security(source, schemes),
            None => Vec::new(),
        };
        self.sent = true;
        let assembled = self.assembled(source, Vec::new(), parameters);
        self.sent = false;
        Operation {
            id: Some(id),
            signed,
            security,
            paging: None,
            servers: Vec::new(),
            ..assembled
        }
    }

    /// Documents the callbacks of an operation in its documentation.
    pub(super) fn tell_callbacks(source: &Source<'d>, docs: &mut Docs) {
        let callbacks = source.callbacks();
        let names: BTreeSet<&str> = callbacks.iter().map(|callback| callback.name).collect();
        for name in names {
            let own = callbacks.iter().filter(|callback| callback.name == name);
            let models: BTreeSet<&str> = own
                .filter_map(|callback| callback.operation.request_body())
                .flat_map(|body| body.content())
                .filter_map(|media_type| media_type.schema()?.node.reference())
                .filter_map(|reference| reference.strip_prefix("#/components/schemas/"))
                .collect();
            let line = line(name, &models);
            docs.text = Some(match docs.text.take() {
                Some(text) => format!("{text}\n\n{line}"),
                None => line,
            });
        }
    }
}

impl Sent<'_> {
    /// Its `operationId`, or else the name of the callback, with its method where the item has
    /// several, and with the operation before it where another one has a callback of that name.
    fn name(&self, all: &[Self]) -> String {
        let source = &self.callback.operation;
        if let Some(id) = source.id().filter(|id| !id.is_empty()) {
            return id.to_owned();
        }
        let same = |other: &&Self| other.callback.name == self.callback.name;
        let others = || all.iter().filter(same);
        let mut words = vec![self.callback.name.to_owned()];
        if others().any(|other| other.owner != self.owner) {
            words.insert(0, self.owner.clone().unwrap_or_default());
        }
        if others().any(|other| other.callback.operation.method != source.method) {
            words.push(source.method.as_str().to_lowercase());
        }
        words.join("_")
    }
}

fn place<'a>(
    sent: &'a Sent<'_>,
) -> (
    &'a str,
    Option<&'a str>,
    &'a str,
    openapi_document::view::Method,
) {
    let source = &sent.callback.operation;
    let owner = sent.owner.as_deref();
    (sent.callback.name, owner, source.path, source.method)
}

fn line(name: &str, models: &BTreeSet<&str>) -> String {
    let models: Vec<String> = models.iter().map(|model| format!("`{model}`")).collect();
    match models.as_slice() {
        [] => format!("Calls back: `{name}`."),
        models => format!(
            "Calls back: `{name}`, which sends a {}.",
            models.join(" or ")
        ),
    }
}
