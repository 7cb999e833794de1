//! Item lists: lists within a record whose items have keys that requests about the record may name.

use openapi_document::Pointer;

use super::{Call, Model};
use crate::names;
use crate::shape::Shape;

/// A list within a record whose items have keys.
#[derive(Debug)]
pub struct ItemList<'d> {
    /// The path parameter with the key of the record.
    pub parameter: &'d str,
    /// The pointer to the list in the answer that creates the record.
    pub at: Pointer,
    /// The kind of its items, in the singular.
    pub kind: String,
    /// The property with the key of an item.
    pub key: &'d str,
}

impl ItemList<'_> {
    /// Whether its items have this kind, or `kind` only adds words: `line item` matches the list `items`.
    pub fn is_called(&self, kind: &str) -> bool {
        let (words, kind) = (names::words(&self.kind), names::words(kind));
        !words.is_empty() && kind.ends_with(&words)
    }
}

impl<'d> Model<'d> {
    /// The item lists of the records that the path of a call names.
    pub fn item_lists(&self, call: &Call<'d>) -> Vec<ItemList<'d>> {
        let mut found = Vec::new();
        for parameter in call.path_parameters().into_iter().rev() {
            let creator = self.creator_for(&call.operation, parameter);
            let Some(record) = creator.and_then(|call| call.record()) else {
                continue;
            };
            let shape = Shape::of(self.document, Some(&record.schema));
            for list in shape.property_names() {
                let item = shape.property(self.document, list).items(self.document);
                let key = item.property_names().into_iter().find(|word| *word == "id");
                if let Some(key) = key {
                    found.push(ItemList {
                        parameter,
                        at: record.at.join(list),
                        kind: names::singular(list),
                        key,
                    });
                }
            }
        }
        found
    }
}
