//! What an operation has sent later. Client and server have nothing for it, but its bodies are
//! models where they have names.

use spec::document::{Document, Located, Method, Operation as Source};
use spec::node::Entry;

use super::Lowering;
use crate::ir::Docs;

impl<'d> Lowering<'d> {
    /// Says in the documentation of an operation what is sent for it later, and warns of a body
    /// that no model holds.
    pub(super) fn callbacks(&mut self, source: &Source<'d>, docs: &mut Docs) {
        let Some(callbacks) = source.at.get("callbacks") else {
            return;
        };
        let named = |(entry, _): &(&Entry, Located<'_>)| !entry.key.starts_with("x-");
        for (entry, raw) in callbacks.entries().filter(named) {
            let mut models = Vec::new();
            for schema in schemas(self.document, &raw) {
                if let Some(name) = schema.node.reference().and_then(component) {
                    models.push(name);
                } else {
                    let title = "the body of this callback has no name, so no model holds it";
                    self.warn("callback-not-expressed", &schema, title);
                }
            }
            models.sort_unstable();
            models.dedup();
            let line = line(&entry.key, &models);
            docs.text = Some(match docs.text.take() {
                Some(text) => format!("{text}\n\n{line}"),
                None => line,
            });
        }
    }
}

/// The schemas of the bodies that a callback sends.
fn schemas<'d>(document: &'d Document, raw: &Located<'d>) -> Vec<Located<'d>> {
    let mut schemas = Vec::new();
    let resolve = |at: &Located<'d>| document.resolve(at).ok();
    for (_, item) in resolve(raw).iter().flat_map(Located::entries) {
        for (key, operation) in resolve(&item).iter().flat_map(Located::entries) {
            let body = Method::parse(&key.key).and_then(|_| operation.get("requestBody"));
            let content = body.and_then(|body| resolve(&body)?.get("content"));
            for (_, media_type) in content.iter().flat_map(Located::entries) {
                schemas.extend(media_type.get("schema"));
            }
        }
    }
    schemas
}

fn component(reference: &str) -> Option<&str> {
    reference.strip_prefix("#/components/schemas/")
}

fn line(name: &str, models: &[&str]) -> String {
    let models: Vec<String> = models.iter().map(|model| format!("`{model}`")).collect();
    match models.as_slice() {
        [] => format!("Calls back: `{name}`."),
        models => format!(
            "Calls back: `{name}`, which sends a {}.",
            models.join(" or ")
        ),
    }
}
