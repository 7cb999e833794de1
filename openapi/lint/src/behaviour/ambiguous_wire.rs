//! Checks that a shown value identifies its state.

use crate::context::Subject;
use crate::level::Level;
use crate::rule::{Check, Rule};
use openapi_document::behaviour::{Record, State, Wire};
use openapi_document::diagnostic::Diagnostics;

pub(super) const RULE: Rule = Rule {
    id: "behaviour-ambiguous-wire",
    default: Level::Error,
    summary: "The states of a record are shown by different texts, or all of them by booleans",
    why: "A client that reads the record cannot distinguish two states with the same value.",
    remedy: "Give each state a different text in `wire`, or a boolean to all of them.",
    wrong: "\
states:
  locked: {summary: Nobody passes.}
  open: {summary: Somebody may pass., wire: locked}",
    right: "\
states:
  locked: {summary: Nobody passes.}
  open: {summary: Somebody may pass.}",
    check: Check::Behaviour(check),
};

fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    for record in &subject.behaviour.records {
        check_record(record, diagnostics);
    }
}

fn check_record(record: &Record, diagnostics: &mut Diagnostics) {
    let shown = |state: &&State| state.wire.is_some();
    let mut before: Vec<&State> = Vec::new();
    for state in record.states.iter().filter(shown) {
        let is_flag = |state: &State| matches!(state.wire, Some(Wire::Flag(_)));
        let same = |other: &&&State| other.wire == state.wire;
        if let Some(other) = before.iter().find(same) {
            let title = format!("`{}` has the same value as another state", state.name.text);
            let finding = RULE.finding(title).at(state.name.span, "this state");
            diagnostics.push(finding.also(other.name.span, "the other"));
        } else if let Some(first) = before.first()
            && is_flag(first) != is_flag(state)
        {
            let title = format!("`{}` mixes booleans and texts", record.name.text);
            let finding = RULE
                .finding(title)
                .at(state.name.span, "this one differs in kind");
            diagnostics.push(finding.also(first.name.span, "than this"));
        }
        before.push(state);
    }
}
