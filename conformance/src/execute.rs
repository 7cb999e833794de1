//! Execute: the plan against the server. The only async loop; everything it learns is an event.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::case::{Script, Settled, Step, Via};
use crate::checks;
use crate::client::Client;
use crate::collect::Selection;
use crate::compose::Target;
use crate::event::{CaseReport, Event, Finish, Wants};
use crate::fresh::Fresh;
use crate::hooks::{Hooks, Moment};
use crate::judge::Judge;
use crate::laws::{self, Laws};
use crate::level::Verdict;
use crate::notifications::Notifications;
use crate::plan::{Item, Plan};
use crate::recipe::Recipe;
use crate::secrets::Secrets;

mod account;
pub(crate) mod observer;
mod sender;
mod state;
mod steps;

use account::Account;
use observer::Observer;
pub(crate) use sender::Sender;
pub(crate) use state::{State, scope};

/// What requests are sent with.
#[derive(Debug)]
pub struct Wire<'w> {
    /// The client.
    pub client: &'w Client,
    /// Where to.
    pub target: &'w Target,
    /// What must not be shown of them.
    pub secrets: &'w Secrets,
    /// Seed of fresh values.
    pub seed: u64,
    /// What is in scope, for the coverage.
    pub selection: &'w Selection,
    /// What is to be told besides the cases.
    pub wants: Wants,
    /// Takes notifications.
    pub notifications: &'w Notifications,
    /// What is done before and after groups of cases.
    pub hooks: &'w Hooks,
}

/// The group of cases that hooks know all laws as.
const LAWS: &str = "laws";

/// Runs a plan to its end.
pub async fn execute<'d>(
    plan: Plan<'d>,
    judge: &Judge<'d, 'd>,
    wire: &Wire<'_>,
    laws: Option<&Laws<'_, 'd>>,
    emit: &mut dyn FnMut(Event),
) {
    let started = Instant::now();
    let observer = Observer::new(judge.contract, wire.selection, wire.secrets, wire.wants);
    let account = Account::new(observer);
    let mut runner = Runner {
        sender: Sender::new(judge, wire, plan.policy, &account),
        emit,
        via: plan.via,
        decided: BTreeMap::new(),
    };
    let mut waiting = Vec::new();
    for item in plan.items {
        match item {
            Item::Settled(settled) if settled.status.is_some() && laws.is_some() => {
                waiting.push(settled);
            }
            Item::Settled(settled) => {
                runner.report(CaseReport::unsent(
                    &settled.name,
                    settled.verdict,
                    settled.reason,
                ));
            }
            Item::Script(script) => {
                let instead = laws.and_then(|laws| laws.recipes.instead_of(&script));
                if runner.hook(Moment::BeforeEach, &script.name).await {
                    runner.script(&script, instead).await;
                    runner.hook(Moment::AfterEach, &script.name).await;
                } else {
                    runner.give_up(&script);
                }
            }
        }
    }
    if let Some(laws) = laws {
        let mut reached = laws::Reached::default();
        if runner.hook(Moment::BeforeEach, LAWS).await {
            reached = laws::hold(&mut runner, laws).await;
            runner.hook(Moment::AfterEach, LAWS).await;
        }
        for settled in waiting {
            runner.report(settle(&settled, &reached));
        }
    }
    runner.hook(Moment::After, "").await;
    let finish = Finish {
        requests: account.requests(),
        duration: started.elapsed(),
    };
    for event in account.finish() {
        emit(event);
    }
    emit(Event::Finished(finish));
}

/// A documented answer that no example and no scenario reaches: the laws may have reached its status.
fn settle(settled: &Settled, reached: &laws::Reached) -> CaseReport {
    let place = (
        settled.name.operation.clone(),
        settled.status.unwrap_or_default(),
    );
    match reached.get(&place) {
        Some(cases) => {
            let mut report = CaseReport::unsent(&settled.name, Verdict::Pass, "");
            report.reason = None;
            report.via.clone_from(cases);
            report
        }
        None => CaseReport::unsent(&settled.name, settled.verdict, settled.reason.clone()),
    }
}

