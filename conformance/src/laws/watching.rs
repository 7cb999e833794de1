//! Watching: compares every answer with the facts about its records.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use openapi_document::Node;
use openapi_facts::rule::Direction;
use openapi_facts::{Fact, Facts, Rule};

use super::steps::capacity;
use crate::model::{Call, Model};
use crate::scene::watch::{Breach, Watch};
use crate::setting::Setting;
use crate::trials::invariant;

/// Checks every answer; caches the facts of each operation.
pub(super) struct Watching<'w, 'd> {
    model: &'w Model<'d>,
    facts: &'w Facts,
    /// The facts that bind an operation's answers, by its label.
    binding: RefCell<BTreeMap<String, Rc<[&'w Fact]>>>,
    /// Whether a text limits the number of records of an operation, by its label.
    limited: RefCell<BTreeMap<String, bool>>,
}

impl<'w, 'd> Watching<'w, 'd> {
    pub(super) fn new(setting: &'w Setting<'_, 'd>) -> Self {
        Self {
            model: setting.model,
            facts: setting.facts,
            binding: RefCell::default(),
            limited: RefCell::default(),
        }
    }

    fn binding(&self, call: &Call<'d>) -> Rc<[&'w Fact]> {
        let mut known = self.binding.borrow_mut();
        let known = known.entry(call.operation.label());
        let find = || {
            let facts = self.facts.list.iter();
            facts
                .filter(|fact| fact.binds_answers_of(&call.operation))
                .collect()
        };
        Rc::clone(known.or_insert_with(find))
    }
}

impl<'d> Watch<'d> for Watching<'_, 'd> {
    fn breach(&self, call: &Call<'d>, body: &Node, is_whole: bool) -> Option<Breach> {
        let label = call.operation.label();
        let newest_first = self.facts.of(&label).any(|fact| match &fact.rule {
            Rule::Order(rule) => rule.direction == Some(Direction::Descending),
            _ => false,
        });
        let facts = self.binding(call);
        invariant::breach(&facts, (self.model, call), (body, is_whole), newest_first)
    }

    fn is_limited(&self, call: &Call<'d>) -> bool {
        let mut limited = self.limited.borrow_mut();
        let known = limited.entry(call.operation.label());
        *known.or_insert_with(|| {
            capacity::is_limited(call) || capacity::takes_places(self.model.document, call)
        })
    }
}
