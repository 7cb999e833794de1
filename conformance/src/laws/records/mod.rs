//! Laws of one record: how it is made, read, changed, replaced and deleted.

pub(crate) mod agreement;
mod cascade;
mod consecutive;
pub(crate) mod deletion;
mod first_state;
mod fixed;
pub(crate) mod freshness;
pub(crate) mod inheritance;
pub(crate) mod isolation;
mod members;
pub(crate) mod merge;
mod numbered;
pub(crate) mod omitted;
pub(crate) mod pairs;
pub(crate) mod parents;
pub(crate) mod replacing;
mod retained;
mod rewriting;
pub(crate) mod showing;
mod stirred;
pub(crate) mod success;
pub(crate) mod terms;
mod uncounted;
pub(crate) mod versions;
