//! Bodies: compares request bodies.

use super::both::Both;
use super::media_types::{self, Owner};
use super::rule::Direction;
use super::side::Mark;
use super::{Comparison, Finding};
use openapi_document::view::Operation;

/// Compares the request bodies of an operation. For a callback, the direction is that of a
/// response.
pub(super) fn compare<'d>(comparison: &mut Comparison<'d, '_>, both: &Both<'d>) {
    let (old, new) = (both.base.request_body(), both.revision.request_body());
    let direction = if both.is_callback {
        Direction::Response
    } else {
        Direction::Request
    };
    let owner = |base, revision| Owner {
        nodes: (base, revision),
        subject: "request body".to_owned(),
        name: "request body".to_owned(),
        direction,
        provenance: both.provenance,
    };
    let operation = |operation: &Operation<'d>| operation.at.node;
    match (&old, &new) {
        (Some(from), Some(to)) => {
            if !both.is_callback && from.required() != to.required() {
                let (id, phrase) = if to.required() {
                    ("request-body-became-required", "became required")
                } else {
                    ("request-body-became-optional", "became optional")
                };
                let mark = |at: &openapi_document::view::Located<'d>| {
                    Mark::of(at.node.get("required").unwrap_or(at.node))
                };
                comparison.push(Finding {
                    base: Some((mark(&from.at), "")),
                    revision: Some((mark(&to.at), "")),
                    ..both.finding(id, "request body", phrase)
                });
            }
            let owner = owner(from.at.node, to.at.node);
            media_types::compare(comparison, both, &owner, &from.content(), &to.content());
        }
        (None, Some(to)) if both.is_callback => {
            let owner = owner(operation(&both.base), to.at.node);
            media_types::compare(comparison, both, &owner, &[], &to.content());
        }
        (Some(from), None) if both.is_callback => {
            let owner = owner(from.at.node, operation(&both.revision));
            media_types::compare(comparison, both, &owner, &from.content(), &[]);
        }
        (None, Some(to)) => {
            let required = to.required();
            let id = if required {
                "request-body-added-required"
            } else {
                "request-body-added-optional"
            };
            comparison.push(Finding {
                revision: Some((Mark::of(to.at.node), "added here")),
                ..both.finding(id, "request body", "was added")
            });
        }
        (Some(from), None) => comparison.push(Finding {
            base: Some((Mark::of(from.at.node), "was here")),
            ..both.finding("request-body-removed", "request body", "was removed")
        }),
        (None, None) => {}
    }
}
