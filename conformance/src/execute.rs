//! Execute: runs the plan against the server. The only async loop; it reports events.

use std::collections::BTreeMap;
use std::pin::pin;
use std::time::Instant;

use futures_util::future::{Either, select};
use openapi_document::view::Status;
use reqwest::Url;

use crate::case::{CaseName, Open, Script, Settled, Spoil, Step, Via};
use crate::checks::{self, Check};
use crate::client::Client;
use crate::collect::Selection;
use crate::compose::Target;
use crate::event::{CaseReport, Event, Finish, Wants};
use crate::exchange::{Answer, Exchange};
use crate::fresh::Fresh;
use crate::hooks::{Hooks, Moment};
use crate::judge::Judge;
use crate::level::Verdict;
use crate::notifications::Notifications;
use crate::plan::{Item, Plan};
use crate::reached::Reached;
use crate::secrets::Secrets;
use crate::seed::Seed;
use crate::setting::Setting;
use crate::withheld::Withheld;
use futures_util::future::LocalBoxFuture;

mod account;
mod concurrency;
mod forms;
mod health;
mod idle;
mod inconclusive;
mod named;
pub(crate) mod observed;
mod observer;
mod obstacle;
mod outcome;
mod ownership;
mod records;
mod refusals;
mod retry;
mod sender;
mod state;
mod steps;
mod stranger;
mod teardown;

use account::Account;
use concurrency::Concurrency;
use forms::Forms;
use health::Health;
use observer::Observer;
use obstacle::{answer_of, never_succeeded};
pub(crate) use obstacle::{no_preparation, no_success};
use ownership::Ownership;
use records::Records;
use refusals::Refusals;
pub(crate) use sender::Sender;
pub(crate) use state::{State, scope};

/// Everything that requests are sent with.
#[derive(Debug)]
pub struct Wire<'w> {
    /// The client.
    pub client: &'w Client,
    /// Where connections go: the server, or the proxy before it.
    pub entry: &'w Url,
    /// The address and headers of requests.
    pub target: &'w Target,
    /// The values that outputs must not contain.
    pub secrets: &'w Secrets,
    /// The seed of choices and fresh values.
    pub seed: Seed,
    /// The scope, for the coverage.
    pub selection: &'w Selection,
    /// The events to report besides cases.
    pub wants: Wants,
    /// The number of parallel requests outside races.
    pub parallel: u32,
    /// Whether the run keeps the records that it created.
    pub keeps_records: bool,
    /// The receiver of notifications.
    pub notifications: &'w Notifications,
    /// Commands before and after groups of cases.
    pub hooks: &'w Hooks,
}

/// The name of the group of all laws, for hooks.
const LAWS: &str = "laws";

/// Runs the laws after the plan. Returns the statuses that they received.
pub(crate) type RunLaws<'d> =
    for<'r, 's, 'w> fn(&'r mut Runner<'w, 'd>, &'r Setting<'s, 'd>) -> LocalBoxFuture<'r, Reached>;

