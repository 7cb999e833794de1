//! Checks that `$steps` expressions name an earlier step and its outputs.

use std::collections::HashSet;

use crate::context::Scenario;
use crate::level::Level;
use crate::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::node::Node;

pub(super) const RULE: Rule = Rule {
    id: "scenario-unknown-step",
    default: Level::Error,
    summary: "Each `$steps` expression names an earlier step",
    why: "The outputs of a later step do not exist yet, and those of a missing step never do.",
    remedy: "Correct the name, or move the step.",
    wrong: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing}
      - {stepId: second, operationId: addThing, outputs: {id: $steps.third.outputs.id}}",
    right: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing}
      - {stepId: second, operationId: addThing, outputs: {id: $steps.first.outputs.id}}",
    check: Check::Scenario(check),
};

pub(super) const OUTPUT: Rule = Rule {
    id: "scenario-unknown-output",
    default: Level::Error,
    summary: "The named step has each output that an expression refers to",
    why: "An output that the step does not define has no value.",
    remedy: "Correct the name, or add the output to the step.",
    wrong: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing, outputs: {id: $response.body#/id}}
      - {stepId: second, operationId: addThing, outputs: {id: $steps.first.outputs.ic}}",
    right: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing, outputs: {id: $response.body#/id}}
      - {stepId: second, operationId: addThing, outputs: {id: $steps.first.outputs.id}}",
    check: Check::Scenario(check_outputs),
};

fn check(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    for workflow in scenario.workflows() {
        let mut before: HashSet<&str> = HashSet::new();
        for step in Scenario::steps_of(workflow) {
            check_step(step, &before, diagnostics);
            before.extend(step.get("stepId").and_then(Node::as_str));
        }
    }
}

fn check_step(step: &Node, before: &HashSet<&str>, diagnostics: &mut Diagnostics) {
    step.each_string(&mut |text, span| {
        for rest in text.split("$steps.").skip(1) {
            let end = |c: char| c == '.' || c == '}' || c.is_whitespace();
            let name = rest.split(end).next().unwrap_or_default();
            if !before.contains(name) {
                let title = format!("there is no step `{name}` before this one");
                diagnostics.push(RULE.finding(title).at(span, ""));
            }
        }
    });
}

/// `$steps.NAME.outputs.OUTPUT` must name an output of the step.
fn check_outputs(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    for workflow in scenario.workflows() {
        let steps: Vec<_> = Scenario::steps_of(workflow).collect();
        workflow.each_string(&mut |text, span| {
            for rest in text.split("$steps.").skip(1) {
                let mut parts =
                    rest.split(|c: char| !(c.is_ascii_alphanumeric() || "-_".contains(c)));
                let (Some(name), Some("outputs"), Some(output)) =
                    (parts.next(), parts.next(), parts.next())
                else {
                    continue;
                };
                let is_named =
                    |step: &&&Node| step.get("stepId").and_then(Node::as_str) == Some(name);
                let step = steps.iter().find(is_named);
                let outputs = step.and_then(|step| step.get("outputs"));
                if step.is_some() && outputs.and_then(|all| all.get(output)).is_none() {
                    let finding = OUTPUT.finding(format!("`{name}` has no output `{output}`"));
                    diagnostics.push(finding.at(span, "").help(OUTPUT.remedy));
                }
            }
        });
    }
}
