//! Laws about steps: in which states, how often, and with which effect.

pub(crate) mod barred;
pub(crate) mod chronicle;
pub(crate) mod finality;
pub(crate) mod histories;
pub(crate) mod place;
pub(crate) mod races;
mod refusal;
pub(crate) mod rivals;
pub(crate) mod room;
mod stand;
pub(crate) mod taken;
