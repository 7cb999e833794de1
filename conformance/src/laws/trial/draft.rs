//! Draft: a case while its law is at work, and what is claimed in it.

use std::time::Instant;

use spec::Pointer;
use spec::document::Operation;

use super::answered::told;
use super::world::World;
use crate::case::CaseName;
use crate::checks::{self, Check};
use crate::collect::area;
use crate::contract::Spot;
use crate::event::CaseReport;
use crate::exchange::{Exchange, Sent};
use crate::judge::Difference;
use crate::laws::amounts::arithmetic::Wrong;
use crate::laws::exceptions;
use crate::level::Verdict;
use crate::model::Call;

/// A case while its law is at work.
pub(crate) struct Draft {
    law: String,
    name: CaseName,
    started: Instant,
    requests: u64,
    differences: Vec<Difference>,
    skipped: Option<String>,
}

/// What a difference says, before it is weighed.
#[derive(Debug, Clone)]
pub(crate) struct Claim {
    /// The check that finds it.
    pub(crate) check: &'static Check,
    /// Where in the body.
    pub(crate) pointer: Pointer,
    /// What should be.
    pub(crate) expected: String,
    /// What is.
    pub(crate) actual: String,
    /// Where the contract says so.
    pub(crate) spot: Spot,
}

impl Draft {
    /// The case could not be exercised.
    pub(crate) fn skip(&mut self, reason: impl Into<String>) {
        self.skipped.get_or_insert_with(|| reason.into());
    }

    /// Whether nothing was found so far.
    pub(crate) fn is_clean(&self) -> bool {
        self.differences.is_empty()
    }

    /// The id of the case.
    pub(crate) fn id(&self) -> &str {
        &self.name.id
    }
}

impl<'d> World<'_, '_, '_, 'd> {
    /// Begins a case: `laws/<law>/<operationId>`.
    pub(crate) fn draft(&mut self, law: &str, call: &Call<'d>) -> Draft {
        let operation = call.operation.label();
        self.current = format!("laws/{law}/{operation}");
        Draft {
            law: law.to_owned(),
            name: CaseName {
                id: self.current.clone(),
                area: area(&call.operation),
                operation,
            },
            started: Instant::now(),
            requests: self.sender.requests,
            differences: Vec::new(),
            skipped: None,
        }
    }

    /// Reports a case.
    pub(crate) fn settle(&mut self, mut draft: Draft) {
        if let Some(broken) = self.broken.take() {
            self.breakdown(&mut draft, &broken);
        }
        if let Some(astray) = self.miscounted.take() {
            let (exchange, wrong) = *astray;
            self.astray(&mut draft, &exchange, wrong);
        }
        let mut report = CaseReport::unsent(&draft.name, Verdict::Pass, "");
        report.reason = None;
        report.requests = self.sender.requests - draft.requests;
        report.duration_ms = u64::try_from(draft.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        report.verdict = Verdict::of(draft.differences.iter().map(|own| own.level));
        if let (true, Some(reason)) = (draft.differences.is_empty(), draft.skipped) {
            report.verdict = Verdict::Skip;
            report.reason = Some(reason);
        }
        report.differences = draft.differences;
        self.reports.push(report);
    }

    /// Adds that the server broke down, where nothing else says so.
    fn breakdown(&self, draft: &mut Draft, exchange: &Exchange) {
        let model = self.model;
        let Some(call) = model.call(&exchange.sent.operation) else {
            return;
        };
        if draft.is_clean() {
            let claim = Claim {
                check: &checks::SERVER_ERROR,
                pointer: Pointer::root(),
                expected: "a documented answer".to_owned(),
                actual: told(exchange),
                spot: self.spot(call),
            };
            self.differ(draft, call, claim, exchange);
        }
    }

    /// Adds that the sums of an answer are not those of their parts, where nothing else is found.
    fn astray(&self, draft: &mut Draft, exchange: &Exchange, wrong: Wrong) {
        let call = self.model.call(&exchange.sent.operation);
        if let Some(call) = call.filter(|_| draft.is_clean()) {
            let claim = Claim {
                check: &checks::SUM_DIFFERS,
                pointer: wrong.pointer,
                expected: format!("{}, which its parts come to", wrong.due),
                actual: wrong.told,
                spot: self.spot(call),
            };
            self.differ(draft, call, claim, exchange);
        }
    }

    /// Adds a difference that an exchange shows; one for each check and place is enough.
    pub(crate) fn differ(
        &self,
        draft: &mut Draft,
        call: &Call<'d>,
        claim: Claim,
        exchange: &Exchange,
    ) {
        self.differ_in(draft, &call.operation, claim, exchange);
    }

    /// Adds a difference that is judged as another operation's, such as that of a callback.
    pub(crate) fn differ_in(
        &self,
        draft: &mut Draft,
        operation: &Operation<'d>,
        claim: Claim,
        exchange: &Exchange,
    ) {
        let found = self.sender.judge.difference(
            operation,
            claim.check,
            &claim.pointer,
            (claim.expected, claim.actual),
            claim.spot,
        );
        self.add(draft, vec![found], &exchange.sent);
    }

    /// Adds what was found.
    pub(crate) fn add(&self, draft: &mut Draft, mut found: Vec<Difference>, sent: &Sent) {
        let case = (draft.law.as_str(), draft.name.operation.as_str());
        found.retain(|own| !exceptions::excuse(&self.model.behaviour, case, own.check));
        self.sender.finish(&mut found, sent);
        for difference in found {
            let same = |own: &Difference| {
                own.check == difference.check && own.pointer == difference.pointer
            };
            if !draft.differences.iter().any(same) {
                draft.differences.push(difference);
            }
        }
    }

    /// Gives the last difference of a case the commands of all requests that led to it.
    pub(crate) fn repeat_by(&self, draft: &mut Draft, steps: &[Exchange]) {
        let lines = steps.iter().map(|own| self.sender.curl(&own.sent));
        let lines: Vec<String> = lines.collect();
        if let Some(last) = draft.differences.last_mut() {
            last.curl = lines.join("\n");
        }
    }
}
