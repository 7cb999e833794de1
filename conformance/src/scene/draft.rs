//! Draft: a case while its law runs, with the differences claimed so far.

use std::time::Instant;

use openapi_document::Pointer;
use openapi_document::view::Operation;
use openapi_facts::{Evidence, Fact};

use super::Scene;
use super::basis::Basis;
use super::watch::Breach;
use crate::answered::describe;
use crate::case::CaseName;
use crate::checks::{self, Check};
use crate::collect::area;
use crate::confirmed;
use crate::event::{CaseReport, TestedFact};
use crate::exceptions;
use crate::exchange::{Exchange, Sent};
use crate::judge::Difference;
use crate::level::{Level, Verdict};
use crate::model::Call;

/// A case while its law runs.
pub(crate) struct Draft {
    law: String,
    /// The kinds of facts that the case tests.
    kinds: Vec<&'static str>,
    name: CaseName,
    started: Instant,
    requests: u64,
    differences: Vec<Difference>,
    facts: Vec<TestedFact>,
    skipped: Option<String>,
}

/// `Ok(true)` if the law tested something, so that there is a case; `Ok(false)` if there was nothing to test; an
/// error with the reason if the case is a skip.
pub(crate) type Tried = Result<bool, String>;

/// A difference before it gets its level.
#[derive(Debug, Clone)]
pub(crate) struct Claim {
    /// The check that finds it.
    pub(crate) check: &'static Check,
    /// The part of the contract that it rests on.
    pub(crate) basis: Basis,
    /// The place in the body.
    pub(crate) pointer: Pointer,
    /// The expected value.
    pub(crate) expected: String,
    /// The actual value.
    pub(crate) actual: String,
}

impl Claim {
    /// A claim about a whole answer.
    pub(crate) fn new(
        check: &'static Check,
        basis: Basis,
        expected: impl Into<String>,
        actual: impl Into<String>,
    ) -> Self {
        Self {
            check,
            basis,
            pointer: Pointer::root(),
            expected: expected.into(),
            actual: actual.into(),
        }
    }

    /// The same claim about a place in the body.
    pub(crate) fn at(self, pointer: Pointer) -> Self {
        Self { pointer, ..self }
    }
}

impl Draft {
    /// Marks the case as skipped; the first reason counts.
    pub(crate) fn skip(&mut self, reason: impl Into<String>) {
        self.skipped.get_or_insert_with(|| reason.into());
    }

    /// Records whether a stated fact was tested.
    pub(crate) fn account_for(&mut self, fact: &Fact, tried: &Tried) {
        if fact.evidence() != Evidence::Stated {
            return;
        }
        let untested = match tried {
            Ok(true) => None,
            Ok(false) => Some("no request of the run shows it".to_owned()),
            Err(reason) => Some(reason.clone()),
        };
        let fact = fact.id.to_string();
        self.facts.push(TestedFact { fact, untested });
    }

    /// Whether the case has no finding above the level MAY.
    pub(crate) fn is_clean(&self) -> bool {
        self.differences
            .iter()
            .all(|difference| difference.level == Level::May)
    }

    /// The id of the case.
    pub(crate) fn id(&self) -> &str {
        &self.name.id
    }
}

