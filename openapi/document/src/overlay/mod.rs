//! Overlays (Overlay Specification 1.0 and 1.1): apply files with ordered changes to a document.
//!
//! The rules of 1.1 apply to both versions, because they are more precise and allow more than 1.0.

mod action;
mod merge;
mod selector;

use crate::diagnostic::Diagnostic;
use crate::files::Files;
use crate::node::{Entry, Node};
use action::Action;

/// A problem of an action; boxed because it is much larger than a success.
type Problem = Box<Diagnostic>;

/// The rule id for a file or action that violates the specification.
const NOT_VALID: &str = "overlay-not-valid";
/// The rule id for an action that does not fit the selected nodes.
const NOT_APPLICABLE: &str = "overlay-not-applicable";
/// The rule id for an action that changes nothing.
const WITHOUT_EFFECT: &str = "overlay-without-effect";

/// Applies an overlay to a document. Errors go to the diagnostics of `files`, actions without
/// effect to its findings.
pub(crate) fn apply(overlay: &Node, root: &mut Node, files: &mut Files) {
    let problems = problems(overlay);
    if !problems.is_empty() {
        files.diagnostics.extend(problems);
        return;
    }
    for node in overlay.get("actions").into_iter().flat_map(Node::items) {
        match Action::read(node) {
            Ok(action) => match action.apply(root) {
                Ok(finding) => files.findings.extend(finding),
                Err(problem) => files.diagnostics.push(*problem),
            },
            Err(problems) => files.diagnostics.extend(problems),
        }
    }
}

/// The reasons why a file is not an overlay.
fn problems(overlay: &Node) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let version = overlay.get("overlay").and_then(Node::as_str);
    if !version.is_some_and(|text| text.starts_with("1.0.") || text.starts_with("1.1.")) {
        let node = overlay.get("overlay").unwrap_or(overlay);
        let problem = not_valid(node, "this is not an overlay of version 1.0 or 1.1");
        problems.push(problem.help("begin it with `overlay: 1.1.0`"));
    }
    problems.extend(unknown(overlay, &["overlay", "info", "extends", "actions"]));
    for key in ["title", "version"] {
        let text = overlay.get("info").and_then(|info| info.get(key)?.as_str());
        if text.is_none() {
            let node = overlay.get("info").unwrap_or(overlay);
            let title = format!("an overlay needs a string `{key}` in its `info`");
            problems.push(not_valid(node, &title));
        }
    }
    let actions = overlay.get("actions").and_then(Node::as_sequence);
    if actions.is_none_or(<[Node]>::is_empty) {
        let node = overlay.get("actions").unwrap_or(overlay);
        problems.push(not_valid(node, "an overlay needs a list of `actions`"));
    }
    problems
}

/// The fields that an object of an overlay must not have.
fn unknown(node: &Node, known: &[&str]) -> Vec<Diagnostic> {
    let is_unknown =
        |entry: &&Entry| !known.contains(&entry.key.as_str()) && !entry.key.starts_with("x-");
    let report = |entry: &Entry| {
        let title = format!("overlays have no field `{}` here", entry.key);
        let problem = Diagnostic::error(NOT_VALID, title).at(entry.key_span, "");
        problem.help(format!("it has {}", known.join(", ")))
    };
    node.entries().filter(is_unknown).map(report).collect()
}

fn not_valid(node: &Node, title: &str) -> Diagnostic {
    Diagnostic::error(NOT_VALID, title).at(node.span, node.type_name())
}
