//! Schedule: which laws are tried at the same time. Requests that are sent beside each other are the same
//! whatever comes first: each try has a seed of its own.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use futures_util::stream::{FuturesUnordered, StreamExt};

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

/// So many of those that race are under way at once: each sends as many requests at once.
const RACES_AT_ONCE: usize = 3;

/// So many tries are under way with those that mostly wait for time to pass.
const WAITING: usize = 24;

/// So many are looked at for one that shares nothing with those under way.
const AHEAD: usize = 512;

/// A law that is to be tried on an operation.
struct Try<'l, 'd> {
    /// Its place among those of its stage, in which it is told.
    index: usize,
    law: &'static Law,
    call: &'l Call<'d>,
    /// Whether it mostly waits for time to pass.
    is_slow: bool,
    /// What it shares with others, by number, once that was asked for.
    things: Option<Vec<usize>>,
}

/// What is to be tried yet, and what those share that are under way.
struct Queue<'l, 'd> {
    /// Who waits for time to pass comes first, and does so while the others are at work.
    waiting: VecDeque<Try<'l, 'd>>,
    at_once: usize,
    /// How many are under way, without those that mostly wait.
    at_work: usize,
    under_way: usize,
    /// The numbers of what tries share.
    numbers: HashMap<String, usize>,
    held: HashSet<usize>,
}

impl<'l, 'd> Queue<'l, 'd> {
    fn new(mut tries: Vec<Try<'l, 'd>>, at_once: usize) -> Self {
        tries.sort_by_key(|own| (own.law.stage != Stage::Waiting, !own.is_slow));
        Self {
            waiting: tries.into(),
            at_once,
            at_work: 0,
            under_way: 0,
            numbers: HashMap::new(),
            held: HashSet::new(),
        }
    }

    /// The next one that has a place, and shares nothing with those under way, nor with one before it that waits.
    fn next(&mut self, shared: impl Fn(&Call<'d>) -> BTreeSet<String>) -> Option<Try<'l, 'd>> {
        let most = if self.at_once > 1 { WAITING } else { 1 };
        if self.under_way >= most {
            return None;
        }
        let mut taken = self.held.clone();
        let mut found = None;
        for (place, own) in self.waiting.iter_mut().enumerate().take(AHEAD) {
            // Those that take no place are the first.
            if !own.is_slow && self.at_work >= self.at_once {
                break;
            }
            let numbers = &mut self.numbers;
            let things = own.things.get_or_insert_with(|| {
                let all = shared(own.call).into_iter();
                let numbered = all.map(|own| {
                    let next = numbers.len();
                    *numbers.entry(own).or_insert(next)
                });
                numbered.collect()
            });
            if !things.iter().any(|own| taken.contains(own)) {
                found = Some(place);
                break;
            }
            taken.extend(things.iter());
        }
        let own = self.waiting.remove(found?)?;
        self.held.extend(own.things.iter().flatten());
        self.under_way += 1;
        self.at_work += usize::from(!own.is_slow);
        Some(own)
    }

    /// One of them is over.
    fn leave(&mut self, own: &Try<'l, 'd>) {
        for thing in own.things.iter().flatten() {
            self.held.remove(thing);
        }
        self.under_way -= 1;
        self.at_work -= usize::from(!own.is_slow);
    }
}

/// Tries every law on a server.
pub(crate) async fn hold<'d>(runner: &mut Runner<'_, '_, 'd>, laws: &Laws<'_, 'd>) -> Reached {
    let found = Found::default();
    let shared = Shared::new(laws);
    let sender = runner.sender.another();
    let most = if sender.policy.races { AT_ONCE } else { 1 };
    for (stage, at_once) in [
        (Stage::First, most),
        (Stage::Beside, most),
        (Stage::Racing, most.min(RACES_AT_ONCE)),
        (Stage::Alone, 1),
    ] {
        let mut queue = Queue::new(tries(laws, stage), at_once);
        let mut under_way = FuturesUnordered::new();
        let mut next = 0;
        let mut done: BTreeMap<usize, Option<CaseReport>> = BTreeMap::new();
        loop {
            while let Some(own) = queue.next(|call| shared.of(call, &found)) {
                let world = World::new(sender.another(), laws, &found);
                under_way.push(Box::pin(async move {
                    let report = attempt(own.law, world, own.call).await;
                    (own, report)
                }));
            }
            let Some((own, report)) = under_way.next().await else {
                break;
            };
            queue.leave(&own);
            done.insert(own.index, report);
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
fn tries<'l, 'd>(laws: &'l Laws<'_, 'd>, stage: Stage) -> Vec<Try<'l, 'd>> {
    let selection = laws.selection;
    let mut tries = Vec::new();
    for law in ALL {
        for call in &laws.model.calls {
            let operation = call.operation.label();
            let is_slow = law.stage == Stage::Waiting || laws.recipes.takes_time(&operation);
            if due(law.stage.on(call), is_slow) != stage {
                continue;
            }
            let case = format!("laws/{}/{operation}", law.id);
            let is_wanted = selection.covers(&call.operation) && selection.wants(&case);
            if is_wanted && !exceptions::omit(&laws.model.behaviour, law.id, &operation) {
                tries.push(Try {
                    index: tries.len(),
                    law,
                    call,
                    is_slow,
                    things: None,
                });
            }
        }
    }
    tries
}

/// Who waits does so while others are at work.
fn due(stage: Stage, is_slow: bool) -> Stage {
    match stage {
        Stage::Waiting => Stage::Beside,
        Stage::First if is_slow => Stage::Beside,
        own => own,
    }
}
