//! Execute: the plan against the server. The only async loop; everything it learns is an event.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::{Instant, SystemTime};

use futures_util::future::join_all;

use crate::case::{Expected, Script, Settled, Step, Via};
use crate::checks;
use crate::client::Client;
use crate::collect::Selection;
use crate::compose::{Target, compose};
use crate::curl;
use crate::event::{CaseReport, Event, Finish, Wants};
use crate::exchange::{BodyFault, Exchange, NoAnswer, Sent};
use crate::expression::Scope;
use crate::fresh::Fresh;
use crate::judge::{self, Difference, Judge};
use crate::laws::{self, Laws};
use crate::level::Verdict;
use crate::plan::{Item, Plan, Policy};
use crate::recipe::Recipe;
use crate::scenario::{Parallel, Until};
use crate::secrets::Secrets;

pub(crate) mod observer;
mod state;

use observer::Observer;
use state::remember;
pub(crate) use state::{State, scope};

/// After so many requests in a row without an answer in time the server is given up.
const PATIENCE: u32 = 3;

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
}

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
    let mut runner = Runner {
        judge,
        wire,
        policy: plan.policy,
        emit,
        via: plan.via,
        decided: BTreeMap::new(),
        requests: 0,
        unanswered: 0,
        observer: RefCell::new(observer),
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
                runner.script(&script, instead).await;
            }
        }
    }
    if let Some(laws) = laws {
        let reached = laws::hold(&mut runner, laws).await;
        for settled in waiting {
            runner.report(settle(&settled, &reached));
        }
    }
    let finish = Finish {
        requests: runner.requests,
        duration: started.elapsed(),
    };
    for event in runner.observer.into_inner().finish() {
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

pub(crate) struct Runner<'r, 'j, 'd> {
    pub(crate) judge: &'r Judge<'j, 'd>,
    pub(crate) wire: &'r Wire<'r>,
    pub(crate) policy: Policy,
    emit: &'r mut dyn FnMut(Event),
    via: Vec<Via>,
    decided: BTreeMap<String, CaseReport>,
    pub(crate) requests: u64,
    unanswered: u32,
    /// Requests that are sent at once share it.
    observer: RefCell<Observer<'d>>,
}

/// Whether an answer has another status than the documented one.
fn is_refused(report: &CaseReport) -> bool {
    let found = &report.differences;
    found.iter().any(|own| own.check == &checks::STATUS_CODE)
}

/// What became of a step.
struct Outcome {
    differences: Vec<Difference>,
    /// The exchange that later steps build on.
    exchange: Option<Exchange>,
}

