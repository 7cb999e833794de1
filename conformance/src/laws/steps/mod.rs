//! Laws of what can be done with a record: in which states, how often, and what it leads to.

pub(crate) mod aftermath;
pub(crate) mod barred;
pub(crate) mod blocked;
pub(crate) mod capacity;
pub(crate) mod chronicle;
pub(crate) mod clashes;
pub(crate) mod counted;
pub(crate) mod due;
pub(crate) mod expiry;
pub(crate) mod finality;
pub(crate) mod following;
mod for_good;
pub(crate) mod former;
pub(crate) mod histories;
mod in_use;
pub(crate) mod invariant;
pub(crate) mod once;
pub(crate) mod outcome;
pub(crate) mod races;
mod refusal;
pub(crate) mod rivals;
pub(crate) mod rule;
pub(crate) mod settings;
pub(crate) mod siblings;
pub(crate) mod stated;
pub(crate) mod summed;
mod undone;
