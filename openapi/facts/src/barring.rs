//! Barring: finds the facts that bar an operation in a state of its record.

use crate::collection::Facts;
use crate::fact::Fact;
use crate::rule::{Barred, Rule, States};

impl Facts {
    /// The `barred` rules of an operation, each with its fact.
    pub fn barred(&self, operation: &str) -> impl Iterator<Item = (&Fact, &Barred)> {
        let barred = self.list.iter().filter_map(|fact| match &fact.rule {
            Rule::Barred(rule) => Some((fact, rule)),
            _ => None,
        });
        barred.filter(move |(_, rule)| rule.operation == operation)
    }

    /// The fact that bars an operation while its record is in `state`. A rule without a machine
    /// decides alone. Otherwise all rules must bar the state, because a record's machine is
    /// unknown.
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
    /// Whether the operation is refused while its record is in this state.
    pub fn bars(&self, state: &str) -> bool {
        match &self.states {
            States::In(states) => states.iter().any(|item| item == state),
            States::NotIn(states) => !states.iter().any(|item| item == state),
        }
    }
}
