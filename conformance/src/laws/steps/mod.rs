//! Laws of what can be done with a record: in which states, how often, and what it leads to.

pub(crate) mod barred;
pub(crate) mod capacity;
pub(crate) mod chronicle;
pub(crate) mod finality;
pub(crate) mod once;
pub(crate) mod outcome;
pub(crate) mod place;
pub(crate) mod races;
mod refusal;
pub(crate) mod rivals;
pub(crate) mod siblings;
mod stand;
pub(crate) mod stated;
pub(crate) mod taken;
