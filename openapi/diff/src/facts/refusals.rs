//! Refusals: compares the states in which operations are refused.

use std::collections::BTreeSet;

use openapi_facts::rule::{Barred, States};
use openapi_facts::{Fact, Rule};

use super::difference::{Delta, Difference};
use super::reading::Reading;

/// The refusals of an operation for one machine. The state `None` stands for all states without a
/// name.
#[derive(Debug)]
struct Refusals<'f> {
    facts: Vec<(&'f Fact, &'f Barred)>,
}

impl<'f> Refusals<'f> {
    /// The refusals of an operation; a fact without a machine applies to every machine.
    fn of(side: &'f Reading<'_>, operation: &str, record: Option<&str>) -> Self {
        let facts = barred(side).filter(|(_, rule)| {
            let is_of = rule.record.is_none() || rule.record.as_deref() == record;
            rule.operation == operation && is_of
        });
        Self {
            facts: facts.collect(),
        }
    }

    fn named(&self) -> impl Iterator<Item = &'f str> {
        let states = self.facts.iter().flat_map(|(_, rule)| match &rule.states {
            States::In(states) | States::NotIn(states) => states,
        });
        states.map(String::as_str)
    }

    /// The fact that refuses a state. If several facts list allowed states, all of these are
    /// allowed.
    fn refusing(&self, state: Option<&str>) -> Option<&'f Fact> {
        let has = |states: &[String]| {
            state.is_some_and(|state| states.iter().any(|listed| listed == state))
        };
        let listed = |rule: &Barred| matches!(&rule.states, States::In(states) if has(states));
        let allows = |rule: &Barred| match &rule.states {
            States::NotIn(states) => Some(has(states)),
            States::In(_) => None,
        };
        let by_list = self.facts.iter().find(|(_, rule)| listed(rule));
        let mut others = self.facts.iter().filter(|(_, rule)| allows(rule).is_some());
        let is_allowed = others.clone().any(|(_, rule)| allows(rule) == Some(true));
        let by_others = others.next().filter(|_| !is_allowed);
        by_list.or(by_others).map(|(fact, _)| *fact)
    }
}

fn barred<'f>(side: &'f Reading<'_>) -> impl Iterator<Item = (&'f Fact, &'f Barred)> {
    side.facts.iter().filter_map(|fact| match &fact.rule {
        Rule::Barred(rule) => Some((fact, rule)),
        _ => None,
    })
}

/// Reports operations that are refused in other states than before.
pub(super) fn compare<'f>(base: &'f Reading<'_>, revision: &'f Reading<'_>) -> Vec<Difference<'f>> {
    let sides = || barred(base).chain(barred(revision));
    let operations: BTreeSet<&str> = sides().map(|(_, rule)| rule.operation.as_str()).collect();
    let mut found = Vec::new();
    for operation in operations {
        if !base.has_owner(operation) || !revision.has_owner(operation) {
            continue;
        }
        let matching = sides().filter(|(_, rule)| rule.operation == operation);
        let records: BTreeSet<Option<&str>> =
            matching.map(|(_, rule)| rule.record.as_deref()).collect();
        let any = records.iter().any(Option::is_some);
        for record in records
            .into_iter()
            .filter(|record| record.is_some() || !any)
        {
            // A machine on only one side says nothing about a change of the operation.
            let is_known = |side: &Reading<'_>| record.is_none_or(|name| side.has_machine(name));
            if is_known(base) == is_known(revision) {
                let old = Refusals::of(base, operation, record);
                let new = Refusals::of(revision, operation, record);
                found.extend(added(operation, record, &old, &new));
                found.extend(removed(operation, record, &old, &new));
            }
        }
    }
    found
}

fn added<'f>(
    operation: &str,
    record: Option<&str>,
    old: &Refusals<'f>,
    new: &Refusals<'f>,
) -> Option<Difference<'f>> {
    let (fact, states) = refused_only(new, old)?;
    Some(Difference {
        id: "operation-barred-in-state",
        base: old.facts.first().map(|(fact, _)| *fact),
        revision: Some(fact),
        delta: Delta::Added(rule(operation, record, states)),
    })
}

fn removed<'f>(
    operation: &str,
    record: Option<&str>,
    old: &Refusals<'f>,
    new: &Refusals<'f>,
) -> Option<Difference<'f>> {
    let (fact, states) = refused_only(old, new)?;
    Some(Difference {
        id: "operation-allowed-in-state",
        base: Some(fact),
        revision: new.facts.first().map(|(fact, _)| *fact),
        delta: Delta::Removed(rule(operation, record, states)),
    })
}

/// The states that only one side refuses, with a fact that refuses one of them.
fn refused_only<'f>(here: &Refusals<'f>, there: &Refusals<'f>) -> Option<(&'f Fact, States)> {
    let named: BTreeSet<&str> = here.named().chain(there.named()).collect();
    let differs = |state: Option<&str>| {
        let fact = here.refusing(state)?;
        there.refusing(state).is_none().then_some(fact)
    };
    let texts = |states: Vec<&str>| states.into_iter().map(str::to_owned).collect();
    if let Some(fact) = differs(None) {
        let is_allowed = |state: &&str| here.refusing(Some(state)).is_none();
        let allowed = named.into_iter().filter(is_allowed).collect();
        return Some((fact, States::NotIn(texts(allowed))));
    }
    let states: Vec<&str> = { named.into_iter() }
        .filter(|state| differs(Some(state)).is_some())
        .collect();
    let fact = differs(Some(states.first()?))?;
    Some((fact, States::In(texts(states))))
}

fn rule(operation: &str, record: Option<&str>, states: States) -> Rule {
    Rule::Barred(Barred {
        operation: operation.to_owned(),
        record: record.map(str::to_owned),
        states,
        status: None,
    })
}
