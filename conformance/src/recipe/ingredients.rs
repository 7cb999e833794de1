//! Ingredients: what ways to a call are put together of.

use openapi_document::view::Method;

use super::change::Change;
use super::way::Way;
use crate::model::{Call, Role};
use crate::sample::Extent;

/// So many ways come after the first example of the same call at most.
const AFTER_OWN: usize = 4;

/// How much is made up of a call, and of what is made before it: what is optional may name what is not there.
const EXTENTS: [(Extent, Extent); 4] = [
    (Extent::Full, Extent::Full),
    (Extent::Full, Extent::Required),
    (Extent::Required, Extent::Required),
    (Extent::Plain, Extent::Plain),
];

/// What ways to a call are put together of.
pub(super) struct Ingredients<'i, 'd> {
    /// The examples of the call.
    pub(super) own: &'i [Option<&'d str>],
    /// The operation that makes its record.
    pub(super) maker: Option<String>,
    /// The examples of that.
    pub(super) made: Vec<Option<&'d str>>,
}

impl<'d> Ingredients<'_, 'd> {
    /// The ways with some changes in between; with one, the way is narrow enough, and a record of another kind tells more
    /// than another request about it.
    pub(super) fn ways(&self, changes: &[Change<'d>]) -> Vec<Way<'d>> {
        let is_plain = changes.is_empty();
        let (own, made) = (self.own, &self.made);
        let pairs: Vec<_> = if is_plain {
            let all = made.iter().copied();
            all.flat_map(|made| own.iter().map(move |key| (*key, made)))
                .collect()
        } else {
            let all = own.iter().copied();
            all.flat_map(|key| made.iter().map(move |made| (key, *made)))
                .collect()
        };
        let extents = EXTENTS.into_iter();
        let extents = extents.filter(|own| is_plain || own.0 == own.1 || self.own == [None]);
        let all = extents.flat_map(|(extent, extent_before)| {
            // What is made up is the same whichever example a parameter has.
            let is_whole = extent == Extent::Full && extent_before == Extent::Full;
            let most = if is_whole || !is_plain {
                pairs.len()
            } else {
                1
            };
            pairs.iter().take(most).map(move |(key, made)| Way {
                own: *key,
                maker: self.maker.clone().map(|own| (own, *made)),
                changes: changes.to_vec(),
                extent,
                extent_before,
                ..Way::default()
            })
        });
        all.collect()
    }

    /// Ways in which what is made by another example is made by the first one before it: what is written off has come in.
    pub(super) fn after_own(&self, call: &Call<'d>) -> Vec<Way<'d>> {
        let first = self.own.first().copied().flatten();
        let makes = call.role == Role::Create && call.operation.method == Method::Post;
        let Some(first) = first.filter(|_| makes) else {
            return Vec::new();
        };
        let others = self.ways(&[]).into_iter();
        let others = others.filter(|own| own.own.is_some_and(|own| own != first));
        let mut ways: Vec<Way<'d>> = Vec::new();
        for way in others {
            if !ways.iter().any(|own| own.own == way.own) {
                ways.push(Way {
                    own_before: Some(first),
                    ..way
                });
            }
        }
        ways.truncate(AFTER_OWN);
        ways
    }
}
