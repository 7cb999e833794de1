//! Checks that the operation of a step has its example.

use crate::context::Scenario;
use crate::level::Level;
use crate::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::view::Operation;

pub(super) const RULE: Rule = Rule {
    id: "scenario-unknown-example",
    default: Level::Error,
    summary: "Each `x-example` is the key of a response example of its operation",
    why: "The runner has no request to send, and no response to compare with.",
    remedy: "Name a key in the `examples` of a response of the operation.",
    wrong: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing}
      - {stepId: second, operationId: addThing, x-example: none}",
    right: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing}
      - {stepId: second, operationId: addThing, x-example: a}",
    check: Check::Scenario(check),
};

fn check(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    for step in scenario.steps() {
        let name = step.get("operationId").and_then(|id| id.as_str());
        let Some(operation) = name.and_then(|name| scenario.document.operation(name)) else {
            continue;
        };
        let Some(example) = step.get("x-example") else {
            continue;
        };
        let keys = example_keys(&operation);
        if let Some(key) = example.as_str()
            && !keys.contains(&key)
        {
            let title = format!("`{}` has no example `{key}`", operation.label());
            let help = format!("its examples are: {}", keys.join(", "));
            diagnostics.push(RULE.finding(title).at(example.span, "").help(help));
        }
    }
}

fn example_keys<'d>(operation: &Operation<'d>) -> Vec<&'d str> {
    let media_types = operation
        .responses()
        .into_iter()
        .flat_map(|response| response.content());
    let examples = media_types.flat_map(|media_type| media_type.examples());
    let mut keys: Vec<_> = examples.map(|example| example.key).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}
