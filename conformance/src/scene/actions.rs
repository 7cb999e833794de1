//! Actions: finds the steps on a kind of record, and the records created below it, from the paths below its reader.

use openapi_document::view::Method;

use crate::model::{self, Call};
use crate::names;
use crate::shape::Shape;

use super::Scene;

/// The actions on a kind of record.
#[derive(Debug, Default)]
pub(crate) struct Actions {
    /// The words of its steps, and of records created below it: `publish`, `comment`.
    pub(crate) words: Vec<String>,
    /// The properties that only the steps set.
    pub(crate) sets: Vec<String>,
}

impl Actions {
    /// The actions on the kind of record that an operation answers.
    pub(crate) fn of<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>) -> Self {
        let mut actions = Self::default();
        let Some(kind) = call.record() else {
            return actions;
        };
        let document = scene.model.document;
        let readers = scene.model.readers(kind);
        for other in &scene.model.calls {
            let path = other.operation.path;
            let is_under = readers.iter().any(|reader| {
                let rest = path.strip_prefix(reader.operation.path);
                rest.is_some_and(|rest| rest.matches('/').count() == 1 && !rest.contains('{'))
            });
            if !is_under || other.operation.method != Method::Post {
                continue;
            }
            let verb = names::words(&names::singular(model::collection(path)));
            actions
                .words
                .extend(<[_; 1]>::try_from(verb).into_iter().flatten());
            let is_of_kind = other.record().is_some_and(|record| record.is(kind));
            if is_of_kind && other.operation.label() != call.operation.label() {
                let shape = Shape::of(document, other.body.as_ref());
                let names = shape.property_names().into_iter();
                actions.sets.extend(names.map(str::to_owned));
            }
        }
        actions
    }

    /// Whether a property name refers to one of the actions: `published_at`, `commentCount`.
    pub(crate) fn are_named_in(&self, name: &str) -> bool {
        let words = names::words(name);
        words.iter().any(|word| {
            let is_of = |text: &String| text == word || names::is_done(word, text);
            self.words.iter().any(is_of)
        })
    }
}
