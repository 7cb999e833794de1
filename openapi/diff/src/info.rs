//! Info: compares the version of the contract.

use super::rule::Level;
use super::side::Mark;
use super::{Comparison, Finding, Scope};
use openapi_document::node::Node;
use openapi_document::view::Document;

/// Checks whether `info.version` fits the other changes.
pub(super) fn compare(comparison: &mut Comparison<'_, '_>) {
    let (base, revision) = comparison.documents();
    if comparison.pairs.is_incomplete {
        let title = "the documents have too many pairs of schemas to compare them all";
        comparison.push(Finding {
            base: Some((Mark::of(&base.root), "")),
            revision: Some((Mark::of(&revision.root), "")),
            ..Finding::new(
                "comparison-incomplete",
                &Scope::default(),
                "document",
                title,
            )
        });
    }
    let (Some(from), Some(to)) = (version(base), version(revision)) else {
        return;
    };
    let (old, new) = (parts(from), parts(to));
    let breaks = comparison
        .report
        .changes
        .iter()
        .any(|change| change.level == Level::Error);
    let (id, phrase) = if new < old {
        ("api-version-decreased", "decreased")
    } else if from.as_str() == to.as_str() && !comparison.report.changes.is_empty() {
        (
            "api-version-not-bumped",
            "did not change, but the contract did",
        )
    } else if breaks && leading(&new) == leading(&old) && from.as_str() != to.as_str() {
        (
            "api-major-version-not-bumped",
            "was not increased as a breaking change requires",
        )
    } else {
        return;
    };
    let shown = |node: &Node| node.as_str().unwrap_or_default().to_owned();
    let finding = Finding::new(
        id,
        &Scope::default(),
        "info version",
        format!("`info.version` {phrase}"),
    );
    comparison.push(Finding {
        detail: format!("{} → {}", shown(from), shown(to)),
        base: Some((Mark::of(from), "before")),
        revision: Some((Mark::of(to), "now")),
        ..finding
    });
}

fn version(document: &Document) -> Option<&Node> {
    document.root.get("info")?.get("version")
}

/// The leading numbers: `v1.2.3-beta` has 1, 2 and 3.
fn parts(version: &Node) -> Vec<u64> {
    let text = version
        .as_str()
        .or_else(|| version.as_number())
        .unwrap_or_default();
    let text = text.trim_start_matches(['v', 'V']);
    let numbers = text
        .split(['.', '-', '+'])
        .map_while(|part| part.parse().ok());
    numbers.collect()
}

/// The part of the version that a breaking change must increase: the first number, or the first two
/// if the first is zero.
fn leading(parts: &[u64]) -> &[u64] {
    let length = if parts.first() == Some(&0) { 2 } else { 1 };
    parts.get(..length).unwrap_or(parts)
}