/// Runs scripts and reports what became of them.
pub(crate) struct Runner<'r, 'j, 'd> {
    pub(crate) sender: Sender<'r, 'j, 'd>,
    emit: &'r mut dyn FnMut(Event),
    via: Vec<Via>,
    decided: BTreeMap<String, CaseReport>,
}

/// Whether an answer has another status than the documented one.
fn is_refused(report: &CaseReport) -> bool {
    let found = &report.differences;
    found.iter().any(|own| own.check == &checks::STATUS_CODE)
}

impl<'d> Runner<'_, '_, 'd> {
    async fn script(&mut self, script: &Script<'d>, instead: Option<&Recipe<'d>>) {
        let fresh = Fresh::new(self.sender.wire.seed, &script.name);
        let mut state = State::new(&script.inputs, fresh);
        for step in &script.steps {
            let mut report = self.sender.step(script, step, &mut state).await;
            if let Some(recipe) = instead.filter(|_| is_refused(&report)) {
                report = self.anew(recipe, step, report).await;
            }
            if step.reported {
                self.report(report);
            } else {
                self.decided.insert(report.id.clone(), report);
            }
        }
        self.settle_via();
    }

    /// Runs a hook; whether what follows may be run. One that fails is an error of the run.
    async fn hook(&mut self, moment: Moment, group: &str) -> bool {
        let Err(reason) = self.sender.wire.hooks.run(moment, group).await else {
            return true;
        };
        let reason = self
            .sender
            .account
            .with_secrets(|secrets| secrets.redact(&reason));
        self.report(moment.failed(group, &reason));
        false
    }

    /// Cases whose hook has failed are not run.
    fn give_up(&mut self, script: &Script<'d>) {
        for step in script.steps.iter().filter(|own| own.reported) {
            let reason = "the command before it failed";
            self.report(CaseReport::unsent(&step.name, Verdict::Skip, reason));
        }
        self.settle_via();
    }

    /// An example that is refused as it stands may name records that are not there: once more, with
    /// records that are made for it.
    async fn anew(
        &mut self,
        recipe: &Recipe<'d>,
        step: &Step<'d>,
        refused: CaseReport,
    ) -> CaseReport {
        let Some((call, before)) = recipe.split() else {
            return refused;
        };
        let fresh = Fresh::new(self.sender.wire.seed, &format!("{}#anew", step.name.id));
        let mut state = State::new(&recipe.script.inputs, fresh);
        for own in before {
            self.sender.step(&recipe.script, own, &mut state).await;
        }
        let call = Step {
            name: step.name.clone(),
            expected: step.expected.clone(),
            ..call.clone()
        };
        let report = self.sender.step(&recipe.script, &call, &mut state).await;
        if is_refused(&report) || report.verdict == Verdict::Skip {
            return refused;
        }
        CaseReport {
            requests: report.requests + refused.requests,
            ..report
        }
    }

    pub(crate) fn report(&mut self, report: CaseReport) {
        self.decided.insert(report.id.clone(), report.clone());
        for event in self.sender.account.take() {
            (self.emit)(event);
        }
        (self.emit)(Event::Case(report));
    }

    /// Reports the documented examples whose steps are all decided.
    fn settle_via(&mut self) {
        let decided = |via: &Via| via.steps.iter().all(|step| self.decided.contains_key(step));
        let (ready, waiting) = std::mem::take(&mut self.via).into_iter().partition(decided);
        self.via = waiting;
        let ready: Vec<Via> = ready;
        for via in ready {
            let report = self.via(&via);
            self.report(report);
        }
    }

    /// The worst verdict of the steps that reach an example, with the differences behind it. A step
    /// that was skipped counts where no other reached it.
    fn via(&self, via: &Via) -> CaseReport {
        let steps = via.steps.iter().filter_map(|step| self.decided.get(step));
        let worst = steps.max_by_key(|step| (step.verdict != Verdict::Skip, step.verdict));
        let mut report = CaseReport::unsent(&via.name, Verdict::Skip, "no step reaches it");
        if let Some(worst) = worst {
            report.verdict = worst.verdict;
            report.reason.clone_from(&worst.reason);
            report.differences.clone_from(&worst.differences);
        }
        report.via.clone_from(&via.steps);
        report
    }
}
