//! Facts: compares the facts that the two documents state about the service.
//!
//! Facts that only a keyword states or a name suggests are skipped, because other rules report
//! their keywords and parameters.

mod difference;
mod pairing;
mod reading;
mod refusals;
mod requests;
mod weight;

use std::collections::HashMap;

use super::Comparison;
use super::both::template;
use super::change::{Change, Spot};
use super::contract::Contract;
use super::registry;
use super::report::{Finding, Scope};
use super::side::Mark;
use difference::Difference;
use reading::Reading;
use requests::Requests;

/// Compares the facts of the two documents.
pub(super) fn compare<'d>(
    comparison: &mut Comparison<'d, '_>,
    base: Contract<'d>,
    revision: Contract<'d>,
) {
    let both_files = base.behaviour.is_some() && revision.behaviour.is_some();
    let counted = |one: Contract<'d>| Contract {
        behaviour: one.behaviour.filter(|_| both_files),
        ..one
    };
    let mut old = Reading::of(counted(base), &names(base, revision));
    let mut new = Reading::of(counted(revision), &HashMap::new());
    let rejected = old.rejected().chain(new.rejected()).collect();
    old.drop_rejected(&rejected);
    new.drop_rejected(&rejected);
    if old.is_english != new.is_english {
        old.drop_sentences();
        new.drop_sentences();
    }
    let mut found = pairing::compare(&old, &new);
    found.extend(refusals::compare(&old, &new));
    if found.is_empty() {
        return;
    }
    let requests = Requests::of(revision.document);
    for difference in found {
        push(comparison, (&old, &new), &requests, &difference);
    }
}

/// Reports that behaviour files are not compared, because only one side has one.
pub(super) fn compare_files(
    comparison: &mut Comparison<'_, '_>,
    base: Contract<'_>,
    revision: Contract<'_>,
) {
    let without = match (base.behaviour, revision.behaviour) {
        (None, Some(_)) => "base",
        (Some(_), None) => "revision",
        _ => return,
    };
    let (old, new) = comparison.documents();
    let title = format!(
        "the {without} has no readable behaviour file, so behaviour files are not compared"
    );
    comparison.push(Finding {
        base: Some((Mark::of(&old.root), "")),
        revision: Some((Mark::of(&new.root), "")),
        ..Finding::new(
            "behaviour-file-not-compared",
            &Scope::default(),
            "behaviour file",
            title,
        )
    });
}

/// The new name of each operation by its old name, if the two differ.
fn names(base: Contract<'_>, revision: Contract<'_>) -> HashMap<String, String> {
    let operations = revision.document.operations();
    let new: HashMap<_, _> = { operations.iter() }
        .map(|operation| {
            (
                (template(operation.path), operation.method),
                operation.label(),
            )
        })
        .collect();
    let old = base.document.operations().into_iter();
    let renamed = old.filter_map(|operation| {
        let after = new.get(&(template(operation.path), operation.method))?;
        let before = operation.label();
        (before != *after).then(|| (before, after.clone()))
    });
    renamed.collect()
}

fn push(
    comparison: &mut Comparison<'_, '_>,
    (old, new): (&Reading<'_>, &Reading<'_>),
    requests: &Requests,
    difference: &Difference<'_>,
) {
    let Some(rule) = registry::rule(difference.id) else {
        return;
    };
    let about = difference.rule();
    let is_sent = about
        .subject()
        .is_none_or(|subject| requests.has(new, subject));
    let operation = new.operation(about.owner());
    let operation = operation.map(|operation| super::both::name(&operation));
    let name = about.subject().and_then(|subject| subject.name.as_deref());
    let subject = match (&operation, name) {
        (Some(_), None) => "operation".to_owned(),
        (Some(_), Some(name)) => format!("/{name}"),
        (None, None) => about.owner().to_owned(),
        (None, Some(name)) => format!("{} /{name}", about.owner()),
    };
    let spot = |side: &Reading<'_>, fact, label| -> Spot { side.spot(fact, about, label) };
    let reach = super::change::Reach {
        operation: operation.clone(),
        subject: subject.clone(),
    };
    let change = Change {
        rule,
        level: weight::weigh(rule, difference, (old, new), is_sent),
        operation,
        subject,
        shared: None,
        detail: difference.detail(),
        reach: vec![reach],
        title: difference.title(),
        base: Some(spot(old, difference.base, "stated here before")),
        revision: Some(spot(new, difference.revision, "stated here")),
        help: None,
    };
    comparison.report.changes.push(change);
}