impl<'d> Scene<'_, 'd> {
    /// Starts the case `laws/<law>/<operationId>`.
    pub(crate) fn draft(
        &mut self,
        (law, kinds): (&str, Vec<&'static str>),
        call: &Call<'d>,
    ) -> Draft {
        let operation = call.operation.label();
        self.current = format!("laws/{law}/{operation}");
        Draft {
            law: law.to_owned(),
            kinds,
            name: CaseName {
                id: self.current.clone(),
                area: area(&call.operation),
                operation,
            },
            started: Instant::now(),
            requests: self.sender.requests,
            differences: Vec::new(),
            facts: Vec::new(),
            skipped: None,
        }
    }

    /// The report of a case. `None` if there was nothing to test and nothing was found.
    pub(crate) fn settle(&mut self, mut draft: Draft, tried: Tried) -> Option<CaseReport> {
        if let Some(broken) = self.broken.take() {
            self.breakdown(&mut draft, &broken);
        }
        if let Some(breached) = self.breached.take() {
            let (exchange, breach) = *breached;
            self.breached_in(&mut draft, &exchange, breach);
        }
        if tried == Ok(false) && draft.is_clean() {
            // A fact that the run could not test is no silent success.
            let untested = draft.facts.iter().find_map(|fact| fact.untested.clone());
            draft.skip(untested?);
        }
        if let Err(reason) = tried {
            draft.skip(reason);
        }
        let mut report = CaseReport::unsent(&draft.name, Verdict::Pass, "");
        report.reason = None;
        report.requests = self.sender.requests - draft.requests;
        report.duration_ms = u64::try_from(draft.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        report.verdict = Verdict::of(draft.differences.iter().map(|difference| difference.level));
        if let (true, Some(reason)) = (draft.is_clean(), draft.skipped.clone()) {
            report.verdict = Verdict::Skip;
            report.reason = Some(reason);
        }
        report.differences = draft.differences;
        report.facts = draft.facts;
        Some(report)
    }

    /// Adds a server error that the case met, unless it has another finding.
    fn breakdown(&self, draft: &mut Draft, exchange: &Exchange) {
        let model = self.model;
        let Some(call) = model.call(&exchange.sent.operation) else {
            return;
        };
        if draft.is_clean() {
            let claim = Claim::new(
                &checks::SERVER_ERROR,
                Basis::Standard("RFC 9110, section 15.6: a 5xx status is an error of the server"),
                "a documented answer",
                describe(exchange),
            );
            self.differ(draft, call, claim, exchange);
        }
    }

    /// Adds a breach of a rule for every answer, unless the case has another finding.
    fn breached_in(&self, draft: &mut Draft, exchange: &Exchange, breach: Breach) {
        let call = self.model.call(&exchange.sent.operation);
        if let Some(call) = call.filter(|_| draft.is_clean()) {
            let claim = Claim::new(breach.check, breach.basis, breach.expected, breach.actual)
                .at(breach.pointer);
            self.differ(draft, call, claim, exchange);
        }
    }

    /// Adds a difference in an exchange; only the first one per check and place counts.
    pub(crate) fn differ(
        &self,
        draft: &mut Draft,
        call: &Call<'d>,
        claim: Claim,
        exchange: &Exchange,
    ) {
        self.differ_in(draft, &call.operation, claim, exchange);
    }

    /// Adds a difference of the level MAY, which is reported but does not count.
    pub(crate) fn note(
        &self,
        draft: &mut Draft,
        call: &Call<'d>,
        claim: Claim,
        exchange: &Exchange,
    ) {
        let operation = &call.operation;
        let because = claim.basis.locate(self.sender.judge.contract, operation);
        let observed = (claim.expected, claim.actual);
        let judge = self.sender.judge;
        let mut found = judge.difference(operation, claim.check, &claim.pointer, observed, because);
        found.level = Level::May;
        self.add(draft, vec![found], &exchange.sent);
    }

    /// Like [`Self::differ`], for another operation such as that of a callback.
    pub(crate) fn differ_in(
        &self,
        draft: &mut Draft,
        operation: &Operation<'d>,
        claim: Claim,
        exchange: &Exchange,
    ) {
        let judge = self.sender.judge;
        let kinds = &draft.kinds;
        if self.is_rejected(kinds, operation, &claim.pointer)
            || self.is_rewritten(operation, &claim)
        {
            return;
        }
        let mut because = self.supporting(kinds, operation, &claim.pointer);
        // A fact may be the basis of a claim and also support it.
        for source in claim.basis.locate(judge.contract, operation) {
            if !because.contains(&source) {
                because.push(source);
            }
        }
        let case = (draft.law.as_str(), draft.name.operation.as_str());
        because.extend(confirmed::confirmation(
            &self.model.behaviour,
            case,
            claim.check,
        ));
        let mut found = judge.difference(
            operation,
            claim.check,
            &claim.pointer,
            (claim.expected, claim.actual),
            because,
        );
        found.answer = self.sender.account.reply(exchange);
        self.add(draft, vec![found], &exchange.sent);
    }

    /// Adds differences, except those that the behaviour file excuses and those already present.
    pub(crate) fn add(&self, draft: &mut Draft, mut found: Vec<Difference>, sent: &Sent) {
        let case = (draft.law.as_str(), draft.name.operation.as_str());
        found.retain(|difference| {
            !exceptions::excuse(&self.model.behaviour, case, difference.check)
        });
        self.sender.finish(&mut found, sent);
        for difference in found {
            let same = |item: &Difference| {
                item.check == difference.check && item.pointer == difference.pointer
            };
            if !draft.differences.iter().any(same) {
                draft.differences.push(difference);
            }
        }
    }

    /// Gives the last difference of a case the curl commands of all requests that led to it.
    pub(crate) fn repeat_by(&self, draft: &mut Draft, steps: &[Exchange]) {
        let lines = steps.iter().map(|step| self.sender.curl(&step.sent));
        let lines: Vec<String> = lines.collect();
        if let Some(last) = draft.differences.last_mut() {
            last.curl = lines.join("\n");
        }
    }
}
