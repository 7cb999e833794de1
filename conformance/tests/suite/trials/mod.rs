//! Documents, each with a server of its own, that are tried without a script: nothing is found in a server as it is,
//! and each of its faults by the check that names it.

#[macro_use]
mod trial;

mod acquirer;
mod billing;
mod canteen;
mod club;
mod debits;
mod depot;
mod desk;
mod escrow;
mod garden;
mod gateway;
mod gazette;
mod giro;
mod kiosk;
mod laundry;
mod ledger;
mod lending;
mod mandates;
mod market;
mod orders;
mod parcels;
mod pocket;
mod purse;
mod relay;
mod seats;
mod studio;
mod tickets;
mod till;
mod vault;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::support::fault_ledger;
use trial::Trial;

/// All trials.
static ALL: [&Trial; 27] = [
    &acquirer::faults::TRIAL,
    &billing::faults::TRIAL,
    &canteen::faults::TRIAL,
    &club::faults::TRIAL,
    &debits::faults::TRIAL,
    &depot::faults::TRIAL,
    &escrow::faults::TRIAL,
    &garden::faults::TRIAL,
    &gateway::faults::TRIAL,
    &gazette::faults::TRIAL,
    &giro::faults::TRIAL,
    &kiosk::faults::TRIAL,
    &laundry::faults::TRIAL,
    &ledger::faults::TRIAL,
    &lending::faults::TRIAL,
    &mandates::faults::TRIAL,
    &market::faults::TRIAL,
    &orders::faults::TRIAL,
    &parcels::faults::TRIAL,
    &pocket::faults::TRIAL,
    &purse::faults::TRIAL,
    &relay::faults::TRIAL,
    &seats::faults::TRIAL,
    &studio::faults::TRIAL,
    &tickets::faults::TRIAL,
    &till::faults::TRIAL,
    &vault::faults::TRIAL,
];

/// The rows that are tried for every change, by document and index: the first row of each check, and the
/// first row of each server that has none of those.
static SAMPLE: LazyLock<BTreeSet<(&str, usize)>> = LazyLock::new(|| {
    let mut checks = BTreeSet::new();
    let mut sample = BTreeSet::new();
    for trial in ALL {
        let rows = trial.faults.iter().enumerate();
        let mut firsts: Vec<usize> = rows
            .filter(|(_, row)| checks.insert(row.2))
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
        let rows = trial.faults.iter().chain(trial.missed);
        let entries =
            rows.map(|(fault, operations, check)| fault_ledger::entry(fault, operations, check));
        fault_ledger::assert_listed(trial.document, &entries.collect());
    }
}

#[test]
fn every_check_and_every_server_is_in_the_sample() {
    let all = ALL
        .iter()
        .flat_map(|trial| trial.faults.iter().map(|row| row.2));
    let sampled = ALL.iter().flat_map(|trial| {
        let rows = trial.faults.iter().enumerate();
        rows.filter(|(index, _)| SAMPLE.contains(&(trial.document, *index)))
            .map(|(_, row)| row.2)
    });
    assert_eq!(all.collect::<BTreeSet<_>>(), sampled.collect());
    let servers: BTreeSet<&str> = SAMPLE.iter().map(|(document, _)| *document).collect();
    assert_eq!(servers.len(), ALL.len());
}
