//! Laws of what can be done with a record: in which states, how often, and what it leads to.

pub(crate) mod barred;
pub(crate) mod blocked;
pub(crate) mod chronicle;
pub(crate) mod clashes;
pub(crate) mod finality;
pub(crate) mod following;
pub(crate) mod histories;
mod in_use;
mod lead;
pub(crate) mod once;
pub(crate) mod outcome;
pub(crate) mod place;
pub(crate) mod races;
mod refusal;
pub(crate) mod rivals;
pub(crate) mod room;
pub(crate) mod rule;
pub(crate) mod siblings;
pub(crate) mod sole;
mod stand;
pub(crate) mod stated;
mod taken;
mod traces;
