//! Found: results that all laws share: chosen recipes, refusals, and documented statuses that were seen.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use tokio::sync::OnceCell;

use super::attempts::Attempts;
use crate::exchange::Exchange;
use crate::reached::Reached;

/// The index of the recipe that succeeded, or the reason why none did.
type Choice = Rc<OnceCell<Result<usize, String>>>;

/// The error codes that the refusals of an operation had with one status.
#[derive(Debug, Default)]
pub(crate) struct Refused {
    /// Whether a refusal had one of the documented codes.
    pub(crate) is_seen: bool,
    /// A refusal with another code, and that code.
    pub(crate) wrong: Option<(Exchange, String)>,
}

/// Results that laws share. No borrow of it is held across an await.
#[derive(Default)]
pub(crate) struct Found {
    choices: RefCell<BTreeMap<String, Choice>>,
    /// Requests that were refused while recipes were tried.
    pub(super) attempts: Attempts,
    /// The last answer of each operation for which no recipe succeeded.
    pub(super) refused: RefCell<BTreeMap<String, Exchange>>,
    /// Codes of refusals, by operation and status, for statuses whose codes facts list.
    pub(crate) refusals: RefCell<BTreeMap<(String, u16), Refused>>,
    /// Documented statuses that were answered as documented, with the cases that saw them.
    pub(super) reached: RefCell<Reached>,
}

impl Found {
    /// The chosen recipe of an operation; the caller initialises it on first use.
    pub(crate) fn choice(&self, operation: &str) -> Choice {
        let mut choices = self.choices.borrow_mut();
        Rc::clone(choices.entry(operation.to_owned()).or_default())
    }

    /// The documented statuses that laws have seen, with the cases that saw them.
    pub(crate) fn into_reached(self) -> Reached {
        self.reached.into_inner()
    }
}
