//! Laws about steps: in which states, how often, and with which effect.

pub(crate) mod barred;
mod barring_states;
pub(crate) mod capacity;
pub(crate) mod chronicle;
pub(crate) mod clashes;
pub(crate) mod finality;
pub(crate) mod histories;
pub(crate) mod place;
pub(crate) mod races;
mod refusal;
pub(crate) mod rivals;
