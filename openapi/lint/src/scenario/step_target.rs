//! Checks the targets of steps, actions and dependencies.

use std::collections::HashMap;

use crate::context::Scenario;
use crate::level::Level;
use crate::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::node::Node;

pub(super) const TARGET: Rule = Rule {
    id: "scenario-step-target",
    default: Level::Error,
    summary: "A step has exactly one of `operationId`, `operationPath` and `workflowId`",
    why: "A step with none does nothing. With two, tools may choose either.",
    remedy: "Keep exactly one of them.",
    wrong: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing, workflowId: w}",
    right: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing}",
    check: Check::Scenario(check_target),
};

pub(super) const PATH: Rule = Rule {
    id: "scenario-operation-path",
    default: Level::Off,
    summary: "Steps name operations by `operationId`",
    why: "A path into a document breaks when the document is rearranged. The rule is off because \
          an operation may have no id.",
    remedy: "Write the `operationId`.",
    wrong: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationPath: '{$sourceDescriptions.s.url}#/paths/~1things/post'}",
    right: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing}",
    check: Check::Scenario(check_path),
};

pub(super) const DEPENDENCY: Rule = Rule {
    id: "scenario-unknown-dependency",
    default: Level::Error,
    summary: "Each workflow named in `dependsOn` exists, and no workflows depend on each other",
    why: "The workflow would wait forever.",
    remedy: "Correct the name, or break the cycle.",
    wrong: "\
workflows:
  - {workflowId: w, dependsOn: [v], steps: []}",
    right: "\
workflows:
  - {workflowId: w, dependsOn: [v], steps: []}
  - {workflowId: v, steps: []}",
    check: Check::Scenario(check_dependencies),
};

pub(super) const GOTO: Rule = Rule {
    id: "scenario-unknown-goto",
    default: Level::Error,
    summary: "Each action leads to an existing step or workflow",
    why: "Tools cannot carry out an action without a target.",
    remedy: "Correct the name.",
    wrong:
        "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing, onSuccess: [{name: on, type: goto, stepId: second}]}",
    right: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing, onSuccess: [{name: on, type: goto, stepId: first}]}",
    check: Check::Scenario(check_goto),
};

fn check_target(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    for step in scenario.steps() {
        let keys = ["operationId", "operationPath", "workflowId"];
        let named: Vec<_> = keys.iter().filter_map(|key| step.get(key)).collect();
        if named.len() != 1 {
            let title = if named.is_empty() {
                "this step does nothing"
            } else {
                "this step does two things"
            };
            let at = named.get(1).copied().or(step.get("stepId")).unwrap_or(step);
            diagnostics.push(TARGET.finding(title).at(at.span, "").help(TARGET.remedy));
        }
    }
}

fn check_path(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    for path in scenario
        .steps()
        .filter_map(|step| step.get("operationPath"))
    {
        let finding = PATH.finding("this step names its operation by a path");
        diagnostics.push(finding.at(path.span, "").help(PATH.remedy));
    }
}

fn id<'d>(node: &'d Node, key: &str) -> Option<&'d str> {
    node.get(key).and_then(Node::as_str)
}

fn check_dependencies(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    let mut needs: HashMap<&str, Vec<&str>> = HashMap::new();
    for workflow in scenario.workflows() {
        let names = workflow
            .get("dependsOn")
            .into_iter()
            .flat_map(Node::strings);
        needs.insert(
            id(workflow, "workflowId").unwrap_or_default(),
            names.collect(),
        );
    }
    for workflow in scenario.workflows() {
        let workflow_id = id(workflow, "workflowId").unwrap_or_default();
        for name in workflow.get("dependsOn").into_iter().flat_map(Node::items) {
            let text = name.as_str().unwrap_or_default();
            // Workflows of other files are not read here.
            if text.starts_with('$') {
                continue;
            }
            let title = match needs.contains_key(text) {
                false => format!("there is no workflow `{text}`"),
                true if leads_to(&needs, text, workflow_id) => {
                    format!("`{text}` and `{workflow_id}` depend on each other")
                }
                true => continue,
            };
            diagnostics.push(
                DEPENDENCY
                    .finding(title)
                    .at(name.span, "")
                    .help(DEPENDENCY.remedy),
            );
        }
    }
}

fn leads_to(needs: &HashMap<&str, Vec<&str>>, from: &str, to: &str) -> bool {
    let mut seen = Vec::new();
    let mut open = vec![from];
    while let Some(name) = open.pop() {
        if name == to {
            return true;
        }
        if !seen.contains(&name) {
            seen.push(name);
            open.extend(needs.get(name).into_iter().flatten());
        }
    }
    false
}

fn check_goto(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    let workflows: Vec<_> = scenario
        .workflows()
        .filter_map(|one| id(one, "workflowId"))
        .collect();
    for workflow in scenario.workflows() {
        let steps: Vec<_> = Scenario::steps_of(workflow)
            .filter_map(|one| id(one, "stepId"))
            .collect();
        for step in Scenario::steps_of(workflow) {
            let lists = ["onSuccess", "onFailure"]
                .into_iter()
                .filter_map(|key| step.get(key));
            for action in lists.flat_map(Node::items) {
                for (key, known) in [("stepId", &steps), ("workflowId", &workflows)] {
                    let Some(name) = action.get(key) else {
                        continue;
                    };
                    let text = name.as_str().unwrap_or_default();
                    if !known.contains(&text) && !text.starts_with('$') {
                        let finding = GOTO.finding(format!("there is no `{text}` to go to"));
                        diagnostics.push(finding.at(name.span, "").help(GOTO.remedy));
                    }
                }
            }
        }
    }
}
