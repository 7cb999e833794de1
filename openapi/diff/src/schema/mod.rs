//! Schema: normalizes schemas and compares pairs of them.

mod applicators;
pub(super) mod canonical;
mod comparison;
mod conjunction;
mod digest;
mod fact;
mod flat;
mod keywords;
mod matching;
mod overlap;
mod pair;
mod pair_id;
mod schemas;
mod settle;
mod types;
mod unevaluated;
mod untouched;

// The comparisons of the parts of two schemas.
mod alternatives;
mod annotations;
mod applied;
mod bounds;
mod discriminator;
mod objects;
mod scalars;
mod values;

pub(super) use comparison::complete;
pub(super) use fact::{Edge, Fact, Step, Words};
pub(super) use flat::{Flat, Property};
pub(super) use pair::{Between, Pairs};
pub(super) use pair_id::PairId;
pub(super) use types::Types;
