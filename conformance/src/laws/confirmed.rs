//! Confirmed: what the behaviour file says that binds, though the document only suggests it.

use openapi_document::Behaviour;
use openapi_document::behaviour::Reading;
use openapi_facts::Evidence;

use super::ALL;
use crate::because::Because;
use crate::checks::Check;
use crate::spot::spot;

/// The entry that confirms what a check finds in a law's case.
pub(crate) fn confirmation(
    behaviour: &Behaviour,
    (law, operation): (&str, &str),
    check: &Check,
) -> Option<Because> {
    let confirms = |reading: &&Reading| {
        let named = reading.check.as_ref();
        named.is_none_or(|word| word.text == check.id) && reading.is_about(law, operation)
    };
    let entry = behaviour.confirmed.iter().find(confirms)?;
    let place = spot(&behaviour.sources, entry.span);
    Some(Because::new(Evidence::Stated, place, &entry.summary))
}

/// The strongest evidence on which a law's case can find something.
pub fn evidence(confirmed: &[Reading], law: &str, operation: &str) -> Evidence {
    let confirms = |reading: &Reading| reading.is_about(law, operation);
    if confirmed.iter().any(confirms) {
        return Evidence::Stated;
    }
    let known = ALL.iter().find(|item| item.id == law);
    known.map_or(Evidence::Stated, |law| law.evidence)
}
