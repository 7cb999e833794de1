//! Facts: what the document and its behaviour file say about an operation, as laws use it.

use openapi_facts::rule::{Barred, States};
use openapi_facts::{Fact, Rule, Source};

use super::ground::Ground;
use super::world::World;
use crate::because::Because;
use crate::model::Call;

impl<'w, 'd> World<'w, '_, '_, 'd> {
    /// The states in which an operation is refused, each with its fact.
    fn barred(&self, call: &Call<'d>) -> impl Iterator<Item = (&'w Fact, &'w Barred)> {
        let operation = call.operation.label();
        let facts = self.facts.list.iter();
        let barred = facts.filter_map(|fact| match &fact.rule {
            Rule::Barred(rule) => Some((fact, rule)),
            _ => None,
        });
        barred.filter(move |(_, rule)| rule.operation == operation)
    }

    /// Whether a fact says in which states an operation is refused.
    pub(crate) fn has_barred(&self, call: &Call<'d>) -> bool {
        self.barred(call).next().is_some()
    }

    /// The fact by which an operation is refused of a record in a state. Of several machines all have to bar the state:
    /// which one a record belongs to is not known here.
    pub(crate) fn barring(&self, call: &Call<'d>, state: &str) -> Option<&'w Fact> {
        let bars = |rule: &Barred| match &rule.states {
            States::In(states) => states.iter().any(|item| item == state),
            States::NotIn(states) => !states.iter().any(|item| item == state),
        };
        let mut of_all = self.barred(call).filter(|(_, rule)| rule.record.is_none());
        if let Some((fact, _)) = of_all.find(|(_, rule)| bars(rule)) {
            return Some(fact);
        }
        let of_machines: Vec<_> = self
            .barred(call)
            .filter(|(_, rule)| rule.record.is_some())
            .collect();
        let all_bar = of_machines.iter().all(|(_, rule)| bars(rule));
        of_machines
            .first()
            .filter(|_| all_bar)
            .map(|(fact, _)| *fact)
    }

    /// What the refusal of an operation in a state rests on: the fact, else what the operation says of the refusal.
    pub(crate) fn barring_ground(&self, call: &Call<'d>, state: &str) -> Ground {
        let fact = self.barring(call, state);
        fact.map_or(Ground::Refusal(409), |fact| {
            Ground::Fact(self.because(fact))
        })
    }

    /// The places that a fact was read from, the strongest first.
    fn because(&self, fact: &Fact) -> Vec<Because> {
        let of = |source: &Source| {
            let sources = match source {
                Source::Behaviour(_) => &self.model.behaviour.sources,
                _ => &self.model.document.sources,
            };
            Because::of(sources, source)
        };
        let mut found: Vec<Because> = fact.because.iter().filter_map(of).collect();
        found.sort_by_key(|because| std::cmp::Reverse(because.evidence));
        found
    }
}
