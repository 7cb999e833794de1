//! Setting: the runner's knowledge of a service before the first request.

use openapi_facts::Facts;

use crate::collect::Selection;
use crate::model::Model;
use crate::recipe::Recipes;

/// What the runner knows about a service before the first request.
#[derive(Debug)]
pub struct Setting<'l, 'd> {
    /// The records of the document, their operations and relations.
    pub model: &'l Model<'d>,
    /// The facts of the document and its behaviour file.
    pub facts: &'l Facts,
    /// The recipes that make operations succeed.
    pub recipes: Recipes<'l, 'd>,
    /// The scope.
    pub selection: &'l Selection,
}
