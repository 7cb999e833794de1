//! Laws about one record: creation, reading, change, replacement and deletion.

pub(crate) mod agreement;
pub(crate) mod deletion;
pub(crate) mod freshness;
pub(crate) mod inheritance;
pub(crate) mod isolation;
mod members;
pub(crate) mod merge;
pub(crate) mod omitted;
pub(crate) mod pairs;
pub(crate) mod parents;
pub(crate) mod replacing;
mod rewriting;
pub(crate) mod showing;
mod siblings;
pub(crate) mod success;
pub(crate) mod versions;
