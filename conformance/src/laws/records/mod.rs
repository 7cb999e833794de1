//! Laws of one record: how it is made, read, changed, replaced and deleted.

pub(crate) mod agreement;
mod cascade;
mod copied;
pub(crate) mod deletion;
mod described;
mod fixed;
pub(crate) mod freshness;
mod idle;
pub(crate) mod inheritance;
pub(crate) mod isolation;
pub(crate) mod keeping;
mod likeness;
pub(crate) mod mapped;
pub(crate) mod maps;
mod members;
pub(crate) mod merge;
pub(crate) mod omitted;
pub(crate) mod pairs;
pub(crate) mod parents;
pub(crate) mod renamed;
pub(crate) mod replacing;
mod rewriting;
pub(crate) mod showing;
pub(crate) mod success;
pub(crate) mod template;
pub(crate) mod terms;
pub(crate) mod versions;
