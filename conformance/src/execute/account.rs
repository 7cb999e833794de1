//! Account: what all who send in a run share: who looks on, how many requests went out, and whether
//! the server still answers.

use std::cell::{Cell, Ref, RefCell};
use std::time::{Duration, SystemTime};

use crate::case::Step;
use crate::event::{CaseReport, Event};
use crate::exchange::{BodyFault, Exchange, NoAnswer};
use crate::judge::Judge;
use crate::reply::Reply;
use crate::secrets::Secrets;

use super::cleanup::Cleanup;
use super::crowd::Crowd;
use super::forms::Forms;
use super::health::Health;
use super::observer::Observer;
use super::ownership::Ownership;
use super::refusals::Refusals;

/// The account of a run. No borrow of it lasts over a wait.
pub(crate) struct Account<'d> {
    observer: RefCell<Observer<'d>>,
    forms: RefCell<Forms<'d>>,
    refusals: RefCell<Refusals>,
    requests: Cell<u64>,
    unanswered: Cell<u32>,
    pub(super) ownership: Ownership,
    pub(super) health: Health,
    pub(super) cleanup: Cleanup,
    pub(super) crowd: Crowd,
}

impl<'d> Account<'d> {
    /// Before the first request.
    pub(super) fn new(
        observer: Observer<'d>,
        forms: Forms<'d>,
        (ownership, health, cleanup): (Ownership, Health, Cleanup),
        crowd: Crowd,
    ) -> Self {
        Self {
            observer: RefCell::new(observer),
            forms: RefCell::new(forms),
            refusals: RefCell::default(),
            requests: Cell::new(0),
            unanswered: Cell::new(0),
            ownership,
            health,
            cleanup,
            crowd,
        }
    }

    /// Why nothing that follows says anything of the server, where it is lost.
    pub(crate) fn lost(&self) -> Option<String> {
        self.health.lost()
    }

    /// Whether the last answers make the server suspect.
    pub(super) fn is_suspect(&self) -> bool {
        self.health.is_uneasy()
    }

    /// How many requests were sent.
    pub(super) fn requests(&self) -> u64 {
        self.requests.get()
    }

    /// So many requests in a row had no whole answer in time.
    pub(super) fn unanswered(&self) -> u32 {
        self.unanswered.get()
    }

    /// Takes one exchange, as soon as it is over.
    pub(super) fn add(&self, exchange: &Exchange, started: SystemTime, took: Duration) {
        self.requests.set(self.requests.get() + 1);
        let mut observer = self.observer.borrow_mut();
        observer.exchange(exchange, started, took);
    }

    /// Holds an answer against the schema of its status, and notes its codes.
    pub(super) fn hold(&self, judge: &Judge<'_, 'd>, exchange: &Exchange) {
        self.forms.borrow_mut().hold(judge, exchange);
        self.refusals.borrow_mut().note(exchange);
    }

    /// Which codes refusals had so far.
    pub(super) fn refusals(&self) -> Ref<'_, Refusals> {
        self.refusals.borrow()
    }

    /// Takes what a case tells.
    pub(super) fn tell(&self, report: &CaseReport) {
        self.forms.borrow_mut().tell(report);
    }

    /// What was held against the schemas so far.
    pub(crate) fn forms(&self) -> Ref<'_, Forms<'d>> {
        self.forms.borrow()
    }

    /// Counts the requests that had no whole answer in time.
    pub(super) fn wait(&self, exchange: &Exchange) {
        let too_slow = match &exchange.outcome {
            Err(NoAnswer::Timeout(_)) => true,
            Ok(answer) => matches!(answer.body, Err(BodyFault::TooSlow { .. })),
            Err(NoAnswer::Closed(_) | NoAnswer::Withheld(_)) => false,
        };
        let before = self.unanswered.get();
        self.unanswered.set(if too_slow { before + 1 } else { 0 });
    }

    /// Takes an exchange that was judged.
    pub(super) fn judged(&self, step: &Step<'d>, exchange: &Exchange, differs: bool) {
        let mut observer = self.observer.borrow_mut();
        observer.judged(step, exchange, differs);
    }

    /// What a request was answered, in short and without secrets, where that was a refusal.
    pub(crate) fn reply(&self, exchange: &Exchange) -> Option<Reply> {
        self.observer.borrow_mut().reply(exchange)
    }

    /// An answer in a word or two: its status, and the code of a refusal.
    pub(super) fn last_answer(&self, exchange: &Exchange) -> String {
        match (&exchange.outcome, self.reply(exchange)) {
            (_, Some(reply)) => reply.brief(),
            (Ok(answer), None) => answer.status.to_string(),
            (Err(_), None) => "none".to_owned(),
        }
    }

    /// All secrets that are known so far.
    pub(crate) fn with_secrets<T>(&self, look: impl FnOnce(&Secrets) -> T) -> T {
        look(self.observer.borrow().secrets())
    }

    /// What there is to tell before a case is.
    pub(super) fn take(&self) -> Vec<Event> {
        self.observer.borrow_mut().take()
    }

    /// What there is to tell when all is done.
    pub(super) fn finish(self) -> Vec<Event> {
        self.observer.into_inner().finish()
    }
}
