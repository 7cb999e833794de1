//! Checks for unknown keys, such as a mistyped `x-` field.

use crate::context::Scenario;
use crate::level::Level;
use crate::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::node::{Node, Value};
use openapi_document::spelling::nearest;

pub(super) const RULE: Rule = Rule {
    id: "scenario-unknown-key",
    default: Level::Error,
    summary: "Each key is one of Arazzo, or one of the documented `x-` fields",
    why: "Tools ignore unknown keys, so a mistyped key has no effect.",
    remedy: "Correct the spelling, or remove the key.",
    wrong: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing}
      - {stepId: second, operationID: addThing}",
    right: "\
workflows:
  - workflowId: w
    steps:
      - {stepId: first, operationId: addThing}
      - {stepId: second, operationId: addThing}",
    check: Check::Scenario(check),
};

/// The kinds of Arazzo objects, each with its keys, including our extensions. A key may hold
/// another kind of object, or a list of them.
type Grammar = &'static [(
    &'static str,
    &'static [(&'static str, Option<&'static str>)],
)];

static GRAMMAR: Grammar = &[
    (
        "document",
        &[
            ("arazzo", None),
            ("info", Some("info")),
            ("sourceDescriptions", Some("source description")),
            ("workflows", Some("workflow")),
            ("components", None),
        ],
    ),
    (
        "info",
        &[
            ("title", None),
            ("summary", None),
            ("description", None),
            ("version", None),
        ],
    ),
    (
        "source description",
        &[("name", None), ("url", None), ("type", None)],
    ),
    (
        "workflow",
        &[
            ("workflowId", None),
            ("summary", None),
            ("description", None),
            ("inputs", None),
            ("dependsOn", None),
            ("steps", Some("step")),
            ("successActions", None),
            ("failureActions", None),
            ("outputs", None),
            ("parameters", Some("parameter")),
            ("x-provenance", None),
        ],
    ),
    (
        "step",
        &[
            ("description", None),
            ("stepId", None),
            ("operationId", None),
            ("operationPath", None),
            ("workflowId", None),
            ("parameters", Some("parameter")),
            ("requestBody", Some("request body")),
            ("successCriteria", Some("criterion")),
            ("onSuccess", None),
            ("onFailure", None),
            ("outputs", None),
            ("x-example", None),
            ("x-final", None),
            ("x-until", Some("until")),
            ("x-rejection", None),
            ("x-parallel", Some("parallel")),
            ("x-provenance", None),
        ],
    ),
    (
        "parameter",
        &[
            ("name", None),
            ("in", None),
            ("value", None),
            ("reference", None),
        ],
    ),
    (
        "request body",
        &[
            ("contentType", None),
            ("payload", None),
            ("replacements", Some("replacement")),
        ],
    ),
    ("replacement", &[("target", None), ("value", None)]),
    (
        "criterion",
        &[("context", None), ("condition", None), ("type", None)],
    ),
    (
        "until",
        &[
            ("deadline", None),
            ("interval", None),
            ("criteria", Some("criterion")),
        ],
    ),
    (
        "parallel",
        &[
            ("count", None),
            ("atMost", Some("bound")),
            ("exactly", None),
            ("keys", None),
        ],
    ),
    ("bound", &[("condition", None), ("count", None)]),
];

fn check(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    check_keys(scenario.root(), "document", diagnostics);
}

fn check_keys(node: &Node, kind: &'static str, diagnostics: &mut Diagnostics) {
    let keys = GRAMMAR
        .iter()
        .find(|(of, _)| *of == kind)
        .map_or(&[][..], |(_, keys)| keys);
    for entry in node.entries() {
        match keys.iter().find(|(name, _)| *name == entry.key) {
            Some((_, Some(child))) => {
                let one = matches!(entry.value.value, Value::Mapping(_)).then_some(&entry.value);
                let all = one.into_iter().chain(entry.value.items());
                all.for_each(|node| check_keys(node, child, diagnostics));
            }
            Some((_, None)) => {}
            None => {
                let title = format!("`{}` is not a key of a {kind}", entry.key);
                let known = keys.iter().map(|(name, _)| *name);
                let help = nearest(&entry.key, known).map_or_else(
                    || "remove it".to_owned(),
                    |name| format!("did you mean `{name}`?"),
                );
                let finding = RULE.finding(title);
                diagnostics.push(finding.at(entry.key_span, "nothing reads this").help(help));
            }
        }
    }
}