impl<'d> Runner<'_, '_, 'd> {
    async fn script(&mut self, script: &Script<'d>, instead: Option<&Recipe<'d>>) {
        let fresh = Fresh::new(self.wire.seed, &script.name);
        let mut state = State::new(&script.inputs, fresh);
        for step in &script.steps {
            let mut report = self.step(script, step, &mut state).await;
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
        let fresh = Fresh::new(self.wire.seed, &format!("{}#anew", step.name.id));
        let mut state = State::new(&recipe.script.inputs, fresh);
        for own in before {
            self.step(&recipe.script, own, &mut state).await;
        }
        let call = Step {
            name: step.name.clone(),
            expected: step.expected.clone(),
            ..call.clone()
        };
        let report = self.step(&recipe.script, &call, &mut state).await;
        if is_refused(&report) || report.verdict == Verdict::Skip {
            return refused;
        }
        CaseReport {
            requests: report.requests + refused.requests,
            ..report
        }
    }

    pub(crate) async fn step(
        &mut self,
        script: &Script<'d>,
        step: &Step<'d>,
        state: &mut State<'_>,
    ) -> CaseReport {
        if let Some(reason) = self.obstacle(step, state) {
            state.failed.push(step.id.clone());
            return CaseReport::unsent(&step.name, Verdict::Skip, reason);
        }
        let (started, requests) = (Instant::now(), self.requests);
        let outcome = match (&step.flow.parallel, &step.flow.until) {
            (Some(parallel), _) => self.parallel(script, step, parallel, state).await,
            (None, Some(until)) => self.until(step, until, state).await,
            (None, None) => self.once(step, state).await,
        };
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(reason) => {
                state.failed.push(step.id.clone());
                return CaseReport::unsent(&step.name, Verdict::Skip, reason);
            }
        };
        remember(step, &outcome, state);
        CaseReport {
            id: step.name.id.clone(),
            operation_id: step.name.operation.clone(),
            area: step.name.area.clone(),
            verdict: Verdict::of(outcome.differences.iter().map(|own| own.level)),
            reason: None,
            via: Vec::new(),
            differences: outcome.differences,
            requests: self.requests - requests,
            duration_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// Why a step cannot be run.
    fn obstacle(&self, step: &Step<'_>, state: &State<'_>) -> Option<String> {
        if self.unanswered >= PATIENCE {
            return Some(format!(
                "given up after {PATIENCE} requests in a row without an answer"
            ));
        }
        if step.blocked.is_some() {
            return step.blocked.clone();
        }
        let needed = step
            .flow
            .needs
            .iter()
            .find(|needed| state.failed.contains(needed))?;
        Some(format!(
            "it needs the step `{needed}`, which did not succeed"
        ))
    }

    async fn once(&mut self, step: &Step<'d>, state: &mut State<'_>) -> Result<Outcome, String> {
        let scope = scope(&state.values, None);
        let sent = self.compose(step, &scope, &mut state.fresh)?;
        let exchange = self.send(sent).await;
        let differences = self.differences(step, &exchange, state);
        Ok(Outcome {
            differences,
            exchange: Some(exchange),
        })
    }

    /// Repeats a step until its criteria hold; only the last answer is judged.
    async fn until(
        &mut self,
        step: &Step<'d>,
        until: &Until,
        state: &mut State<'_>,
    ) -> Result<Outcome, String> {
        let started = Instant::now();
        let mut late = Vec::new();
        let exchange = loop {
            let scope = scope(&state.values, None);
            let sent = self.compose(step, &scope, &mut state.fresh)?;
            let exchange = self.send(sent).await;
            if exchange.outcome.is_err() {
                break exchange;
            }
            let scope = state::scope(&state.values, Some(&exchange));
            if until.criteria.iter().all(|own| own.condition.holds(&scope)) {
                break exchange;
            }
            let waited = started.elapsed();
            if waited + until.interval > until.deadline {
                late = judge::until(self.judge, step, until, &scope, waited);
                self.finish(&mut late, &exchange.sent);
                break exchange;
            }
            tokio::time::sleep(until.interval).await;
        };
        let mut differences = self.differences(step, &exchange, state);
        let known: Vec<String> = late.iter().map(|own| own.pointer.clone()).collect();
        differences.retain(|own| own.pointer.is_empty() || !known.contains(&own.pointer));
        late.append(&mut differences);
        Ok(Outcome {
            differences: late,
            exchange: Some(exchange),
        })
    }

    /// Sends twins of a step at once.
    async fn parallel(
        &mut self,
        script: &Script<'d>,
        step: &Step<'d>,
        parallel: &Parallel,
        state: &mut State<'_>,
    ) -> Result<Outcome, String> {
        let mut requests = Vec::with_capacity(parallel.count);
        for twin in 0..parallel.count {
            let scope = scope(&state.values, None);
            let sent = if parallel.own_keys {
                let name = format!("{}/{}/{twin}", script.name, step.id);
                let mut fresh = Fresh::new(self.wire.seed, &name);
                self.compose(step, &scope, &mut fresh)?
            } else {
                self.compose(step, &scope, &mut state.fresh)?
            };
            requests.push(sent);
        }
        let exchanges = self.send_together(requests).await;
        Ok(self.twins(step, parallel, exchanges, state))
    }

    fn twins(
        &self,
        step: &Step<'d>,
        parallel: &Parallel,
        exchanges: Vec<Exchange>,
        state: &State<'_>,
    ) -> Outcome {
        let refused = Step {
            expected: Expected::default(),
            ..step.clone()
        };
        let meets = |exchange: &Exchange| {
            let scope = scope(&state.values, Some(exchange));
            let limit = parallel.limit.as_ref();
            limit.is_none_or(|limit| limit.criterion.condition.holds(&scope))
        };
        let met = exchanges.iter().filter(|own| meets(own)).count();
        let mut differences: Vec<Difference> = Vec::new();
        for exchange in &exchanges {
            let step = if meets(exchange) { step } else { &refused };
            for difference in self.differences(step, exchange, state) {
                let same = |own: &Difference| {
                    own.check == difference.check && own.pointer == difference.pointer
                };
                if !differences.iter().any(same) {
                    differences.push(difference);
                }
            }
        }
        if let (Some(limit), Some(first)) = (&parallel.limit, exchanges.first()) {
            let mut count: Vec<_> = judge::parallel(self.judge, step, limit, met)
                .into_iter()
                .collect();
            self.finish(&mut count, &first.sent);
            differences.append(&mut count);
        }
        let chosen = exchanges.iter().position(meets).unwrap_or(0);
        Outcome {
            differences,
            exchange: exchanges.into_iter().nth(chosen),
        }
    }

    pub(crate) fn compose(
        &self,
        step: &Step<'d>,
        scope: &Scope<'_>,
        fresh: &mut Fresh,
    ) -> Result<Sent, String> {
        let document = self.judge.contract.document;
        compose(document, step, self.wire.target, scope, fresh).map_err(|error| error.to_string())
    }

    pub(crate) async fn send(&mut self, sent: Sent) -> Exchange {
        self.requests += 1;
        let exchange = self.exchange(sent).await;
        self.wait(&exchange);
        exchange
    }

    /// Sends requests at once.
    pub(crate) async fn send_together(&mut self, all: Vec<Sent>) -> Vec<Exchange> {
        self.requests += all.len() as u64;
        let exchanges = join_all(all.into_iter().map(|sent| self.exchange(sent))).await;
        for exchange in &exchanges {
            self.wait(exchange);
        }
        exchanges
    }

    /// Counts the requests that had no whole answer in time.
    fn wait(&mut self, exchange: &Exchange) {
        let too_slow = match &exchange.outcome {
            Err(NoAnswer::Timeout(_)) => true,
            Ok(answer) => matches!(answer.body, Err(BodyFault::TooSlow { .. })),
            Err(NoAnswer::Closed(_)) => false,
        };
        self.unanswered = if too_slow { self.unanswered + 1 } else { 0 };
    }

    async fn exchange(&self, sent: Sent) -> Exchange {
        let (wall, started) = (SystemTime::now(), Instant::now());
        let outcome = self.wire.client.send(&sent).await;
        let exchange = Exchange { sent, outcome };
        self.observer
            .borrow_mut()
            .exchange(&exchange, wall, started.elapsed());
        exchange
    }

    fn differences(
        &self,
        step: &Step<'d>,
        exchange: &Exchange,
        state: &State<'_>,
    ) -> Vec<Difference> {
        let scope = scope(&state.values, Some(exchange));
        let mut differences = self
            .judge
            .judge(step, exchange, &scope, &state.values.history);
        self.finish(&mut differences, &exchange.sent);
        self.observer
            .borrow_mut()
            .judged(step, exchange, !differences.is_empty());
        differences
    }

    /// Takes secrets out of the texts and adds the command that repeats the request.
    pub(crate) fn finish(&self, differences: &mut [Difference], sent: &Sent) {
        if differences.is_empty() {
            return;
        }
        let observer = self.observer.borrow();
        let secrets = observer.secrets();
        let curl = curl::command(sent, secrets);
        for difference in differences {
            difference.curl.clone_from(&curl);
            difference.expected = secrets.redact(&difference.expected);
            difference.actual = secrets.redact(&difference.actual);
        }
    }

    /// The command that repeats a request.
    pub(crate) fn curl(&self, sent: &Sent) -> String {
        curl::command(sent, self.observer.borrow().secrets())
    }

    pub(crate) fn report(&mut self, report: CaseReport) {
        self.decided.insert(report.id.clone(), report.clone());
        for event in self.observer.get_mut().take() {
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
