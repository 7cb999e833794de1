//! Weight: the level of a difference between facts.

use openapi_document::provenance::{Level as Sureness, Provenance};

use super::difference::Difference;
use super::reading::Reading;
use crate::lifecycle::State;
use crate::operations::at_most;
use crate::rule::{Direction, Level, Rule};
use crate::side::Mark;
use openapi_facts::Evidence;

/// The level of a difference. Facts that are only read or shown count one level less: the reader
/// may be wrong, and a new sentence may describe an old behaviour.
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
