//! Health: whether the server still answers and accepts the run's credential. After a loss the run
//! judges no further case.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashSet, VecDeque};

use openapi_document::view::{Document, Operation};

use crate::compose::Target;
use crate::exchange::{Exchange, NoAnswer, Sent};

use super::stranger::Stranger;

/// After this many consecutive requests without an answer the server is suspect.
const SILENT: u32 = 3;

/// After this many consecutive operations that refuse the credential it is suspect.
const REFUSING: usize = 3;

/// The number of requests before the loss that the report names.
const NAMED: usize = 3;

/// The health of the server as far as the answers show it.
#[derive(Debug, Default)]
pub(super) struct Health {
    /// The operations that need a credential.
    secured: HashSet<String>,
    /// The last answered requests, with their cases.
    recent: RefCell<VecDeque<String>>,
    silent: Cell<u32>,
    /// Operations that refused the credential since the last one that accepted it.
    refusing: RefCell<BTreeSet<String>>,
    /// Whether an operation that needs a credential accepted the run's one.
    was_accepted: Cell<bool>,
    /// The last safe request that succeeded with the credential.
    succeeded: RefCell<Option<Sent>>,
    stranger: Stranger,
    /// Whether a case failed since the server last showed that it has the records of the run.
    failed: Cell<bool>,
    lost: RefCell<Option<String>>,
}

/// Why the server is suspect.
#[derive(Debug)]
pub(super) enum Suspicion {
    /// Several consecutive requests got no answer.
    Silence,
    /// Several operations refused the credential. The request succeeded with it before.
    Refusal(Option<Box<Sent>>),
    /// A case failed, which a server that has forgotten the records of the run explains.
    Failure,
}

impl Health {
    /// Creates one before the first request.
    pub(super) fn new(document: &Document) -> Self {
        let operations = document.operations().into_iter();
        Self {
            secured: operations
                .filter(Operation::requires_credentials)
                .map(|operation| operation.label())
                .collect(),
            stranger: Stranger::new(document),
            ..Self::default()
        }
    }

    /// Notes an exchange.
    pub(super) fn note(&self, exchange: &Exchange, target: &Target) {
        if let Some(reason) = self.stranger.note(exchange) {
            return self.lose(reason);
        }
        let sent = &exchange.sent;
        let is_secured = self.secured.contains(&sent.operation) && carries_all(sent, target);
        let answer = match &exchange.outcome {
            Ok(answer) => answer,
            Err(NoAnswer::Withheld(_)) => return,
            Err(_) => return self.silent.set(self.silent.get() + 1),
        };
        let is_refused = is_secured && answer.status == 401;
        if self.silent.replace(0) == 0 && !is_refused {
            let mut recent = self.recent.borrow_mut();
            let address = sent.shown.url.split('?').next().unwrap_or_default();
            recent.push_back(format!("{} {address} ({})", sent.method, sent.case));
            if recent.len() > NAMED {
                recent.pop_front();
            }
        }
        match answer.status {
            401 if is_secured => {
                let operation = sent.operation.clone();
                self.refusing.borrow_mut().insert(operation);
            }
            _ if is_secured => {
                self.accept();
                if sent.method.is_safe() && answer.is_success() {
                    *self.succeeded.borrow_mut() = Some(sent.clone());
                }
            }
            _ => {}
        }
    }

    /// Notes that a case failed.
    pub(super) fn note_failure(&self) {
        self.failed.set(true);
    }

    /// Whether the last request got no answer, an operation refused the credential since the last
    /// success, all answers seem to come from another program, or a case failed.
    pub(super) fn is_in_doubt(&self) -> bool {
        self.silent.get() > 0
            || self.failed.get()
            || !self.refusing.borrow().is_empty()
            || self.stranger.is_suspect()
    }

    /// Ends the suspicion without a loss.
    pub(super) fn settle(&self) {
        self.silent.set(0);
        self.failed.set(false);
        self.refusing.borrow_mut().clear();
        self.stranger.settle();
    }

    /// Why the server is suspect. `None` when it is not, or is lost.
    pub(super) fn suspicion(&self) -> Option<Suspicion> {
        if self.lost.borrow().is_some() {
            return None;
        }
        if self.silent.get() >= SILENT {
            return Some(Suspicion::Silence);
        }
        if self.refusing.borrow().len() >= REFUSING {
            let succeeded = self.succeeded.borrow().clone();
            return Some(Suspicion::Refusal(succeeded.map(Box::new)));
        }
        self.failed.get().then_some(Suspicion::Failure)
    }

    /// Notes that the server still has a record of the run.
    pub(super) fn remember(&self) {
        self.failed.set(false);
    }

    /// Declares the server lost, because it finds none of the records that the run created, which
    /// these requests read.
    pub(super) fn forget(&self, reads: &[Sent]) {
        let urls = reads.iter().map(|read| format!("GET {}", read.shown.url));
        let urls: Vec<String> = urls.collect();
        self.lose(format!(
            "the server has forgotten the records that the run created: it answers {} with 404; \
             the last requests: {}. It may have started again: run it with storage that lasts, or --skip-operation \
             excludes what resets it",
            urls.join(", "),
            self.recent()
        ));
    }

    /// Notes that the server accepts connections.
    pub(super) fn recover(&self) {
        self.silent.set(0);
    }

    /// Notes that the server accepts the credential.
    pub(super) fn accept(&self) {
        self.refusing.borrow_mut().clear();
        self.was_accepted.set(true);
    }

    /// Declares the server lost, because it accepts the credential nowhere.
    pub(super) fn refuse(&self) {
        self.lose(self.refused());
    }

    /// Declares the server lost, because it accepts no more connections.
    pub(super) fn lose_connection(&self, reason: &str) {
        let before = match self.recent() {
            none if none.is_empty() => "it answered no request before".to_owned(),
            all => format!("the last requests before: {all}"),
        };
        self.lose(format!(
            "the server no longer answers ({reason}); {before}. --skip-operation excludes what stops it"
        ));
    }

    /// Whether an operation refused the credential, and no operation has accepted it.
    pub(super) fn refuses_credential(&self, exchange: &Exchange) -> bool {
        let operation = &exchange.sent.operation;
        !self.was_accepted.get() && self.refusing.borrow().contains(operation)
    }

    /// Why the server is lost. `None` while it is not.
    pub(super) fn lost(&self) -> Option<String> {
        self.lost.borrow().clone()
    }

    /// The last answered requests.
    fn recent(&self) -> String {
        let recent: Vec<String> = self.recent.borrow().iter().cloned().collect();
        recent.join(", ")
    }

    fn lose(&self, reason: String) {
        self.lost.borrow_mut().get_or_insert(reason);
    }

    fn refused(&self) -> String {
        let refusing = self.refusing.borrow();
        let operations: Vec<&str> = refusing.iter().map(String::as_str).collect();
        let operations = operations.join(", ");
        if self.was_accepted.get() {
            let recent = self.recent();
            return format!(
                "the server accepted the credential of the run and now refuses it (401 to {operations}); the last requests: \
                 {recent}. --skip-operation excludes what ends the session"
            );
        }
        format!(
            "the server refuses the credential of the run (401 to {operations}): check --header, --basic or `[token]`"
        )
    }
}

/// Whether a request carries every credential of the run.
fn carries_all(sent: &Sent, target: &Target) -> bool {
    let mut headers = target.headers.iter();
    headers.all(|(name, value)| {
        let is_credential = target.credentials.contains(&name.to_ascii_lowercase());
        !is_credential || sent.header(name) == Some(value)
    })
}
