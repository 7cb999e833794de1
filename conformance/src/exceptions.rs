//! Exceptions: statements of the behaviour file that a law or check does not apply to an operation.

use openapi_document::Behaviour;

use crate::checks::Check;

/// Whether a law must not run for an operation.
pub(crate) fn omit(behaviour: &Behaviour, law: &str, operation: &str) -> bool {
    let mut all = behaviour.exceptions.iter();
    all.any(|exception| exception.check.is_none() && exception.is_about(law, operation))
}

/// Whether a difference of a check in a law's case is not a mistake of the server.
pub(crate) fn excuse(behaviour: &Behaviour, (law, operation): (&str, &str), check: &Check) -> bool {
    let mut all = behaviour.exceptions.iter();
    all.any(|exception| {
        let named = exception.check.as_ref();
        named.is_some_and(|word| word.text == check.id) && exception.is_about(law, operation)
    })
}
