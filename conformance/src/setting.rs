//! Setting: what the runner knows of a service before any traffic.

use openapi_facts::Facts;

use crate::collect::Selection;
use crate::model::Model;
use crate::recipe::Recipes;

/// What the runner knows of a service before any traffic.
#[derive(Debug)]
pub struct Setting<'l, 'd> {
    /// What the document says of its records.
    pub model: &'l Model<'d>,
    /// What the document and its behaviour file say of the service.
    pub facts: &'l Facts,
    /// How operations are brought to succeed.
    pub recipes: Recipes<'l, 'd>,
    /// What is in scope.
    pub selection: &'l Selection,
}
