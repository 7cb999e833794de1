//! Found: what is found out once, for every law: which way leads to a success, what was answered where
//! none does, and which documented statuses were seen.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use tokio::sync::OnceCell;

use super::attempts::Attempts;
use crate::exchange::Exchange;
use crate::reached::Reached;

/// Which of its ways brings an operation to succeed; why none does.
type Choice = Rc<OnceCell<Result<usize, String>>>;

/// What came of the refusals of an operation with one status.
#[derive(Debug, Default)]
pub(crate) struct Refused {
    /// Whether a refusal had one of the codes.
    pub(crate) is_seen: bool,
    /// A refusal with another code, and that code.
    pub(crate) wrong: Option<(Exchange, String)>,
}

/// What tries find out for each other. No borrow of it lasts over a wait.
#[derive(Default)]
pub(crate) struct Found {
    choices: RefCell<BTreeMap<String, Choice>>,
    /// Which requests were refused while ways were looked for.
    pub(super) attempts: Attempts,
    /// An answer of each operation that no way brings to succeed.
    pub(super) refused: RefCell<BTreeMap<String, Exchange>>,
    /// What came of refusals whose codes facts have, by operation and status.
    pub(crate) refusals: RefCell<BTreeMap<(String, u16), Refused>>,
    /// Documented statuses that were answered as documented, and by which case.
    pub(super) reached: RefCell<Reached>,
}

impl Found {
    /// The choice of an operation, which may still have to be made.
    pub(crate) fn choice(&self, operation: &str) -> Choice {
        let mut choices = self.choices.borrow_mut();
        Rc::clone(choices.entry(operation.to_owned()).or_default())
    }

    /// The documented statuses that laws have reached, and the cases that did.
    pub(crate) fn into_reached(self) -> Reached {
        self.reached.into_inner()
    }
}