/// Runs a plan to its end.
pub(crate) async fn execute<'d>(
    plan: Plan<'d>,
    judge: &Judge<'d, 'd>,
    wire: &Wire<'_>,
    laws: Option<(&Setting<'_, 'd>, RunLaws<'d>)>,
    emit: &mut dyn FnMut(Event),
) {
    let started = Instant::now();
    let observer = Observer::new(judge.contract, wire.selection, wire.secrets, wire.wants);
    let forms = laws.map_or_else(Forms::default, |(setting, _)| forms_of(setting));
    let allow = wire.selection.exclusions.allow_destructive;
    let ownership = Ownership::new(judge.contract.document, allow);
    let health = Health::new(judge.contract.document);
    let withheld = Withheld::of(judge.contract.document, &wire.selection.exclusions);
    let records = Records::new(judge.contract.document, &withheld);
    let account = Account::new(
        observer,
        forms,
        (ownership, health, records),
        Concurrency::new(wire.parallel),
    );
    let mut runner = Runner {
        sender: Sender::new(judge, wire, plan.policy, &account),
        emit,
        via: plan.via,
        decided: BTreeMap::new(),
        suspect: Vec::new(),
        granted: Vec::new(),
    };
    let mut waiting = match laws {
        Some((laws, _)) => {
            let scripts = pin!(runner.items(plan.items, Some(laws)));
            let planning = pin!(idle::plan(laws, &account));
            match select(scripts, planning).await {
                Either::Left((waiting, _)) => waiting,
                Either::Right(((), scripts)) => scripts.await,
            }
        }
        None => runner.items(plan.items, None).await,
    };
    let mut reached = Reached::default();
    if let Some((setting, hold)) = laws
        && runner.hook(Moment::BeforeEach, LAWS).await
    {
        reached = hold(&mut runner, setting).await;
        runner.hook(Moment::AfterEach, LAWS).await;
    }
    let setting = laws.map(|(setting, _)| setting);
    waiting.extend(runner.items(plan.last, setting).await);
    for settled in waiting {
        let report = settle(&settled, &reached, &account.refusals());
        runner.report(report);
    }
    runner.sender.check_memory().await;
    if let Some(reason) = account.lost() {
        runner.report(lost(reason));
    }
    account.health.settle();
    runner.release();
    let mut cleanup = None;
    if !wire.keeps_records {
        cleanup = Some(runner.sender.clean_up().await);
    }
    runner.hook(Moment::After, "").await;
    let finish = Finish {
        requests: account.requests(),
        duration: started.elapsed(),
        strained: account.concurrency.strained(),
        granted: account.forms().granted().clone(),
        cleanup,
    };
    for event in account.finish() {
        emit(event);
    }
    emit(Event::Finished(finish));
}

/// The case that reports a lost server. It ends the run.
fn lost(reason: String) -> CaseReport {
    let name = CaseName {
        id: "server/lost".to_owned(),
        operation: String::new(),
        area: "server".to_owned(),
    };
    CaseReport::unsent(&name, Verdict::Error, reason)
}

/// The collector of answers that break their schemas, for the operations in scope.
fn forms_of<'d>(laws: &Setting<'_, 'd>) -> Forms<'d> {
    let calls = laws.model.calls.iter().map(|call| call.operation.clone());
    Forms::new(calls.filter(|operation| laws.selection.covers(operation)))
}

/// Decides a documented answer that no example or scenario reaches. It passes when a law received
/// its status or a refusal had its code.
fn settle(settled: &Settled, reached: &Reached, refusals: &Refusals) -> CaseReport {
    let operation = &settled.name.operation;
    let skip = |reason| CaseReport::unsent(&settled.name, settled.verdict, reason);
    let Some(open) = &settled.open else {
        return skip(settled.reason.clone());
    };
    let known = reached.get(&(operation.clone(), open.status));
    if known.is_none() && !refusals.are_seen(operation, open) {
        return skip(settled.reason.clone());
    }
    if !refusals.have(operation, open) {
        let shown = open.constants.in_words();
        return skip(format!(
            "no answer with {} had {shown} of its example",
            open.status
        ));
    }
    // The law of answers has validated the answer, no matter which case received it.
    let of_answers = || vec![format!("{LAWS}/answers/{operation}")];
    let cases = known.cloned().unwrap_or_else(of_answers);
    let mut report = CaseReport::unsent(&settled.name, Verdict::Pass, "");
    report.reason = None;
    report.via = cases;
    report
}

/// The case of a documented answer that its example did not receive, and that laws may still
/// receive.
fn open(step: &Step<'_>, reason: String) -> Option<Settled> {
    let response = step.expected.response.as_ref()?;
    let Status::Code(code) = response.status else {
        return None;
    };
    Some(Settled {
        name: step.name.clone(),
        open: Some(Open::new(code, step.expected.example, response)),
        verdict: Verdict::Skip,
        reason,
    })
}

