//! Tests documents, each with its server, without scenarios: the correct server has no finding, and
//! the check that names a fault finds it.

#[macro_use]
mod trial;

mod acquirer;
mod billing;
mod canteen;
mod club;
mod desk;
mod garden;
mod ledger;
mod lending;
mod market;
mod orders;
mod parcels;
mod purse;
mod tickets;
mod till;
mod vault;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::support::fault_ledger;
use trial::{Row, Trial};

/// All trials.
static ALL: [&Trial; 14] = [
    &acquirer::faults::TRIAL,
    &billing::faults::TRIAL,
    &canteen::faults::TRIAL,
    &club::faults::TRIAL,
    &garden::faults::TRIAL,
    &ledger::faults::TRIAL,
    &lending::faults::TRIAL,
    &market::faults::TRIAL,
    &orders::faults::TRIAL,
    &parcels::faults::TRIAL,
    &purse::faults::TRIAL,
    &tickets::faults::TRIAL,
    &till::faults::TRIAL,
    &vault::faults::TRIAL,
];

/// The sample that every test run tries, by document and index: the first row of each check that is
/// found, and the first row of each server without one of those.
static SAMPLE: LazyLock<BTreeSet<(&str, usize)>> = LazyLock::new(|| {
    let mut checks = BTreeSet::new();
    let mut sample = BTreeSet::new();
    for trial in ALL {
        let missed = fault_ledger::missed(trial.document);
        let is_found = |row: &Row| !missed.contains(&fault_ledger::entry(row.0, row.1, row.2));
        let rows = trial.faults.iter().enumerate();
        let mut firsts: Vec<usize> = rows
            .filter(|(_, row)| is_found(row) && checks.insert(row.2))
            .map(|(index, _)| index)
            .collect();
        if firsts.is_empty() {
            firsts.push(0);
        }
        sample.extend(firsts.into_iter().map(|index| (trial.document, index)));
    }
    sample
});

#[test]
fn the_ledger_lists_each_fault() {
    for trial in ALL {
        let rows = trial.faults.iter();
        let entries =
            rows.map(|(fault, operations, check)| fault_ledger::entry(fault, operations, check));
        fault_ledger::assert_listed(trial.document, &entries.collect());
    }
}

#[test]
fn every_server_is_in_the_sample() {
    let servers: BTreeSet<&str> = SAMPLE.iter().map(|(document, _)| *document).collect();
    assert_eq!(servers.len(), ALL.len());
}
