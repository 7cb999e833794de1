//! Schedule: which laws are tried at the same time. Requests that are sent beside each other are the same
//! whatever comes first: each try has a seed of its own.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use futures_util::stream::{self, StreamExt};
use tokio::sync::{Mutex, MutexGuard, Semaphore};

use super::notices::webhooks;
use super::{ALL, Law, Laws, Reached, Stage, exceptions, run};
use crate::event::CaseReport;
use crate::execute::Runner;
use crate::laws::trial::found::Found;
use crate::laws::trial::shared::Shared;
use crate::laws::trial::world::World;
use crate::model::Call;

/// So many tries are under way at once on a server on this machine; elsewhere one.
const AT_ONCE: usize = 8;

/// So many tries are under way or wait for what others have.
const WAITING: usize = 64;

/// Who has a turn with something that is shared.
#[derive(Default)]
struct Turns {
    all: RefCell<BTreeMap<String, Rc<Mutex<()>>>>,
}

impl Turns {
    /// The turns of some things, in one order, so that nobody waits for somebody who waits.
    fn of(&self, things: &BTreeSet<String>) -> Vec<Rc<Mutex<()>>> {
        let mut all = self.all.borrow_mut();
        let turns = things
            .iter()
            .map(|own| Rc::clone(all.entry(own.clone()).or_default()));
        turns.collect()
    }
}

async fn wait(turns: &[Rc<Mutex<()>>]) -> Vec<MutexGuard<'_, ()>> {
    let mut guards = Vec::new();
    for turn in turns {
        guards.push(turn.lock().await);
    }
    guards
}

/// Tries every law on a server.
pub(crate) async fn hold<'d>(runner: &mut Runner<'_, '_, 'd>, laws: &Laws<'_, 'd>) -> Reached {
    let found = Found::default();
    let shared = Shared::new(laws);
    let turns = Turns::default();
    let sender = runner.sender.another();
    let most = if sender.policy.races { AT_ONCE } else { 1 };
    for (stage, at_once) in [
        (Stage::First, most),
        (Stage::Beside, most),
        (Stage::Alone, 1),
    ] {
        let mut tries: Vec<_> = tries(laws, stage).into_iter().enumerate().collect();
        // Who waits for time to pass does so while the others are at work.
        tries.sort_by_key(|(_, (_, call))| !laws.recipes.takes_time(&call.operation.label()));
        let room = Semaphore::new(at_once);
        let tries = tries.into_iter().map(|(index, (law, call))| {
            let world = World::new(sender.another(), laws, &found);
            let turns = turns.of(&shared.of(call, &found));
            let room = &room;
            Box::pin(async move {
                let _turns = wait(&turns).await;
                // It is never closed.
                let _room = room.acquire().await.ok();
                (index, attempt(law, world, call).await)
            })
        });
        // Who waits for a turn keeps nobody else waiting.
        let waiting = if at_once > 1 { WAITING } else { 1 };
        let mut tries = stream::iter(tries).buffer_unordered(waiting);
        let mut next = 0;
        let mut done: BTreeMap<usize, Option<CaseReport>> = BTreeMap::new();
        while let Some((index, report)) = tries.next().await {
            done.insert(index, report);
            // Whatever is over first, it is told in one order.
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

async fn attempt<'d>(
    law: &Law,
    mut world: World<'_, '_, '_, 'd>,
    call: &Call<'d>,
) -> Option<CaseReport> {
    let mut draft = world.draft(law.id, call);
    let tried = run(law, &mut world, call, &mut draft).await;
    world.tidy().await;
    world.settle(draft, tried)
}

/// The laws of a stage with the operations in scope, in the order of the document.
fn tries<'l, 'd>(laws: &'l Laws<'_, 'd>, stage: Stage) -> Vec<(&'static Law, &'l Call<'d>)> {
    let selection = laws.selection;
    let mut tries = Vec::new();
    for law in ALL {
        let calls = laws.model.calls.iter();
        for call in calls.filter(|call| law.stage.on(call) == stage) {
            let operation = call.operation.label();
            let case = format!("laws/{}/{operation}", law.id);
            let is_wanted = selection.covers(&call.operation) && selection.wants(&case);
            if is_wanted && !exceptions::omit(&laws.model.behaviour, law.id, &operation) {
                tries.push((law, call));
            }
        }
    }
    tries
}
