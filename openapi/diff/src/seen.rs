//! Seen: prevents duplicate findings about an operation.

use std::collections::HashSet;

use openapi_document::provenance;
use openapi_document::source::Span;

use super::Comparison;
use super::place::Place;
use super::report::Finding;
use super::schema::PairId;

/// The pairs and findings already seen for an operation.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) pairs: HashSet<(PairId, Place)>,
    facts: HashSet<(&'static str, Span, Span, String)>,
}

/// Adds a finding unless the operation already has it.
pub(super) fn report<'d>(
    comparison: &mut Comparison<'d, '_>,
    seen: &mut Seen,
    finding: Finding<'d>,
    provenance: provenance::Level,
) {
    let rule = super::registry::rule(&finding.id);
    let spans = (
        finding.base.map(|(mark, _)| mark.span),
        finding.revision.map(|(mark, _)| mark.span),
    );
    if let (Some(rule), (Some(base), Some(revision))) = (rule, spans)
        && seen
            .facts
            .insert((rule.id, base, revision, finding.detail.clone()))
    {
        comparison.report.push(Finding {
            provenance,
            ..finding
        });
    }
}
