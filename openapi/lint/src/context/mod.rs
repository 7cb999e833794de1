//! Context: the inputs of the rules.

mod behaviour;
mod document;
mod reading;
mod scenario;

pub(crate) use behaviour::Subject;
pub(crate) use document::Context;
pub(crate) use reading::Reading;
pub(crate) use scenario::Scenario;
