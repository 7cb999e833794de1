//! Checks for duplicate names.

use std::collections::HashMap;

use crate::context::Scenario;
use crate::level::Level;
use crate::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::node::Node;

pub(super) const WORKFLOW: Rule = Rule {
    id: "scenario-duplicate-workflow",
    default: Level::Error,
    summary: "Each workflowId names one workflow of its file",
    why: "A reference to the name could mean either of two.",
    remedy: "Give one of the two another workflowId.",
    wrong: "\
workflows:
  - {workflowId: w, steps: [{stepId: s, operationId: addThing}]}
  - {workflowId: w, steps: [{stepId: s, operationId: addThing}]}",
    right: "\
workflows:
  - {workflowId: w, steps: [{stepId: s, operationId: addThing}]}
  - {workflowId: v, steps: [{stepId: s, operationId: addThing}]}",
    check: Check::Scenario(check_workflows),
};

pub(super) const SOURCE: Rule = Rule {
    id: "scenario-duplicate-source",
    default: Level::Error,
    summary: "Each name under `sourceDescriptions` occurs once",
    why: "An expression that names the source could mean either of two.",
    remedy: "Give one of the two another name.",
    wrong: "sourceDescriptions: [{name: s, url: a.yaml, type: openapi}, {name: s, url: b.yaml, type: openapi}]",
    right: "sourceDescriptions: [{name: s, url: a.yaml, type: openapi}, {name: t, url: b.yaml, type: openapi}]",
    check: Check::Scenario(check_sources),
};

pub(super) const PARAMETER: Rule = Rule {
    id: "scenario-duplicate-parameter",
    default: Level::Error,
    summary: "No parameter occurs twice in a step or workflow",
    why: "Tools may send either of the two values.",
    remedy: "Remove one of the two parameters.",
    wrong: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing, parameters: [{name: a, in: query, value: 1}, {name: a, in: query, value: 2}]}",
    right: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing, parameters: [{name: a, in: query, value: 1}, {name: a, in: header, value: 2}]}",
    check: Check::Scenario(check_parameters),
};

pub(super) const ACTION: Rule = Rule {
    id: "scenario-duplicate-action",
    default: Level::Warning,
    summary: "Each name under `onSuccess` and `onFailure` occurs once",
    why: "A report that names the action could mean either of two.",
    remedy: "Give one of the two another name.",
    wrong: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing, onFailure: [{name: stop, type: end}, {name: stop, type: end}]}",
    right: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing, onFailure: [{name: stop, type: end}]}",
    check: Check::Scenario(check_actions),
};

pub(super) const REPLACEMENT: Rule = Rule {
    id: "scenario-duplicate-replacement",
    default: Level::Warning,
    summary: "Each place in a payload is replaced only once",
    why: "The second replacement overwrites the first.",
    remedy: "Remove one of the two replacements.",
    wrong: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing, requestBody: {replacements: [{target: /a, value: 1}, {target: /a, value: 2}]}}",
    right: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing, requestBody: {replacements: [{target: /a, value: 1}, {target: /b, value: 2}]}}",
    check: Check::Scenario(check_replacements),
};

pub(super) const CRITERION: Rule = Rule {
    id: "scenario-duplicate-criterion",
    default: Level::Warning,
    summary: "No criterion occurs twice in a list",
    why: "The second criterion has no effect. Usually the author meant another one.",
    remedy: "Remove or correct one of the two criteria.",
    wrong: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing, successCriteria: [{condition: $statusCode == 200}, {condition: $statusCode == 200}]}",
    right: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing, successCriteria: [{condition: $statusCode == 200}]}",
    check: Check::Scenario(check_criteria),
};

fn check_workflows(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    once(
        &WORKFLOW,
        scenario.workflows(),
        &["workflowId"],
        diagnostics,
    );
}

fn check_sources(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    once(
        &SOURCE,
        list(scenario.root(), "sourceDescriptions"),
        &["name"],
        diagnostics,
    );
}

fn check_parameters(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    for owner in scenario.workflows().chain(scenario.steps()) {
        let parameters = list(owner, "parameters");
        once(
            &PARAMETER,
            parameters,
            &["name", "in", "reference"],
            diagnostics,
        );
    }
}

fn check_actions(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    for step in scenario.steps() {
        for key in ["onSuccess", "onFailure"] {
            once(
                &ACTION,
                list(step, key),
                &["name", "reference"],
                diagnostics,
            );
        }
    }
    for workflow in scenario.workflows() {
        for key in ["successActions", "failureActions"] {
            once(
                &ACTION,
                list(workflow, key),
                &["name", "reference"],
                diagnostics,
            );
        }
    }
}

fn check_replacements(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    for body in scenario.steps().filter_map(|step| step.get("requestBody")) {
        once(
            &REPLACEMENT,
            list(body, "replacements"),
            &["target"],
            diagnostics,
        );
    }
}

fn check_criteria(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    for step in scenario.steps() {
        let criteria = list(step, "successCriteria");
        once(
            &CRITERION,
            criteria,
            &["condition", "context", "type"],
            diagnostics,
        );
    }
}

fn list<'d>(owner: &'d Node, key: &str) -> impl Iterator<Item = &'d Node> + use<'d> {
    owner.get(key).into_iter().flat_map(Node::items)
}

/// Reports each item that equals an earlier one in all of these keys.
fn once<'d>(
    rule: &Rule,
    items: impl Iterator<Item = &'d Node>,
    keys: &[&str],
    diagnostics: &mut Diagnostics,
) {
    let mut first = HashMap::new();
    for item in items {
        let values: Vec<_> = keys.iter().filter_map(|key| item.get(key)).collect();
        let Some(name) = values.first() else { continue };
        let texts: Vec<_> = values
            .iter()
            .map(|value| value.to_serde().to_string())
            .collect();
        if let Some(before) = first.insert(texts, name.span) {
            let text = name.as_str().unwrap_or_default();
            let finding = rule.finding(format!("`{text}` is listed twice"));
            let finding = finding
                .at(name.span, "the second")
                .also(before, "the first");
            diagnostics.push(finding.help(rule.remedy));
        }
    }
}
