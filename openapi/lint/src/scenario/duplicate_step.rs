//! Checks for duplicate stepIds.

use std::collections::HashMap;

use crate::context::Scenario;
use crate::level::Level;
use crate::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;

pub(super) const RULE: Rule = Rule {
    id: "scenario-duplicate-step",
    default: Level::Error,
    summary: "Each stepId names one step of its workflow",
    why: "An expression that names the step could mean either of two.",
    remedy: "Give one of the two another stepId.",
    wrong: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing}
      - {stepId: first, operationId: addThing}",
    right: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing}
      - {stepId: second, operationId: addThing}",
    check: Check::Scenario(check),
};

fn check(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    for workflow in scenario.workflows() {
        let mut first = HashMap::new();
        for id in Scenario::steps_of(workflow).filter_map(|step| step.get("stepId")) {
            let Some(name) = id.as_str() else { continue };
            if let Some(before) = first.insert(name, id.span) {
                let title = format!("two steps of the workflow have the stepId `{name}`");
                let finding = RULE.finding(title).at(id.span, "the second");
                diagnostics.push(finding.also(before, "the first"));
            }
        }
    }
}
