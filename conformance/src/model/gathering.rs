//! Gathering: operations that collect records which other operations left, and are refused without any.
//!
//! Example: "closes a batch with all captures that are not in one yet".

use openapi_document::view::Method;

use super::{Call, Model, Role};
use crate::names;
use crate::prose;
use crate::shape::Shape;

/// At most this many operations are returned.
const MOST: usize = 3;

impl<'d> Model<'d> {
    /// The operations that create what a call collects by its text. Empty if its body names a record.
    pub fn gathered(&self, call: &Call<'d>) -> Vec<&Call<'d>> {
        let is_refused = [409, 422]
            .into_iter()
            .any(|code| call.response(code).is_some());
        let is_one = call.role == Role::Create && call.path_parameters().is_empty();
        let words: Vec<String> = call
            .texts()
            .flat_map(|text| names::words(&text.to_lowercase()))
            .collect();
        if !is_one || !is_refused || !prose::has(&words, &["all", "every", "each"]) {
            return Vec::new();
        }
        let body = Shape::of(self.document, call.body.as_ref());
        if self.names_created(&body, 0) {
            return Vec::new();
        }
        let several = |about: &str| {
            let noun = names::words(about).pop().unwrap_or_default();
            let is_it = |word: &String| *word != noun && names::singular(word) == noun;
            words.iter().any(is_it)
        };
        let operation = &call.operation;
        let does = self.calls.iter().filter(|other| {
            let is_step = matches!(other.role, Role::Create | Role::Change);
            let posts = other.operation.method == Method::Post;
            let is_apart = !other.operation.path.starts_with(operation.path);
            is_step && posts && is_apart && several(&other.about)
        });
        does.take(MOST).collect()
    }

    /// Whether a property of a body, or of the items of a list in it, names a record that an operation creates.
    fn names_created(&self, body: &Shape<'d>, depth: usize) -> bool {
        let mut names = body.property_names().into_iter();
        names.any(|name| {
            let shape = body.property(self.document, name);
            let kind = self.named_by(&shape, name);
            let inner = shape.items(self.document);
            kind.is_some_and(|kind| self.creator_of(&kind).is_some())
                || (depth == 0 && self.names_created(&inner, 1))
        })
    }
}