/// Runs scripts and reports their cases.
pub(crate) struct Runner<'r, 'd> {
    pub(crate) sender: Sender<'r, 'd>,
    emit: &'r mut dyn FnMut(Event),
    via: Vec<Via>,
    decided: BTreeMap<String, CaseReport>,
    /// Cases that wait for a verdict about the server's health.
    suspect: Vec<CaseReport>,
    /// Successful answers to examples.
    pub(crate) granted: Vec<Exchange>,
}

/// Whether an answer has another status than the documented one.
fn is_refused(report: &CaseReport) -> bool {
    has(report, &checks::STATUS_CODE)
}

/// Whether an answer suggests that records are missing: another status, an empty list, or a refusal
/// with another code than the documented one.
fn lacks_records(report: &CaseReport, refusal: Option<u16>) -> bool {
    let is_of_other_cause = refusal.is_some() && has(report, &checks::FINAL_VALUE);
    is_refused(report) || has(report, &checks::ITEM_MISSING) || is_of_other_cause
}

fn has(report: &CaseReport, check: &Check) -> bool {
    report
        .differences
        .iter()
        .any(|difference| difference.check == check)
}

/// The documented status when the only step of a script expects a refusal.
fn refusal(script: &Script<'_>) -> Option<u16> {
    let [step] = &script.steps[..] else {
        return None;
    };
    match step.expected.response.as_ref()?.status {
        Status::Code(code) if code >= 400 && step.request.spoil.is_none() => Some(code),
        _ => None,
    }
}

/// Whether an answer has a status that begins with `status`, and not the documented one.
fn is_answered(report: &CaseReport, status: &str) -> bool {
    report.differences.iter().any(|difference| {
        let actual = difference.actual.strip_prefix("status ");
        difference.check == &checks::STATUS_CODE
            && actual.is_some_and(|observed| observed.starts_with(status))
    })
}

/// Whether an answer instead of a refusal suggests that the refused state is missing: 404, or a
/// success where the refusal depends on a state.
fn is_elsewhere(report: &CaseReport, refusal: u16) -> bool {
    is_answered(report, "404") || (is_of_state(refusal) && is_answered(report, "2"))
}

/// Skips an example of a success that the server refused because a stock or balance may be used up.
fn skip_used_up(report: &mut CaseReport, step: &Step<'_>, laws: &Setting<'_, '_>) {
    let call = laws.model.call(&step.name.operation);
    let expected = step.expected.response.as_ref();
    let is_success = expected.is_some_and(|expected| expected.status.is_success());
    let mut codes = [402_u16, 409, 422].into_iter();
    let code = codes.find(|code| is_answered(report, &code.to_string()));
    if is_success && call.is_some_and(|call| laws.model.wants(call, code)) {
        let answer = answer_of(&report.differences);
        report.differences.clear();
        report.verdict = Verdict::Skip;
        report.reason = Some(used_up(&step.name.operation, &answer));
    }
}

/// The reason for a skip because a stock or balance may be used up.
fn used_up(operation: &str, answer: &str) -> String {
    format!(
        "{}: its stock or balance may be used up; give a scenario that adds to it",
        never_succeeded(operation, answer)
    )
}

/// Whether a refusal depends on the state of the server rather than on the request.
fn is_of_state(code: u16) -> bool {
    !matches!(code, 400 | 401 | 402 | 406 | 413 | 415 | 422)
}

/// The report that is nearer to the documented answer.
fn better(one: CaseReport, other: CaseReport, refusal: Option<u16>) -> CaseReport {
    let requests = one.requests + other.requests;
    let rank = |report: &CaseReport| match report.verdict {
        Verdict::Skip => 4,
        _ if is_answered(report, "404") => 3,
        _ if is_refused(report) => 2,
        _ => u8::from(lacks_records(report, refusal)),
    };
    let better = if rank(&other) < rank(&one) {
        other
    } else {
        one
    };
    CaseReport { requests, ..better }
}

