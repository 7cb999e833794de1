//! What the responses of an operation mean to client and server.

use crate::ir::{Content, Operation, Response, Status, Usage};

/// The responses of an operation, sorted into successes and refusals.
pub(super) struct Outcomes<'a> {
    /// Index and response of each success.
    pub(super) successes: Vec<(usize, &'a Response)>,
    /// Index and response of each refusal.
    pub(super) refusals: Vec<(usize, &'a Response)>,
}

impl<'a> Outcomes<'a> {
    /// A `default` response is a refusal where a success is documented; else it is both.
    pub(super) fn of(operation: &'a Operation) -> Self {
        let responses = || operation.responses.iter().enumerate();
        let successes: Vec<_> = responses()
            .filter(|(_, response)| is_success(response.status))
            .collect();
        let refusals = responses()
            .filter(|(_, response)| !is_success(response.status))
            .collect();
        if !successes.is_empty() {
            return Self {
                successes,
                refusals,
            };
        }
        let successes = responses()
            .filter(|(_, response)| response.status == Status::Default)
            .collect();
        Self {
            successes,
            refusals,
        }
    }

    /// The body that all successes have in common; `None` where they differ.
    pub(super) fn common_body(&self) -> Option<Option<&'a Content>> {
        let mut bodies = self
            .successes
            .iter()
            .map(|(_, response)| response.content.as_ref());
        let Some(first) = bodies.next() else {
            return Some(None);
        };
        let key = |content: Option<&'a Content>| -> Option<(&'a Usage, _)> {
            content.map(|content| (&content.usage, content.encoding))
        };
        bodies.all(|body| key(body) == key(first)).then_some(first)
    }
}

fn is_success(status: Status) -> bool {
    match status {
        Status::Code(code) => (200..300).contains(&code),
        Status::Range(class) => class == 2,
        Status::Default => false,
    }
}
