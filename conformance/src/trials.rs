//! Trials: each tests one kind of fact on an operation. They see facts, never the texts of the document.

pub(crate) mod default;
pub(crate) mod effect;
pub(crate) mod plan;
pub(crate) mod requires;

pub(crate) use plan::{plan, tested_by};
