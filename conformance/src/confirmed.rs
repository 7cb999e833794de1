//! Confirmed: statements of the behaviour file that make a rule bind although the document only
//! suggests it.

use openapi_document::behaviour::{Reading, Sum};
use openapi_document::{Behaviour, Span};
use openapi_facts::Evidence;

use crate::because::Because;
use crate::checks::{self, Check};
use crate::spot::spot;

/// The entry of the behaviour file that confirms a check of a law for an operation. `None`
/// without one.
pub(crate) fn confirmation(
    behaviour: &Behaviour,
    (law, operation): (&str, &str),
    check: &Check,
) -> Option<Because> {
    let confirms = |reading: &&Reading| {
        let named = reading.check.as_ref();
        named.is_none_or(|word| word.text == check.id) && reading.is_about(law, operation)
    };
    let entry = behaviour.confirmed.iter().find(confirms);
    let entry = entry.map(|entry| (entry.span, &entry.summary));
    let (span, summary) = entry.or_else(|| sum(behaviour, operation, check))?;
    let place = spot(&behaviour.sources, span);
    Some(Because::new(Evidence::Stated, place, summary))
}

/// The sum whose parts an operation creates, when the check is `sum-exceeded`.
fn sum<'b>(behaviour: &'b Behaviour, operation: &str, check: &Check) -> Option<(Span, &'b String)> {
    let creates = |sum: &&Sum| {
        let machine = behaviour.machine(&sum.parts.machine.text);
        let created_by = machine.and_then(|(_, machine)| machine.created_by.as_ref());
        created_by.is_some_and(|word| word.text == operation)
    };
    let sum = behaviour.sums.iter().find(creates)?;
    (check == &checks::SUM_EXCEEDED).then_some((sum.whole.machine.span, &sum.summary))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
behaviour: '2.0'
records:
  box:
    summary: s
    states: {open: {summary: s}}
    events: {}
    machines:
      whole: {summary: s, initial: [open], transitions: []}
      part: {summary: s, createdBy: addPart, initial: [open], transitions: []}
sums:
  - summary: No more is added than fits.
    whole: {machine: whole, property: size, states: [open]}
    parts: {machine: part, property: size, states: [open], link: box}
confirmed:
  - {law: paging, operations: [listBoxes], summary: Pages join.}
";

    #[test]
    fn sums_and_confirmed_readings_bind() {
        let behaviour = openapi_document::behaviour::load_text("b.yaml", TEXT).unwrap();
        for (case, check, expected) in [
            (
                ("sums", "addPart"),
                &checks::SUM_EXCEEDED,
                Some(("No more is added than fits.", 13)),
            ),
            (("sums", "addPart"), &checks::SUM_DIFFERS, None),
            (("sums", "addBox"), &checks::SUM_EXCEEDED, None),
            (
                ("paging", "listBoxes"),
                &checks::PAGE_MISSES,
                Some(("Pages join.", 16)),
            ),
            (("paging", "listParts"), &checks::PAGE_MISSES, None),
            (("listing", "listBoxes"), &checks::LIST_MISSES, None),
        ] {
            let found = confirmation(&behaviour, case, check);
            let found = found
                .as_ref()
                .map(|found| (found.words.as_str(), found.spot.line));
            assert_eq!(found, expected, "{case:?} {}", check.id);
        }
    }
}
