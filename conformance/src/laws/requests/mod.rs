//! Laws about requests: what the server must refuse or accept, and what a refusal leaves behind.

pub(crate) mod answers;
pub(crate) mod authentication;
pub(crate) mod bounds;
pub(crate) mod constraints;
mod extremes;
pub(crate) mod head;
pub(crate) mod item_defaults;
pub(crate) mod leftovers;
mod line_total;
pub(crate) mod location;
pub(crate) mod methods;
mod neighbour;
mod nulls;
pub(crate) mod parameters;
mod probes;
pub(crate) mod references;
pub(crate) mod refusals;
pub(crate) mod repetition;
pub(crate) mod rights;
mod syntax;
pub(crate) mod tenants;
pub(crate) mod unknown;
