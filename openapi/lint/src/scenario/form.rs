//! Checks for required keys, valid names and expressions, and descriptions.

use crate::context::Scenario;
use crate::level::Level;
use crate::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::node::{Entry, Node};

pub(super) const MISSING: Rule = Rule {
    id: "scenario-missing-key",
    default: Level::Error,
    summary: "Each part has the keys that Arazzo requires",
    why: "Without them, tools cannot read the file, or cannot name the part.",
    remedy: "Add the key.",
    wrong: "\
workflows:
  - workflowId: w
    steps:
      - {operationId: addThing}",
    right: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing}",
    check: Check::Scenario(check_missing),
};

pub(super) const ID: Rule = Rule {
    id: "scenario-invalid-name",
    default: Level::Warning,
    summary: "Ids and names of outputs have only letters, digits and `-`, `_`, `.`",
    why: "Any other character ends the name in an expression.",
    remedy: "Rename the id or output.",
    wrong: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing, outputs: {'the id': $response.body#/id}}",
    right: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing, outputs: {the-id: $response.body#/id}}",
    check: Check::Scenario(check_names),
};

pub(super) const OUTPUT: Rule = Rule {
    id: "scenario-invalid-output",
    default: Level::Error,
    summary: "Each output is a runtime expression",
    why: "Any other text is not a value of the exchange.",
    remedy: "Begin with `$response.`, `$request.`, `$statusCode`, `$url`, `$method`, `$inputs.`, \
             `$steps.` or `$outputs.`.",
    wrong: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing, outputs: {id: response.body#/id}}",
    right: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing, outputs: {id: $response.body#/id}}",
    check: Check::Scenario(check_outputs),
};

pub(super) const CRITERION: Rule = Rule {
    id: "scenario-invalid-criterion",
    default: Level::Error,
    summary: "A criterion of type `regex`, `jsonpath` or `xpath` has a `context`",
    why: "The context is the value to which such a criterion applies.",
    remedy: "Write the `context`, such as `$response.body`.",
    wrong: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing, successCriteria: [{type: regex, condition: '^2'}]}",
    right: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing, successCriteria: [{type: regex, context: $statusCode, condition: '^2'}]}",
    check: Check::Scenario(check_criteria),
};

pub(super) const DESCRIPTION: Rule = Rule {
    id: "scenario-without-description",
    default: Level::Off,
    summary: "Files, workflows and steps have a description",
    why: "Reports show it beside the name. The rule is off because most names say enough.",
    remedy: "Write `description`.",
    wrong: "\
info: {title: t, version: '1'}
workflows: []",
    right: "\
info: {title: t, version: '1', description: Tries things.}
workflows: []",
    check: Check::Scenario(check_descriptions),
};

pub(super) const SCRIPT: Rule = Rule {
    id: "scenario-script-in-markdown",
    default: Level::Warning,
    summary: "No text contains a `<script>`",
    why: "A page that shows the scenario runs the script with the rights of its reader.",
    remedy: "Remove the tag; show code in backticks without it.",
    wrong: "info: {title: t, version: '1', description: <script>run()</script>}",
    right: "info: {title: t, version: '1', description: Tries things.}",
    check: Check::Scenario(check_scripts),
};

fn check_missing(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    let root = scenario.root();
    demand(
        root,
        "a scenario file",
        &["arazzo", "info", "sourceDescriptions", "workflows"],
        diagnostics,
    );
    if let Some(info) = root.get("info") {
        demand(info, "`info`", &["title", "version"], diagnostics);
    }
    for source in root
        .get("sourceDescriptions")
        .into_iter()
        .flat_map(Node::items)
    {
        demand(source, "a source", &["name", "url"], diagnostics);
    }
    for workflow in scenario.workflows() {
        demand(
            workflow,
            "a workflow",
            &["workflowId", "steps"],
            diagnostics,
        );
    }
    for step in scenario.steps() {
        demand(step, "a step", &["stepId"], diagnostics);
        for criterion in step
            .get("successCriteria")
            .into_iter()
            .flat_map(Node::items)
        {
            demand(criterion, "a criterion", &["condition"], diagnostics);
        }
    }
}

fn demand(node: &Node, what: &str, keys: &[&str], diagnostics: &mut Diagnostics) {
    for key in keys.iter().filter(|key| node.get(key).is_none()) {
        let finding = MISSING.finding(format!("{what} needs a `{key}`"));
        diagnostics.push(finding.at(node.span, "").help(MISSING.remedy));
    }
}

fn check_names(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    let mut names = Vec::new();
    for (owner, key) in scenario
        .workflows()
        .map(|one| (one, "workflowId"))
        .chain(scenario.steps().map(|one| (one, "stepId")))
    {
        let id = owner.get(key);
        names.extend(id.and_then(|id| Some((id.as_str()?, id.span))));
        names.extend(outputs(owner).map(|entry| (entry.key.as_str(), entry.key_span)));
    }
    let is_fit = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    for (name, span) in names
        .into_iter()
        .filter(|(name, _)| !name.chars().all(is_fit))
    {
        let finding = ID.finding(format!("an expression cannot contain `{name}`"));
        diagnostics.push(finding.at(span, "").help(ID.remedy));
    }
}

fn outputs(owner: &Node) -> impl Iterator<Item = &Entry> {
    owner.get("outputs").into_iter().flat_map(Node::entries)
}

fn check_outputs(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    for output in scenario
        .workflows()
        .chain(scenario.steps())
        .flat_map(outputs)
    {
        let text = output.value.as_str();
        if text.is_some_and(|text| !is_expression(text)) {
            let finding = OUTPUT.finding(format!(
                "`{}` is not a runtime expression",
                text.unwrap_or_default()
            ));
            diagnostics.push(finding.at(output.value.span, "").help(OUTPUT.remedy));
        }
    }
}

fn is_expression(text: &str) -> bool {
    let whole = ["$url", "$method", "$statusCode"];
    let begins = [
        "$request.",
        "$response.",
        "$inputs.",
        "$outputs.",
        "$steps.",
        "$workflows.",
        "$sourceDescriptions.",
        "$components.",
    ];
    whole.contains(&text) || begins.iter().any(|begin| text.starts_with(begin))
}

fn check_criteria(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    for step in scenario.steps() {
        for criterion in step
            .get("successCriteria")
            .into_iter()
            .flat_map(Node::items)
        {
            let kind = criterion
                .get("type")
                .and_then(|kind| kind.get("type").or(Some(kind)));
            let text = kind.and_then(Node::as_str).unwrap_or("simple");
            if text != "simple" && criterion.get("context").is_none() {
                let finding =
                    CRITERION.finding(format!("this {text} has no `context` to apply to"));
                diagnostics.push(finding.at(criterion.span, "").help(CRITERION.remedy));
            }
        }
    }
}

fn check_descriptions(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    let owners = scenario.root().get("info").into_iter();
    for owner in owners.chain(scenario.workflows()).chain(scenario.steps()) {
        if owner.get("description").is_none() && owner.get("summary").is_none() {
            let finding = DESCRIPTION.finding("a description is missing here");
            diagnostics.push(finding.at(owner.span, "").help(DESCRIPTION.remedy));
        }
    }
}

fn check_scripts(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    scenario.root().each_string(&mut |text, span| {
        if text.to_ascii_lowercase().contains("<script") {
            let finding = SCRIPT.finding("this text has a `<script>`").at(span, "");
            diagnostics.push(finding.help(SCRIPT.remedy));
        }
    });
}
