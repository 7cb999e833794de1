//! Requests: the schemas that occur in requests.

use std::borrow::Cow;
use std::collections::HashSet;

use openapi_document::view::Document;
use openapi_document::{Node, Pointer};
use openapi_facts::Subject;

use super::reading::Reading;

/// The names of the components that occur in requests.
#[derive(Debug)]
pub(super) struct Requests(HashSet<String>);

impl Requests {
    /// Collects the components that parameters and request bodies refer to.
    pub(super) fn of(document: &Document) -> Self {
        let mut open: Vec<&Node> = Vec::new();
        for operation in document.operations() {
            open.extend(operation.parameters().iter().map(|one| one.at.node));
            open.extend(operation.request_body().iter().map(|one| one.at.node));
        }
        let mut names = HashSet::new();
        let mut seen = HashSet::new();
        while let Some(node) = open.pop() {
            open.extend(node.entries().map(|entry| &entry.value).chain(node.items()));
            let Some(reference) = node.reference().filter(|text| seen.insert(*text)) else {
                continue;
            };
            let Some(pointer) = Pointer::parse_fragment(reference.trim_start_matches('#')) else {
                continue;
            };
            names.extend(pointer.segments().nth(2).map(Cow::into_owned));
            open.extend(document.lookup(&pointer).map(|found| found.node));
        }
        names.extend(
            document
                .components("requestBodies")
                .iter()
                .map(|(name, _)| (*name).to_owned()),
        );
        Self(names)
    }

    /// Whether a client sends the parameter or property.
    pub(super) fn has(&self, revision: &Reading<'_>, subject: &Subject) -> bool {
        let is_component = revision.operation(&subject.owner).is_none() && subject.name.is_some();
        if is_component {
            // A subject without a component is a parameter.
            let known = self.0.contains(&subject.owner);
            return known || subject.owner == Subject::SHARED || subject.owner.starts_with('/');
        }
        revision.takes(subject)
    }
}
