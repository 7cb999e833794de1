//! Listers: finds the list that shows the key of a record which no operation creates directly.

use openapi_document::view::{Location, Operation};
use openapi_document::{Node, Pointer};

use super::paths::{path_before, same_path};
use super::{Call, Model, Role};
use crate::names;
use crate::prose;
use crate::shape::Shape;

impl<'d> Model<'d> {
    /// The list on the path before a parameter, with the pointer to the key of its first item: `/disputes` for
    /// `/disputes/{disputeId}`. `None` if an operation creates the record or answers its key.
    pub fn lister_for(
        &self,
        operation: &Operation<'_>,
        parameter: &str,
    ) -> Option<(&Call<'d>, Pointer)> {
        let is_created = self.creator_for(operation, parameter).is_some()
            || self.issuer_for(operation, parameter).is_some()
            || self.namer_for(operation, parameter).is_some();
        let before = path_before(operation.path, parameter).filter(|_| !is_created)?;
        let mut lists = self.of(Role::List);
        let list = lists.find(|call| same_path(call.operation.path, before))?;
        Some((list, list.first_record()?.join(list.record()?.key?)))
    }

    /// The operations that create the records which items of a list name by key, each with the query parameter that
    /// filters the list by that record, if one exists.
    pub fn named_by_items(&self, list: &Call<'d>) -> Vec<(&Call<'d>, Option<&'d str>)> {
        let shape = Shape::of(self.document, list.record().map(|record| &record.schema));
        let parameters = list.operation.parameters();
        let lister_of = |name: &'d str| {
            let kind = names::subject(name).filter(|item| !item.is_empty())?;
            let creator = self.creator_of(&kind)?;
            let mut all = parameters.iter();
            let asks = all
                .find(|parameter| parameter.location == Location::Query && parameter.name == name);
            Some((creator, asks.map(|parameter| parameter.name)))
        };
        let names = shape.property_names().into_iter();
        let names = names.filter(|name| shape.requires(name));
        names.filter_map(lister_of).collect()
    }

    /// Whether the client chooses the value of a path parameter freely: no operation creates or lists such records,
    /// and operations that create records below it document no 404.
    pub fn is_client_chosen(&self, operation: &Operation<'_>, parameter: &str) -> bool {
        let is_known = self.creator_for(operation, parameter).is_some()
            || self.issuer_for(operation, parameter).is_some()
            || self.lister_for(operation, parameter).is_some();
        let creators = self.of(Role::Create);
        let under = creators.filter(|call| call.path_parameters().contains(&parameter));
        let under: Vec<_> = under
            .filter(|call| call.chosen != Some(parameter))
            .collect();
        let is_free = || {
            let parameters = operation.parameters().into_iter();
            let mut matching = parameters.filter(|item| item.name == parameter);
            matching
                .next()
                .is_some_and(|item| is_described_as_chosen(item.at.node, parameter))
        };
        !is_known
            && !under.is_empty()
            && under.iter().all(|call| call.response(404).is_none())
            && is_free()
    }
}

/// Whether a parameter without an example is the client's reference, by its name or its description:
/// `shopperReference`, "your reference of the shopper".
fn is_described_as_chosen(node: &Node, name: &str) -> bool {
    const FIXED: [&str; 5] = ["example", "examples", "default", "enum", "format"];
    let is_shown = ["example", "examples"]
        .iter()
        .any(|name| node.get(name).is_some());
    let schema = node.get("schema");
    let is_fixed = FIXED
        .iter()
        .any(|name| schema.is_some_and(|schema| schema.get(name).is_some()));
    let text = node.get("description").and_then(Node::as_str);
    let said = names::words(&text.unwrap_or_default().to_lowercase());
    let last = names::words(name).pop().unwrap_or_default();
    let is_called = matches!(last.as_str(), "reference" | "ref");
    !is_shown && !is_fixed && (is_called || prose::has(&said, &["your", "own", "choose"]))
}
