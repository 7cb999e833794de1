//! Lead: what brings a record to a state: a step whose verb tells it (`block`, `blocked`), or a change that sets it.

use crate::model::{Call, Role};
use crate::names;
use openapi_document::view::Method;

use super::place::{Place, place};
use crate::scene::Scene;

/// How a record is brought to a state.
pub(super) enum Lead<'d> {
    /// By a step, whose verb this is.
    Step(String),
    /// By a change that sets the state.
    Set(Place<'d>, &'d str),
}

impl<'d> Lead<'d> {
    /// The ways in which a call leads a record of its kind: a step in one, a change in one for each state that it sets.
    pub(super) fn all(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>) -> Vec<Self> {
        if call.role != Role::Change {
            return Vec::new();
        }
        if let Some(place) = place(scene, call) {
            let values = place.values.iter();
            return values.map(|own| Self::Set(place.clone(), own)).collect();
        }
        match &names::words(&call.about)[..] {
            [verb] if call.operation.method == Method::Post => vec![Self::Step(verb.clone())],
            _ => Vec::new(),
        }
    }

    /// Whether a word, in lower case, tells the state that this leads to.
    pub(super) fn tells(&self, word: &str) -> bool {
        match self {
            Self::Step(verb) => names::is_done(word, verb),
            Self::Set(_, state) => word == together(state),
        }
    }

    /// The words of a text in lower case; a state of several words (`on_hold`) is one of them.
    pub(super) fn words(&self, text: &str) -> Vec<String> {
        let mut joined = names::words(&text.to_lowercase()).join(" ");
        if let Self::Set(_, state) = self {
            joined = joined.replace(
                &names::words(&state.to_lowercase()).join(" "),
                &together(state),
            );
        }
        joined.split_whitespace().map(str::to_owned).collect()
    }
}

/// A state as one word.
fn together(state: &str) -> String {
    names::words(&state.to_lowercase()).concat()
}
