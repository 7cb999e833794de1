//! Documents, each with a server of its own, that are tried without a script: nothing is found in a server as it is,
//! and each of its faults by the check that names it.

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

/// The rows that are tried for every change, by document and index: the first row of each check that is found, and the
/// first row of each server that has none of those.
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

#[tokio::test]
async fn zz_diagnose() {
    // temporary
    use std::fmt::Write as _;
    let only = std::env::var("SERVER").ok();
    for trial in ALL {
        if only.as_ref().is_some_and(|only| !only.split(',').any(|o| trial.document.contains(o))) { continue; }
        let record = trial.run("none", crate::support::By::Owner, 1, &[]).await;
        let mut out = String::new();
        for case in record.cases.iter().filter(|c| c.id.starts_with("laws/")) {
            let _ = writeln!(out, "{:?}\t{}\t{:?}", case.verdict, case.id, case.reason);
        }
        let mut tested = std::collections::BTreeMap::new();
        for case in &record.cases { for f in &case.facts {
            let e = tested.entry(f.fact.clone()).or_insert_with(|| f.untested.clone().map(|r| format!("{} ({})", r, case.id)));
            if f.untested.is_none() { *e = None; }
        } }
        let _ = writeln!(out, "== {} facts", tested.len());
        for (f, r) in tested { if let Some(r) = r { let _ = writeln!(out, "UNTESTED\t{f}\t{r}"); } }
        let name = trial.document.replace('/', "-");
        std::fs::write(format!("/tmp/diag-{name}.txt"), out).unwrap();
    }
}

#[tokio::test]
async fn zz_fault() {
    use std::fmt::Write as _;
    let server = std::env::var("SERVER").unwrap();
    let faults = std::env::var("FAULTS").unwrap();
    let mut out = String::new();
    for trial in ALL {
        if !trial.document.starts_with(&server) { continue; }
        for row in trial.faults.iter().filter(|r| faults == "missed" && fault_ledger::rows(trial.document).iter().any(|o| o.entry == fault_ledger::entry(r.0, r.1, r.2) && o.attended == "missed") || faults == "all" || faults.split(',').any(|f| f == r.0)) {
            let record = trial.run(row.0, crate::support::By::Owner, 1, row.1).await;
            let _ = writeln!(out, "=== {} wants {}", row.0, row.2);
            for case in &record.cases {
                for d in &case.differences { let _ = writeln!(out, "  {:?} {} {} {}: {} | {}", d.level, d.check.id, case.id, d.pointer, d.expected, d.actual); }
                for f in &case.facts { let _ = writeln!(out, "    fact {} {}: {:?}", case.id, f.fact, f.untested); }
                if case.id.starts_with("laws/") && matches!(case.verdict, conformance::level::Verdict::Skip) { let _ = writeln!(out, "    skip {}: {:?}", case.id, case.reason); }
            }
        }
    }
    std::fs::write("/tmp/fault.txt", out).unwrap();
}
