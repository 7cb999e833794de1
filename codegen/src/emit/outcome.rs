//! What the responses of an operation mean to client and server.

use crate::ir::{Content, Operation, Response, Status};
use crate::names::OperationNames;

/// A response with one of its bodies.
#[derive(Clone, Copy)]
pub(super) struct Case<'a> {
    /// The response.
    pub(super) response: &'a Response,
    /// Its index.
    pub(super) index: usize,
    /// The body, where it has one.
    pub(super) content: Option<&'a Content>,
    /// The variant that stands for it.
    pub(super) variant: &'a str,
}

impl Case<'_> {
    /// Whether the media type decides between this and other cases of the response.
    pub(super) fn is_one_of_several(&self) -> bool {
        self.response.contents.len() > 1
    }

    /// The statuses that mean it where it is a success.
    pub(super) fn success_status(&self) -> Status {
        match self.response.status {
            Status::Default => Status::Range(2),
            status => status,
        }
    }
}

/// Every response of an operation with each of its bodies.
pub(super) fn cases<'a>(operation: &'a Operation, names: &'a OperationNames) -> Vec<Case<'a>> {
    let mut cases = Vec::new();
    for (index, response) in operation.responses.iter().enumerate() {
        let contents = response.contents.iter().map(Some);
        let none = response.contents.is_empty().then_some(None);
        for (content, variant) in contents.chain(none).zip(&names.cases[index]) {
            cases.push(Case {
                response,
                index,
                content,
                variant,
            });
        }
    }
    cases
}

/// The responses of an operation, sorted into successes and refusals.
pub(super) struct Outcomes<'a> {
    /// The successes.
    pub(super) successes: Vec<Case<'a>>,
    /// The refusals.
    pub(super) refusals: Vec<Case<'a>>,
}

impl<'a> Outcomes<'a> {
    /// A `default` response is a refusal where a success is documented; else it is both.
    pub(super) fn of(operation: &'a Operation, names: &'a OperationNames) -> Self {
        let all = cases(operation, names);
        let (successes, refusals): (Vec<_>, Vec<_>) = all
            .iter()
            .copied()
            .partition(|case| is_success(case.response.status));
        if !successes.is_empty() {
            return Self {
                successes,
                refusals,
            };
        }
        let default = |case: &Case<'_>| case.response.status == Status::Default;
        Self {
            successes: refusals.iter().copied().filter(default).collect(),
            refusals,
        }
    }

    /// What the successes have in common.
    pub(super) fn success(&self) -> Success<'a> {
        let mut bodies = self.successes.iter().map(|case| case.content);
        let first = bodies.next().flatten();
        let key = |content: Option<&'a Content>| content.map(|it| (&it.usage, it.encoding));
        match first {
            _ if bodies.any(|body| key(body) != key(first)) => Success::Several,
            Some(content) => Success::Body(content),
            None => Success::Empty,
        }
    }
}

/// What the successes of an operation have in common.
#[derive(Clone, Copy)]
pub(super) enum Success<'a> {
    /// None has a body.
    Empty,
    /// All have this body.
    Body(&'a Content),
    /// They differ.
    Several,
}

/// Whether a status is that of a success.
pub(super) fn is_success(status: Status) -> bool {
    match status {
        Status::Code(code) => (200..300).contains(&code),
        Status::Range(class) => class == 2,
        Status::Default => false,
    }
}
