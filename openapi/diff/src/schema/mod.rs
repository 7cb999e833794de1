//! Schemas in their meaning, and pairs of them compared.

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

// How the parts of two schemas are compared.
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