impl<'d> Runner<'_, 'd> {
    /// Runs scripts and cases of a plan. Returns the cases that laws may still decide.
    async fn items(
        &mut self,
        items: Vec<Item<'d>>,
        laws: Option<&Setting<'_, 'd>>,
    ) -> Vec<Settled> {
        let mut waiting = Vec::new();
        for item in items {
            if self.sender.account.lost().is_some() {
                break;
            }
            match item {
                Item::Settled(settled) if settled.open.is_some() && laws.is_some() => {
                    waiting.push(settled);
                }
                Item::Settled(settled) => {
                    self.report(CaseReport::unsent(
                        &settled.name,
                        settled.verdict,
                        settled.reason,
                    ));
                }
                Item::Script(script) => {
                    if self.hook(Moment::BeforeEach, &script.name).await {
                        waiting.extend(self.script(&script, laws).await);
                        self.hook(Moment::AfterEach, &script.name).await;
                    } else {
                        self.give_up(&script);
                    }
                }
            }
        }
        waiting
    }

    /// Runs a script. Returns its case when the example depends on more than the request and did
    /// not get its answer.
    async fn script(
        &mut self,
        script: &Script<'d>,
        laws: Option<&Setting<'_, 'd>>,
    ) -> Option<Settled> {
        let mut fresh = Fresh::new(self.sender.wire.seed, &script.name);
        fresh.keep_as_shown();
        let mut state = State::new(&script.inputs, fresh);
        let is_example = script.steps.len() == 1;
        state.kept = (laws.is_some() && is_example).then(Vec::new);
        let mut unreached = None;
        for step in &script.steps {
            let mut report = self.sender.step(script, step, &mut state).await;
            let code = refusal(script);
            report = self.renamed(script, (step, report), &mut state).await;
            if let Some(laws) = laws.filter(|_| lacks_records(&report, code)) {
                if code == Some(409) {
                    let again = self.sender.step(script, step, &mut state).await;
                    report = better(report, again, code);
                }
                let (nearest, lack) = self.retry(script, step, report, laws).await;
                report = nearest;
                if let Some(reason) = lack {
                    unreached = open(step, reason);
                }
                skip_used_up(&mut report, step, laws);
                if code.is_some_and(|code| is_elsewhere(&report, code)) {
                    let answer = answer_of(&report.differences);
                    let reason = format!(
                        "the server answered the example of this refusal with another documented status: {answer}"
                    );
                    unreached = open(step, reason);
                }
            }
            if unreached.is_none() && laws.is_some() {
                unreached = self.of_another_cause(script, step, &report);
            }
            if unreached.is_some() {
                continue;
            }
            let examples = self.sender.judge.weights.examples;
            let account = self.sender.account;
            let has_succeeded = account.refusals().has_succeeded(&step.name.operation);
            let reason = inconclusive::reason(step, &report, is_example, (examples, has_succeeded));
            if let Some(reason) = reason {
                match laws {
                    Some(_) => unreached = open(step, reason),
                    None => self.report(CaseReport::unsent(&step.name, Verdict::Skip, reason)),
                }
                continue;
            }
            if step.reported {
                self.report(report);
            } else {
                self.decided.insert(report.id.clone(), report);
            }
        }
        let kept = state.kept.into_iter().flatten();
        self.granted.extend(kept.filter(|exchange| {
            let answer = exchange.outcome.as_ref();
            answer.is_ok_and(Answer::is_success)
        }));
        self.settle_via();
        unreached
    }

    /// Repeats a step whose example was refused with a conflict, with other values for properties
    /// that may be in use. The report names them.
    async fn renamed(
        &mut self,
        script: &Script<'d>,
        (step, report): (&Step<'d>, CaseReport),
        state: &mut State<'_>,
    ) -> CaseReport {
        // When the operation documents 409, a 422 is about the request.
        let codes: &[u16] = match step.operation.response(409) {
            Some(_) => &[409],
            None => &[422],
        };
        let mut codes = codes.iter();
        let conflict = codes.find(|code| is_answered(&report, &code.to_string()));
        let body = step.request.body.as_ref();
        let may_be_taken = body.is_some_and(|body| body.conflicts.refuses_repeats());
        let Some(conflict) = conflict.filter(|_| may_be_taken && refusal(script).is_none()) else {
            return report;
        };
        let mut fresh = state.fresh.clone();
        std::mem::swap(&mut fresh, &mut state.fresh);
        state.fresh.renew(*conflict);
        state.failed.remove(&step.id);
        let mut again = self.sender.step(script, step, state).await;
        let renamed: Vec<String> = state
            .fresh
            .renamed()
            .map(|name| format!("`{name}`"))
            .collect();
        if renamed.is_empty() || is_refused(&again) {
            state.fresh = fresh;
            return better(report, again, None);
        }
        again.requests += report.requests;
        let names = renamed.join(", ");
        again.reason.get_or_insert_with(|| {
            format!("its unchanged example was answered with {conflict}, and sent again with another {names}")
        });
        again
    }

    /// The case of a documented refusal when the truncated body got its status with another code.
    fn of_another_cause(
        &self,
        script: &Script<'d>,
        step: &Step<'d>,
        report: &CaseReport,
    ) -> Option<Settled> {
        let is_spoiled = step.request.spoil == Some(Spoil::TruncatedBody);
        let is_alone = script.steps.len() == 1 && report.verdict == Verdict::Pass;
        let reason = "its status was answered with another code than its example has";
        let settled = open(step, reason.to_owned())?;
        let refusals = self.sender.account.refusals();
        let is_other = !refusals.have(&step.name.operation, settled.open.as_ref()?);
        (is_spoiled && is_alone && is_other).then_some(settled)
    }

    /// Runs a hook. Returns whether the cases may run. A failed hook is an error of the run.
    async fn hook(&mut self, moment: Moment, group: &str) -> bool {
        let wire = self.sender.wire;
        if wire.hooks.line(moment).is_some() {
            wire.client.rest();
        }
        let Err(reason) = wire.hooks.run(moment, group).await else {
            return true;
        };
        let reason = self
            .sender
            .account
            .with_secrets(|secrets| secrets.redact(&reason));
        self.report(moment.failed(group, &reason));
        false
    }

    /// Skips the cases of a failed hook.
    fn give_up(&mut self, script: &Script<'d>) {
        for step in script.steps.iter().filter(|step| step.reported) {
            let reason = "the command before it failed";
            self.report(CaseReport::unsent(&step.name, Verdict::Skip, reason));
        }
        self.settle_via();
    }

    /// Reports a case. While the server is suspect its cases wait, because they have no verdict
    /// when it is lost.
    pub(crate) fn report(&mut self, report: CaseReport) {
        if matches!(report.verdict, Verdict::Warn | Verdict::Fail) {
            self.sender.account.note_failure();
        }
        self.decided.insert(report.id.clone(), report.clone());
        self.suspect.push(report);
        self.release();
    }

    /// Reports the waiting cases, unless the server is suspect.
    fn release(&mut self) {
        let account = self.sender.account;
        let is_lost = account.lost().is_some();
        if account.is_suspect() && !is_lost {
            return;
        }
        for report in std::mem::take(&mut self.suspect) {
            let is_judged = !is_lost || report.verdict == Verdict::Error;
            let report = if is_judged { report } else { report.unjudged() };
            account.note_reported(&report);
            for event in account.take() {
                (self.emit)(event);
            }
            (self.emit)(Event::Case(report));
        }
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

    /// The worst verdict of the steps that cover an example, with their differences. A skip counts
    /// only when every step was skipped.
    fn via(&self, via: &Via) -> CaseReport {
        let steps = via.steps.iter().filter_map(|step| self.decided.get(step));
        let worst = steps.max_by_key(|step| (step.verdict != Verdict::Skip, step.verdict));
        let mut report = CaseReport::unsent(&via.name, Verdict::Skip, "no step reaches it");
        if let Some(worst) = worst {
            report.verdict = worst.verdict;
            report.reason.clone_from(&worst.reason);
            report.differences.clone_from(&worst.differences);
            report.changes.clone_from(&worst.changes);
        }
        report.via.clone_from(&via.steps);
        report
    }
}
