//! Weight: how hard a difference between facts weighs.

use openapi_document::provenance::{Level as Sureness, Provenance};

use super::difference::Difference;
use super::reading::Reading;
use crate::lifecycle::State;
use crate::operations::at_most;
use crate::rule::{Direction, Level, Rule};
use crate::side::Mark;
use openapi_facts::Evidence;

/// How much a difference weighs. What is only read or shown weighs one level less than what is stated: a reading may be wrong, and a
/// sentence may be new where the service is not.
pub(super) fn weigh(
    rule: &Rule,
    difference: &Difference<'_>,
    (old, new): (&Reading<'_>, &Reading<'_>),
    is_sent: bool,
) -> Level {
    let mut level = rule.level;
    if difference.evidence() < Evidence::Stated {
        level = lighter(level);
    }
    if rule.direction == Direction::Request && !is_sent {
        level = Level::Info;
    }
    let entries = [
        difference.base.and_then(|fact| old.entry_of(fact)),
        difference.revision.and_then(|fact| new.entry_of(fact)),
    ];
    let mut sureness = entries.into_iter().flatten().filter_map(Provenance::of);
    let mut is_proposed = sureness.any(|one| one.level == Sureness::Proposed);
    if let Some(operation) = old.operation(difference.rule().owner()) {
        let node = operation.at.node;
        is_proposed |= operation.level() == Sureness::Proposed;
        let most = at_most(State::of(node, Mark::of(node)).stability());
        level = level.min(most.unwrap_or(level));
    }
    if is_proposed {
        level = level.min(Level::Warning);
    }
    level
}

fn lighter(level: Level) -> Level {
    match level {
        Level::Error => Level::Warning,
        Level::Warning | Level::Info => Level::Info,
    }
}
