//! Sent keys: reads the key of a record from its request or `Location`, where its creation does not answer it.

use std::sync::Arc;

use openapi_document::Pointer;

use super::growth::{Grower, Growth};
use super::plan::Plan;
use crate::case::Body;
use crate::conflicts::Conflicts;
use crate::expression::Expression;
use crate::model::{Call, SentKey};

impl<'d> Grower<'_, 'd> {
    /// The key of a record; adds the step that creates the record unless it exists.
    pub(super) fn known_as(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        (creator, key): (&Call<'d>, SentKey<'d>),
        plan: &Plan<'d>,
        depth: usize,
    ) -> Option<Expression> {
        let label = creator.operation.label();
        if label == call.operation.label() || plan.based_on.as_ref() == Some(&label) {
            return None;
        }
        let step = match growth.created.get(&label) {
            Some(step) => step.clone(),
            None => self.grow(growth, creator, plan, depth + 1)?,
        };
        growth.created.insert(label, step.clone());
        let (name, value) = match key {
            SentKey::Answer(name) => {
                let at = creator.first_record()?.join(name);
                (name, Expression::ResponseBody(at))
            }
            SentKey::Body(name) => (name, Expression::RequestBody(Pointer::root().join(name))),
            SentKey::Path(name) => (name, Expression::RequestPath(name.to_owned())),
            SentKey::Location => ("location", Expression::LocationKey),
        };
        growth.output(&step, name, value)
    }

    /// A body with a fresh key in each request, if the call creates records that are known by that key.
    pub(super) fn with_fresh_key(&self, call: &Call<'d>, body: Body<'d>) -> Body<'d> {
        let Some(name) = self.model.key_in_body(call) else {
            return body;
        };
        let conflicts = Conflicts::of(&call.operation);
        let conflicts = conflicts.with_unique(std::iter::once(name.to_owned()));
        Body {
            conflicts: Arc::new(conflicts),
            ..body
        }
    }
}
