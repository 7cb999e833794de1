//! What rules look at.

mod behaviour;
mod document;
mod scenario;

pub(crate) use behaviour::Subject;
pub(crate) use document::Context;
pub(crate) use scenario::Scenario;
