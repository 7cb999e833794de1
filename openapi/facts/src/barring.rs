//! Barring: the facts by which an operation is refused of a record in a state.

use crate::collection::Facts;
use crate::fact::Fact;
use crate::rule::{Barred, Rule, States};

impl Facts {
    /// The states in which an operation is refused, each with its fact.
    pub fn barred(&self, operation: &str) -> impl Iterator<Item = (&Fact, &Barred)> {
        let barred = self.list.iter().filter_map(|fact| match &fact.rule {
            Rule::Barred(rule) => Some((fact, rule)),
            _ => None,
        });
        barred.filter(move |(_, rule)| rule.operation == operation)
    }

    /// The fact by which an operation is refused of a record in a state. Of several machines all have to bar the state:
    /// which one a record belongs to is not known.
    pub fn barring(&self, operation: &str, state: &str) -> Option<&Fact> {
        let (of_machines, of_all): (Vec<_>, Vec<_>) =
            { self.barred(operation) }.partition(|(_, rule)| rule.record.is_some());
        if let Some((fact, _)) = of_all.iter().find(|(_, rule)| rule.bars(state)) {
            return Some(fact);
        }
        let all_bar = of_machines.iter().all(|(_, rule)| rule.bars(state));
        let (fact, _) = of_machines.first().filter(|_| all_bar)?;
        Some(fact)
    }
}

impl Barred {
    /// Whether the operation is refused of a record in a state.
    pub fn bars(&self, state: &str) -> bool {
        match &self.states {
            States::In(states) => states.iter().any(|item| item == state),
            States::NotIn(states) => !states.iter().any(|item| item == state),
        }
    }
}
