//! Watching: compares every answer with the equations of its records.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use openapi_document::Node;
use openapi_facts::{Fact, Facts, Rule};

use super::steps::capacity;
use crate::model::{Call, Model};
use crate::scene::watch::{Breach, Watch};
use crate::setting::Setting;
use crate::trials::equation;

/// Checks every answer; caches the facts of each operation.
pub(super) struct Watching<'w, 'd> {
    model: &'w Model<'d>,
    facts: &'w Facts,
    /// The equations of an operation's answer, by its label.
    equations: RefCell<BTreeMap<String, Rc<[&'w Fact]>>>,
    /// Whether a text limits the number of records of an operation, by its label.
    limited: RefCell<BTreeMap<String, bool>>,
}

impl<'w, 'd> Watching<'w, 'd> {
    pub(super) fn new(setting: &'w Setting<'_, 'd>) -> Self {
        Self {
            model: setting.model,
            facts: setting.facts,
            equations: RefCell::default(),
            limited: RefCell::default(),
        }
    }

    fn equations(&self, call: &Call<'d>) -> Rc<[&'w Fact]> {
        let mut known = self.equations.borrow_mut();
        let known = known.entry(call.operation.label());
        let find = || {
            let facts = self.facts.list.iter();
            let facts = facts.filter(|fact| matches!(fact.rule, Rule::Equation(_)));
            facts
                .filter(|fact| fact.is_about(&call.operation))
                .collect()
        };
        Rc::clone(known.or_insert_with(find))
    }
}

impl<'d> Watch<'d> for Watching<'_, 'd> {
    fn breach(&self, call: &Call<'d>, body: &Node) -> Option<Breach> {
        equation::breach(&self.equations(call), (self.model, call), body)
    }

    fn is_limited(&self, call: &Call<'d>) -> bool {
        let mut limited = self.limited.borrow_mut();
        let known = limited.entry(call.operation.label());
        *known.or_insert_with(|| {
            capacity::is_limited(call) || capacity::takes_places(self.model.document, call)
        })
    }
}
