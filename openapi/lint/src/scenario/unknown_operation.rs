//! Checks that the document has the operations of the steps.

use crate::context::Scenario;
use crate::level::Level;
use crate::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::spelling::nearest;
use openapi_document::view::Operation;

pub(super) const RULE: Rule = Rule {
    id: "scenario-unknown-operation",
    default: Level::Error,
    summary: "The document has each operationId that a step names",
    why: "The step cannot be sent.",
    remedy: "Correct the spelling, or add the operation to the document.",
    wrong: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing}
      - {stepId: second, operationId: adThing}",
    right: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing}
      - {stepId: second, operationId: addThing}",
    check: Check::Scenario(check),
};

fn check(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    let operations = scenario.document.operations();
    let known: Vec<_> = operations.iter().filter_map(Operation::id).collect();
    for step in scenario.steps() {
        let Some(id) = step.get("operationId") else {
            continue;
        };
        // `$sourceDescriptions.NAME.ID` names an operation in one of several documents.
        let name = id
            .as_str()
            .map(|text| text.rsplit('.').next().unwrap_or(text));
        if let Some(name) = name
            && !known.contains(&name)
        {
            let title = format!("the document has no operation `{name}`");
            let mut finding = RULE.finding(title).at(id.span, "");
            if let Some(near) = nearest(name, known.iter().copied()) {
                finding = finding.help(format!("did you mean `{near}`?"));
            }
            diagnostics.push(finding);
        }
    }
}
