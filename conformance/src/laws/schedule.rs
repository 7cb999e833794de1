//! Schedule: decides which laws run at the same time.
//!
//! Concurrency does not change the requests: each run of a law derives its values from the seed and the case.

use std::collections::BTreeMap;

use futures_util::future::{FutureExt as _, LocalBoxFuture};
use futures_util::stream::{FuturesUnordered, StreamExt};
use openapi_facts::{Fact, Rule};

use super::notices::webhooks;
use super::queue::Queue;
use super::shared::Shared;
use super::watching::Watching;
use super::{ALL, Law, Stage, run};
use crate::event::CaseReport;
use crate::exceptions;
use crate::execute::Runner;
use crate::model::Call;
use crate::reached::Reached;
use crate::scene::Scene;
use crate::scene::found::Found;
use crate::setting::Setting;
use crate::trials;

/// At most this many races run at once, as each sends many concurrent requests.
const RACES_AT_ONCE: usize = 3;

/// A law to run on an operation.
struct Try<'l, 'd> {
    /// Its position in the report of its stage.
    index: usize,
    law: &'static Law,
    call: &'l Call<'d>,
}

/// Runs all laws on a server; returns the documented statuses that they saw.
pub(crate) fn hold<'r, 'd>(
    runner: &'r mut Runner<'_, 'd>,
    laws: &'r Setting<'_, 'd>,
) -> LocalBoxFuture<'r, Reached> {
    hold_all(runner, laws).boxed_local()
}

async fn hold_all<'d>(runner: &mut Runner<'_, 'd>, laws: &Setting<'_, 'd>) -> Reached {
    let found = Found::default();
    let watch = Watching::new(laws);
    let shared = Shared::new(laws, &found, &watch);
    let sender = runner.sender.another();
    let granted = std::mem::take(&mut runner.granted);
    let mut scene = Scene::new(sender.another(), laws, (&found, &watch));
    scene.cancel_examples(granted).await;
    let most = usize::try_from(sender.wire.parallel).unwrap_or(1);
    let stages = [
        (Stage::First, most),
        (Stage::Beside, most),
        (Stage::Racing, most.min(RACES_AT_ONCE)),
        (Stage::Alone, 1),
    ];
    // Operations that could harm the server come last.
    let of_all = stages.map(|(stage, at_once)| (stage, at_once, false));
    let of_last = stages.map(|(stage, _)| (stage, 1, true));
    for (stage, at_once, is_last) in of_all.into_iter().chain(of_last) {
        let mut tries = tries(laws, stage, is_last);
        tries.sort_by_key(|(item, _)| item.law.stage != Stage::Waiting);
        let mut queue = Queue::new(tries, at_once);
        let mut running = FuturesUnordered::new();
        let mut next = 0;
        let mut done: BTreeMap<usize, Option<CaseReport>> = BTreeMap::new();
        loop {
            let is_later = stage != Stage::First;
            while let Some(next) = queue.next(|item| shared.of(item.call, is_later)) {
                if sender.account.lost().is_some() {
                    queue.leave(&next);
                    done.insert(next.task.index, None);
                    continue;
                }
                let scene = Scene::new(sender.another(), laws, (&found, &watch));
                running.push(Box::pin(async move {
                    let report = Box::pin(attempt(next.task.law, scene, next.task.call)).await;
                    (next, report)
                }));
            }
            let Some((over, report)) = running.next().await else {
                break;
            };
            queue.leave(&over);
            done.insert(over.task.index, report);
            // Reports are sent in a fixed order, whichever law finishes first.
            while let Some(report) = done.remove(&next) {
                if let Some(report) = report {
                    runner.report(report);
                }
                next += 1;
            }
        }
    }
    webhooks::hold(runner, laws).await;
    found.into_reached()
}

async fn attempt<'d>(law: &Law, mut scene: Scene<'_, 'd>, call: &Call<'d>) -> Option<CaseReport> {
    let mut draft = scene.draft((law.id, trials::tested_by(law.id)), call);
    let facts = trials::run(law.id, &mut scene, call, &mut draft).await;
    let mut of_law = run(law, &mut scene, call, &mut draft).await;
    let in_law = trials::tested_in_law(law.id, &scene, call);
    // The owner learns that an entry of the behaviour file was not tested.
    if of_law == Ok(false) && in_law.iter().any(|fact| is_written(fact)) {
        of_law = Err("the run found no request that tests it".to_owned());
    }
    if of_law != Ok(false) {
        for fact in in_law {
            draft.account_for(fact, &of_law);
        }
    }
    let tried = trials::both(facts, of_law);
    scene.tidy().await;
    let operation = call.operation.label();
    // A preparation may have succeeded where the call itself no longer does.
    let is_granted = law.stage == Stage::First
        && (scene.chosen(call).is_some()
            || scene.sender.account.refusals().has_succeeded(&operation));
    let report = scene.settle(draft, tried)?;
    Some(CaseReport {
        is_granted,
        ..report
    })
}

/// Whether the owner wrote a fact as an entry of `facts`. The rows of a machine are tested where a law applies.
fn is_written(fact: &Fact) -> bool {
    let is_of_machine = matches!(&fact.rule, Rule::Barred(rule) if rule.record.is_some());
    trials::is_entry(fact) && !is_of_machine
}

/// The laws of a stage with the operations in scope, in document order, each with whether it mostly waits. `is_last`
/// selects the operations that could harm the server, or all others.
fn tries<'l, 'd>(
    laws: &'l Setting<'_, 'd>,
    stage: Stage,
    is_last: bool,
) -> Vec<(Try<'l, 'd>, bool)> {
    let selection = laws.selection;
    let mut tries = Vec::new();
    for law in ALL {
        for call in &laws.model.calls {
            let operation = call.operation.label();
            let is_slow = law.stage == Stage::Waiting || laws.recipes.takes_time(&operation);
            if due(law.stage.on(call), is_slow) != stage
                || selection.withheld.is_last(&operation) != is_last
            {
                continue;
            }
            let case = format!("laws/{}/{operation}", law.id);
            let is_requested = selection.covers(&call.operation) && selection.wants(&case);
            if is_requested && !exceptions::omit(&laws.model.behaviour, law.id, &operation) {
                let index = tries.len();
                tries.push((Try { index, law, call }, is_slow));
            }
        }
    }
    tries
}

/// The stage of a law, where waiting laws run concurrently.
fn due(stage: Stage, is_slow: bool) -> Stage {
    match stage {
        Stage::Waiting => Stage::Beside,
        Stage::First if is_slow => Stage::Beside,
        item => item,
    }
}
