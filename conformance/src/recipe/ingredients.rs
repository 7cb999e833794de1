//! Ingredients: the examples from which the plans for a call are combined.

use openapi_document::view::Method;

use super::change::Change;
use super::plan::Plan;
use crate::model::{Call, Role};
use crate::sample::Extent;

/// At most this many plans send another example of the same call first.
const AFTER_OWN: usize = 4;

/// How much is generated for the call, and for the steps before it. Optional properties may name missing records.
const EXTENTS: [(Extent, Extent); 4] = [
    (Extent::Full, Extent::Full),
    (Extent::Full, Extent::Required),
    (Extent::Required, Extent::Required),
    (Extent::Plain, Extent::Plain),
];

/// The examples from which the plans for a call are combined.
pub(super) struct Ingredients<'i, 'd> {
    /// The examples of the call.
    pub(super) examples: &'i [Option<&'d str>],
    /// The operation that creates the call's record.
    pub(super) creator: Option<String>,
    /// The examples of that operation.
    pub(super) creator_examples: Vec<Option<&'d str>>,
}

impl<'d> Ingredients<'_, 'd> {
    /// The plans with the given changes between creation and call. Without changes the creator's examples vary
    /// slowest,
    /// with changes the call's examples do. Reduced extents apply mainly to plans without changes.
    pub(super) fn plans(&self, changes: &[Change<'d>]) -> Vec<Plan<'d>> {
        let is_plain = changes.is_empty();
        let (examples, created) = (self.examples, &self.creator_examples);
        let pairs: Vec<_> = if is_plain {
            let all = created.iter().copied();
            all.flat_map(|created| examples.iter().map(move |key| (*key, created)))
                .collect()
        } else {
            let all = examples.iter().copied();
            all.flat_map(|key| created.iter().map(move |created| (key, *created)))
                .collect()
        };
        let extents = EXTENTS.into_iter();
        let extents =
            extents.filter(|pair| is_plain || pair.0 == pair.1 || self.examples == [None]);
        let all = extents.flat_map(|(extent, extent_before)| {
            // Generated values do not depend on the example of a parameter.
            let is_whole = extent == Extent::Full && extent_before == Extent::Full;
            let most = if is_whole || !is_plain {
                pairs.len()
            } else {
                1
            };
            pairs.iter().take(most).map(move |(key, created)| Plan {
                example: *key,
                creator: self.creator.clone().map(|item| (item, *created)),
                changes: changes.to_vec(),
                extent,
                extent_before,
                ..Plan::default()
            })
        });
        all.collect()
    }

    /// Plans that send the first example before another one: a withdrawal needs a deposit.
    pub(super) fn after_first_example(&self, call: &Call<'d>) -> Vec<Plan<'d>> {
        let first = self.examples.first().copied().flatten();
        let creates = call.role == Role::Create && call.operation.method == Method::Post;
        let Some(first) = first.filter(|_| creates) else {
            return Vec::new();
        };
        let others = self.plans(&[]).into_iter();
        let others = others.filter(|item| item.example.is_some_and(|item| item != first));
        let mut plans: Vec<Plan<'d>> = Vec::new();
        for plan in others {
            if !plans.iter().any(|item| item.example == plan.example) {
                plans.push(Plan {
                    earlier_example: Some(first),
                    ..plan
                });
            }
        }
        plans.truncate(AFTER_OWN);
        plans
    }
}
