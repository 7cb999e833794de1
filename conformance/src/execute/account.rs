//! Account: the shared state of a run: observer, counters, and the health of the server.

use std::cell::{Cell, Ref, RefCell};
use std::time::{Duration, SystemTime};

use crate::case::Step;
use crate::event::{CaseReport, Event};
use crate::exchange::{BodyFault, Exchange, NoAnswer};
use crate::judge::Judge;
use crate::reply::Reply;
use crate::secrets::Secrets;

use super::concurrency::Concurrency;
use super::forms::Forms;
use super::health::Health;
use super::observed::Observed;
use super::observer::Observer;
use super::ownership::Ownership;
use super::records::Records;
use super::refusals::Refusals;

/// The account of a run. Its borrows never last over an await.
pub(crate) struct Account<'d> {
    observer: RefCell<Observer<'d>>,
    forms: RefCell<Forms<'d>>,
    refusals: RefCell<Refusals>,
    requests: Cell<u64>,
    unanswered: Cell<u32>,
    pub(crate) observed: Observed,
    pub(super) ownership: Ownership,
    pub(super) health: Health,
    pub(super) records: Records,
    pub(super) concurrency: Concurrency,
}

impl<'d> Account<'d> {
    /// Creates an account before the first request.
    pub(super) fn new(
        observer: Observer<'d>,
        forms: Forms<'d>,
        (ownership, health, records): (Ownership, Health, Records),
        concurrency: Concurrency,
    ) -> Self {
        Self {
            observer: RefCell::new(observer),
            forms: RefCell::new(forms),
            refusals: RefCell::default(),
            requests: Cell::new(0),
            unanswered: Cell::new(0),
            observed: Observed::default(),
            ownership,
            health,
            records,
            concurrency,
        }
    }

    /// Why the server counts as lost. `None` while it does not.
    pub(crate) fn lost(&self) -> Option<String> {
        self.health.lost()
    }

    /// Whether the last answers make the server suspect.
    pub(super) fn is_suspect(&self) -> bool {
        self.health.is_in_doubt()
    }

    /// Notes that a case failed, which a server that has forgotten its records would explain.
    pub(super) fn note_failure(&self) {
        if !self.records.reads().is_empty() {
            self.health.note_failure();
        }
    }

    /// The number of requests sent.
    pub(super) fn requests(&self) -> u64 {
        self.requests.get()
    }

    /// The number of consecutive requests without a complete answer in time.
    pub(super) fn unanswered(&self) -> u32 {
        self.unanswered.get()
    }

    /// Records a finished exchange.
    pub(super) fn add(&self, exchange: &Exchange, started: SystemTime, took: Duration) {
        self.requests.set(self.requests.get() + 1);
        let mut observer = self.observer.borrow_mut();
        observer.exchange(exchange, started, took);
    }

    /// Validates an answer with the schema of its status, and records the codes of refusals.
    pub(super) fn validate(&self, judge: &Judge<'_, 'd>, exchange: &Exchange) {
        self.forms.borrow_mut().validate(judge, exchange);
        self.refusals.borrow_mut().note(exchange);
    }

    /// The codes of refusals so far.
    pub(crate) fn refusals(&self) -> Ref<'_, Refusals> {
        self.refusals.borrow()
    }

    /// Records the differences that a case reports.
    pub(super) fn note_reported(&self, report: &CaseReport) {
        self.forms.borrow_mut().note_reported(report);
    }

    /// The results of validating answers so far.
    pub(crate) fn forms(&self) -> Ref<'_, Forms<'d>> {
        self.forms.borrow()
    }

    /// Counts consecutive requests without a complete answer in time.
    pub(super) fn wait(&self, exchange: &Exchange) {
        let too_slow = match &exchange.outcome {
            Err(NoAnswer::Timeout(_)) => true,
            Ok(answer) => matches!(answer.body, Err(BodyFault::TooSlow { .. })),
            Err(NoAnswer::Closed(_) | NoAnswer::Withheld(_)) => false,
        };
        let before = self.unanswered.get();
        self.unanswered.set(if too_slow { before + 1 } else { 0 });
    }

    /// Records a judged exchange.
    pub(super) fn judged(&self, step: &Step<'d>, exchange: &Exchange, differs: bool) {
        let mut observer = self.observer.borrow_mut();
        observer.judged(step, exchange, differs);
    }

    /// The status and code of a refusal, without secrets. `None` for other answers.
    pub(crate) fn reply(&self, exchange: &Exchange) -> Option<Reply> {
        self.observer.borrow_mut().reply(exchange)
    }

    /// The answer in a few words: its status, and the code of a refusal.
    pub(super) fn last_answer(&self, exchange: &Exchange) -> String {
        match (&exchange.outcome, self.reply(exchange)) {
            (_, Some(reply)) => reply.brief(),
            (Ok(answer), None) => answer.status.to_string(),
            (Err(_), None) => "none".to_owned(),
        }
    }

    /// Gives access to all secrets that are known so far.
    pub(crate) fn with_secrets<T>(&self, read: impl FnOnce(&Secrets) -> T) -> T {
        read(self.observer.borrow().secrets())
    }

    /// Takes the events to report before a case.
    pub(super) fn take(&self) -> Vec<Event> {
        self.observer.borrow_mut().take()
    }

    /// The events at the end of the run.
    pub(super) fn finish(self) -> Vec<Event> {
        self.observer.into_inner().finish()
    }
}
