//! Steps: runs one step of a script once, until a condition holds, or in parallel copies.

use std::time::Instant;

use openapi_facts::Evidence;

use crate::answered;
use crate::case::{Expected, Script, Step};
use crate::event::CaseReport;
use crate::exchange::{Exchange, NoAnswer};
use crate::fresh::Fresh;
use crate::judge::{self, Difference};
use crate::level::{Level, Verdict};
use crate::scenario::{Parallel, Until};

use super::obstacle::never_succeeded;
use super::outcome::Outcome;
use super::sender::Sender;
use super::state::{self, State, remember, scope};

/// After this many consecutive requests without an answer in time, the run skips further steps.
const PATIENCE: u32 = 3;

impl<'d> Sender<'_, 'd> {
    pub(crate) async fn step(
        &mut self,
        script: &Script<'d>,
        step: &Step<'d>,
        state: &mut State<'_>,
    ) -> CaseReport {
        if let Some((reason, root)) = self.obstacle(step, state) {
            state.failed.insert(step.id.clone(), root);
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
                state.failed.insert(step.id.clone(), reason.clone());
                return CaseReport::unsent(&step.name, Verdict::Skip, reason);
            }
        };
        let exchange = outcome.exchange.as_ref();
        if exchange.is_some_and(|exchange| self.account.health.refuses_credential(exchange)) {
            let reason = "the server refuses the credential of the run (401)".to_owned();
            state.failed.insert(step.id.clone(), reason.clone());
            return CaseReport::unsent(&step.name, Verdict::Skip, reason);
        }
        if outcome.has_failed() && !has_other_success(step, &outcome) {
            let exchange = outcome.exchange.as_ref();
            let answer = exchange.map(|exchange| self.account.last_answer(exchange));
            let answer = answer.unwrap_or_else(|| "none".to_owned());
            let why = never_succeeded(&step.name.operation, &answer);
            state.failed.insert(step.id.clone(), why);
        }
        remember(step, &outcome, state);
        let sent = outcome.exchange.as_ref().map(|exchange| &exchange.sent);
        let changes = sent.map_or_else(Vec::new, |sent| self.changes(sent));
        CaseReport {
            id: step.name.id.clone(),
            operation_id: step.name.operation.clone(),
            area: step.name.area.clone(),
            level: Level::Must,
            evidence: Evidence::Stated,
            verdict: Verdict::of(
                outcome
                    .differences
                    .iter()
                    .map(|difference| difference.level),
            ),
            reason: None,
            via: Vec::new(),
            changes,
            differences: outcome.differences,
            facts: Vec::new(),
            requests: self.requests - requests,
            duration_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
            is_granted: false,
        }
    }

    /// Why a step cannot run, and the first cause. `None` when it can.
    fn obstacle(&self, step: &Step<'_>, state: &State<'_>) -> Option<(String, String)> {
        if self.account.unanswered() >= PATIENCE {
            let reason = format!("given up after {PATIENCE} requests in a row without an answer");
            return Some((reason.clone(), reason));
        }
        if let Some(reason) = &step.blocked {
            return Some((reason.clone(), reason.clone()));
        }
        let mut needs = step.flow.needs.iter();
        let (needed, root) = needs.find_map(|need| Some((need, state.failed.get(need)?)))?;
        let reason = format!("it needs the step `{needed}`: {root}");
        Some((reason, root.clone()))
    }

    async fn once(&mut self, step: &Step<'d>, state: &mut State<'_>) -> Result<Outcome, String> {
        let scope = scope(&state.values, None);
        let sent = if step.flow.key_names {
            self.compose(step, &scope, &mut state.fresh.apart(&step.id))?
        } else {
            self.compose(step, &scope, &mut state.fresh)?
        };
        if step.flow.spot.is_some() {
            self.account.ownership.trust(&sent);
        }
        let exchange = self.send(sent).await;
        if let Err(NoAnswer::Withheld(reason)) = &exchange.outcome {
            return Err(reason.clone());
        }
        let differences = self.differences(step, &exchange, state);
        if step.flow.spot.is_none() && answered::status(&exchange) == Some(409) {
            let body = step.request.body.iter();
            body.for_each(|item| item.conflicts.note_repeat());
        }
        Ok(Outcome {
            differences,
            exchange: Some(exchange),
        })
    }

    /// Repeats a step until its criteria hold. Judges only the last answer.
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
            if until
                .criteria
                .iter()
                .all(|item| item.condition.holds(&scope))
            {
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
        let known: Vec<String> = late.iter().map(|item| item.pointer.clone()).collect();
        differences.retain(|difference| {
            difference.pointer.is_empty() || !known.contains(&difference.pointer)
        });
        late.append(&mut differences);
        Ok(Outcome {
            differences: late,
            exchange: Some(exchange),
        })
    }

    /// Sends copies of a step at the same time.
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
            let sent = if parallel.key_names {
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
        let met = exchanges.iter().filter(|exchange| meets(exchange)).count();
        let mut differences: Vec<Difference> = Vec::new();
        for exchange in &exchanges {
            let step = if meets(exchange) { step } else { &refused };
            for difference in self.differences(step, exchange, state) {
                let same = |item: &Difference| {
                    item.check == difference.check && item.pointer == difference.pointer
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
}

/// Whether a step outside of scenarios got another success than the expected one, so that its
/// record exists.
fn has_other_success(step: &Step<'_>, outcome: &Outcome) -> bool {
    const ACCEPTED: u16 = 202;
    let response = step.expected.response.as_ref();
    let expects_success = response.is_some_and(|response| response.status.is_success());
    let exchange = outcome.exchange.as_ref();
    let answer = exchange.and_then(|exchange| exchange.outcome.as_ref().ok());
    let is_done = answer.is_some_and(|answer| answer.is_success() && answer.status != ACCEPTED);
    step.flow.spot.is_none() && expects_success && is_done
}
