//! Exceptions: what the behaviour file says that a server is not asked for, though the document suggests it.

use openapi_document::Behaviour;

use crate::checks::Check;

/// Whether a law is not tried on an operation.
pub(crate) fn omit(behaviour: &Behaviour, law: &str, operation: &str) -> bool {
    let mut all = behaviour.exceptions.iter();
    all.any(|exception| exception.check.is_none() && exception.is_about(law, operation))
}

/// Whether what a check finds in a law's case is none of the server's mistakes.
pub(crate) fn excuse(behaviour: &Behaviour, (law, operation): (&str, &str), check: &Check) -> bool {
    let mut all = behaviour.exceptions.iter();
    all.any(|exception| {
        let named = exception.check.as_ref();
        named.is_some_and(|word| word.text == check.id) && exception.is_about(law, operation)
    })
}
