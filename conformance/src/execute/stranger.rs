//! Stranger: detects that a website or a login page answers instead of the documented service.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashSet};

use openapi_document::view::{Document, Operation, Status};

use crate::exchange::{Answer, Exchange};

/// After this many such operations the server counts as a stranger.
const ENOUGH: usize = 3;

/// What the first answers suggest about the server.
#[derive(Debug, Default)]
pub(super) struct Stranger {
    /// The operations that document a page or a redirect.
    exempt: HashSet<String>,
    /// The operations that were answered with an undocumented page or redirect.
    strange: RefCell<BTreeSet<String>>,
    /// Whether an operation got another answer.
    is_known: Cell<bool>,
}

impl Stranger {
    /// Creates one before the first request.
    pub(super) fn new(document: &Document) -> Self {
        let operations = document.operations().into_iter();
        let exempt = operations
            .filter(documents_pages)
            .map(|operation| operation.label());
        Self {
            exempt: exempt.collect(),
            ..Self::default()
        }
    }

    /// Whether all answers so far seem to come from a stranger.
    pub(super) fn is_suspect(&self) -> bool {
        !self.is_known.get() && !self.strange.borrow().is_empty()
    }

    /// Ends the suspicion without a loss.
    pub(super) fn settle(&self) {
        self.is_known.set(true);
    }

    /// Notes an answer. Returns the reason when enough operations got such answers, and none
    /// another one.
    pub(super) fn note(&self, exchange: &Exchange) -> Option<String> {
        let operation = &exchange.sent.operation;
        if self.is_known.get() || operation.is_empty() {
            return None;
        }
        let answer = exchange.outcome.as_ref().ok()?;
        let is_exempt = self.exempt.contains(operation);
        let Some(reason) = stranger_reason(answer).filter(|_| !is_exempt) else {
            self.is_known.set(true);
            return None;
        };
        let mut strange = self.strange.borrow_mut();
        strange.insert(operation.clone());
        let operations: Vec<&str> = strange.iter().map(String::as_str).collect();
        (strange.len() >= ENOUGH).then(|| format!("{reason} (to {})", operations.join(", ")))
    }
}

/// Why an answer comes from a stranger, with advice. `None` when it does not.
fn stranger_reason(answer: &Answer) -> Option<String> {
    if matches!(answer.status, 301 | 302 | 303 | 307 | 308) {
        let to = answer.header("location").unwrap_or_default();
        let to = to.split('?').next().unwrap_or_default();
        return Some(format!(
            "the server redirects every request, such as to `{to}`: check --url, its scheme and the credential"
        ));
    }
    let media = answer.header("content-type")?;
    let is_page = media.to_ascii_lowercase().starts_with("text/html");
    (is_page && answer.is_success()).then(|| {
        "the server answers every request with an HTML page: check that --url is the address of the API, \
         with its base path"
            .to_owned()
    })
}

/// Whether an operation documents an HTML page or a redirect.
fn documents_pages(operation: &Operation<'_>) -> bool {
    let responses = operation.responses();
    responses.iter().any(|response| {
        let is_redirect = match response.status {
            Status::Code(code) => code / 100 == 3,
            Status::Range(class) => class == 3,
            Status::Default => false,
        };
        let is_page = |name: &str| name.to_ascii_lowercase().starts_with("text/html");
        is_redirect || response.content().iter().any(|media| is_page(media.name))
    })
}
