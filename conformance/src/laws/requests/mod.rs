//! Laws of requests: what is refused, whoever asks, and what a refusal leaves behind.

pub(crate) mod answers;
pub(crate) mod authentication;
mod blame;
pub(crate) mod bounds;
pub(crate) mod constraints;
pub(crate) mod defaults;
pub(crate) mod head;
pub(crate) mod key;
pub(crate) mod leftovers;
pub(crate) mod limits;
pub(crate) mod location;
pub(crate) mod methods;
mod neighbour;
mod own;
pub(crate) mod parameters;
pub(crate) mod references;
pub(crate) mod refusals;
pub(crate) mod repetition;
pub(crate) mod replay;
pub(crate) mod rights;
pub(crate) mod sides;
pub(crate) mod spans;
mod tabled;
pub(crate) mod tenants;
pub(crate) mod unknown;
pub(crate) mod untouched;
mod worded;
