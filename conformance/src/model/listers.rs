//! Listers: which list tells the key of a record that nothing makes by itself.

use spec::Pointer;
use spec::document::{Location, Operation};

use super::paths::{path_before, same_path};
use super::{Call, Model, Role, names};
use crate::shape::Shape;

impl<'d> Model<'d> {
    /// Of a record that no operation makes and no answer brings about, the list of such on the path before its key, and where
    /// the key of its first item stands: `/disputes` of `/disputes/{disputeId}`.
    pub fn lister_for(
        &self,
        operation: &Operation<'_>,
        parameter: &str,
    ) -> Option<(&Call<'d>, Pointer)> {
        let is_made = self.creator_for(operation, parameter).is_some()
            || self.issuer_for(operation, parameter).is_some();
        let before = path_before(operation.path, parameter).filter(|_| !is_made)?;
        let mut lists = self.of(Role::List);
        let list = lists.find(|own| same_path(own.operation.path, before))?;
        let record = list.record()?;
        let items = list.success.as_ref()?.items.as_ref()?;
        let first = record.at.segments();
        let first = first.fold(items.join("0"), |at, own| at.join(own));
        Some((list, first.join(record.key?)))
    }

    /// The operations that make what an item of a list names by its key, and the query parameter that asks for the items of
    /// such a record, where there is one.
    pub fn named_by_items(&self, list: &Call<'d>) -> Vec<(&Call<'d>, Option<&'d str>)> {
        let shape = Shape::of(self.document, list.record().map(|own| &own.schema));
        let parameters = list.operation.parameters();
        let of = |name: &'d str| {
            let kind = names::subject(name).filter(|own| !own.is_empty())?;
            let maker = self.creator_of(&kind)?;
            let mut all = parameters.iter();
            let asks = all.find(|own| own.location == Location::Query && own.name == name);
            Some((maker, asks.map(|own| own.name)))
        };
        let names = shape.property_names().into_iter();
        let names = names.filter(|name| shape.requires(name));
        names.filter_map(of).collect()
    }

    /// Whether a path parameter is what the caller calls something by that comes into being with it: nothing makes or lists it, and what is
    /// made under it is never refused for it.
    pub fn is_callers_own(&self, operation: &Operation<'_>, parameter: &str) -> bool {
        let is_known = self.creator_for(operation, parameter).is_some()
            || self.issuer_for(operation, parameter).is_some()
            || self.lister_for(operation, parameter).is_some();
        let makers = self.of(Role::Create);
        let under = makers.filter(|own| own.path_parameters().contains(&parameter));
        let under: Vec<_> = under.filter(|own| own.chosen != Some(parameter)).collect();
        !is_known && !under.is_empty() && under.iter().all(|own| own.response(404).is_none())
    }
}
