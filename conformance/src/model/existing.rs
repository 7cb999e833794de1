//! Existing records: finds the list that has keys of records which the run did not create.

use openapi_document::Pointer;
use openapi_document::view::{Method, Operation};
use openapi_facts::envelope::Envelope;

use super::paths::{path_before, same_path};
use super::{Call, Model, names_one};
use crate::names;
use crate::shape::Shape;

/// Common names of key properties, the most specific first.
const CALLED: [&str; 3] = ["id", "name", "key"];

impl<'d> Model<'d> {
    /// The list that has keys for a path parameter, with the pointer to the key of its first item. It is the list on
    /// the path before the parameter, else one with that name that needs no key itself.
    pub fn existing_for(
        &self,
        operation: &Operation<'_>,
        parameter: &str,
    ) -> Option<(&Call<'d>, Pointer)> {
        let before = path_before(operation.path, parameter)?;
        let gets = self.calls.iter();
        let gets = gets.filter(|call| call.operation.method == Method::Get);
        let with_key = |call: &'_ Call<'d>| self.first_key(call, parameter);
        let is_there = |call: &&Call<'d>| same_path(call.operation.path, before);
        let here = gets.clone().filter(is_there);
        let mut here = here.filter_map(|call| Some((call, with_key(call)?)));
        let kind = names::subject(parameter).filter(|item| !item.is_empty());
        let kind = kind.unwrap_or_else(|| names::words(parameter).join(" "));
        let is_of_kind = |call: &&Call<'d>| {
            let is_free = call.path_parameters().is_empty() && !names_one(call.operation.path);
            is_free && call.about == kind
        };
        here.next().or_else(|| {
            let elsewhere = gets.filter(is_of_kind);
            let mut elsewhere = elsewhere.filter_map(|call| Some((call, with_key(call)?)));
            elsewhere.next()
        })
    }

    /// The pointer to the key of the first item of a list.
    fn first_key(&self, list: &Call<'d>, parameter: &str) -> Option<Pointer> {
        let media = list.success.as_ref()?.media.as_ref()?;
        let schema = media.schema();
        let envelope = Envelope::of(self.document, schema.as_ref());
        let (at, item) = envelope.items.or_else(|| {
            let shape = Shape::of(self.document, schema.as_ref());
            let items = shape.items(self.document);
            (shape.type_name() == Some("array")).then_some((Pointer::root(), items))
        })?;
        let first = at.join("0");
        if item.type_name() == Some("string") {
            return Some(first);
        }
        let names = item.property_names();
        let key = names::key_property(parameter, &list.about, &names);
        let of_record = || {
            let record = list.record().filter(|record| record.at.is_root())?;
            record.key.filter(|name| names.contains(name))
        };
        let called = || CALLED.into_iter().find(|name| names.contains(name));
        // The collection `orders` has the key `collection: orders`.
        let is_kind = |name: &&&str| names::words(name).join(" ") == list.about;
        let of_kind = || names.iter().find(is_kind).copied();
        Some(first.join(key.or_else(of_record).or_else(called).or_else(of_kind)?))
    }
}
