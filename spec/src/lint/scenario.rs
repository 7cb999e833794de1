//! Scenarios against the document they exercise.

use std::collections::HashSet;

use super::Rule;
use super::nearest;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::document::{Document, Operation};
use crate::node::{Entry, Node, Value};
use crate::scenarios::ScenarioFile;
use crate::source::Span;

/// A key that means nothing in its place, such as a mistyped `x-` field.
const UNKNOWN_KEY: &str = "scenario-unknown-key";
const UNKNOWN_OPERATION: &str = "scenario-unknown-operation";
const UNKNOWN_EXAMPLE: &str = "scenario-unknown-example";
const DUPLICATE_STEP: &str = "scenario-duplicate-step";
const UNKNOWN_STEP: &str = "scenario-unknown-step";

/// An object of Arazzo and its keys, ours included; what stands under a key where that is an object
/// of Arazzo too, or a list of them.
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

/// Holds scenario files to the rules, each together with its findings.
pub fn lint_scenarios<'s>(
    document: &Document,
    files: &'s [ScenarioFile],
) -> Vec<(&'s ScenarioFile, Diagnostics)> {
    let lint = |file: &'s ScenarioFile| {
        let mut diagnostics = Diagnostics::default();
        check_keys(&file.root, "document", &mut diagnostics);
        for workflow in file.root.get("workflows").into_iter().flat_map(Node::items) {
            check_workflow(document, workflow, &mut diagnostics);
        }
        diagnostics.sort();
        (file, diagnostics)
    };
    files.iter().map(lint).collect()
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
                let title = format!("`{}` is no key of a {kind}", entry.key);
                let known = keys.iter().map(|(name, _)| *name);
                let help = nearest(&entry.key, known).map_or_else(
                    || "remove it".to_owned(),
                    |name| format!("did you mean `{name}`?"),
                );
                let finding = Diagnostic::error(UNKNOWN_KEY, title);
                diagnostics.push(finding.at(entry.key_span, "nothing reads this").help(help));
            }
        }
    }
}

fn check_workflow(document: &Document, workflow: &Node, diagnostics: &mut Diagnostics) {
    let mut steps: HashSet<&str> = HashSet::new();
    for step in workflow.get("steps").into_iter().flat_map(Node::items) {
        check_step_references(step, &steps, diagnostics);
        check_operation(document, step, diagnostics);
        let Some(id) = step.get("stepId") else {
            continue;
        };
        if let Some(name) = id.as_str()
            && !steps.insert(name)
        {
            let title = format!("two steps of the workflow are called `{name}`");
            diagnostics.push(Diagnostic::error(DUPLICATE_STEP, title).at(id.span, "the second"));
        }
    }
}

fn check_operation(document: &Document, step: &Node, diagnostics: &mut Diagnostics) {
    let Some(id) = step.get("operationId") else {
        return;
    };
    let Some(name) = id.as_str() else { return };
    let Some(operation) = document.operation(name) else {
        let title = format!("the document has no operation `{name}`");
        diagnostics.push(Diagnostic::error(UNKNOWN_OPERATION, title).at(id.span, ""));
        return;
    };
    let Some(example) = step.get("x-example") else {
        return;
    };
    let keys = example_keys(&operation);
    if let Some(key) = example.as_str()
        && !keys.contains(&key)
    {
        let title = format!("`{name}` has no example `{key}`");
        let help = format!("its examples are: {}", keys.join(", "));
        let finding = Diagnostic::error(UNKNOWN_EXAMPLE, title).at(example.span, "");
        diagnostics.push(finding.help(help));
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

/// `$steps.NAME…` may name only a step before.
fn check_step_references(step: &Node, before: &HashSet<&str>, diagnostics: &mut Diagnostics) {
    each_string(step, &mut |text, span| {
        for rest in text.split("$steps.").skip(1) {
            let name = rest
                .split(|c: char| c == '.' || c == '}' || c.is_whitespace())
                .next();
            let name = name.unwrap_or_default();
            if !before.contains(name) {
                let title = format!("there is no step `{name}` before this one");
                diagnostics.push(Diagnostic::error(UNKNOWN_STEP, title).at(span, ""));
            }
        }
    });
}

fn each_string(node: &Node, visit: &mut dyn FnMut(&str, Span)) {
    match &node.value {
        Value::String(text) => visit(text, node.span),
        Value::Sequence(items) => items.iter().for_each(|item| each_string(item, visit)),
        Value::Mapping(map) => {
            map.entries
                .iter()
                .for_each(|Entry { value, .. }| each_string(value, visit));
        }
        _ => {}
    }
}

/// The rules on scenarios, with what they ask for.
pub const SCENARIO_RULES: &[(&str, &str)] = &[
    (DUPLICATE_STEP, "Each stepId names one step of its workflow"),
    (
        UNKNOWN_EXAMPLE,
        "Each `x-example` is the key of a response example of its operation",
    ),
    (
        UNKNOWN_KEY,
        "Each key is one of Arazzo's, or one of the documented `x-` fields",
    ),
    (UNKNOWN_OPERATION, "Each operationId is one of the document"),
    (UNKNOWN_STEP, "Each `$steps` expression names a step before"),
];

impl Rule {
    /// The names and summaries of all rules, those on scenarios and on behaviour included.
    pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
        let own = super::RULES.iter().map(|rule| (rule.id, rule.summary));
        let behaviour = super::BEHAVIOUR_RULES.iter();
        let behaviour = behaviour.map(|rule| (rule.id, rule.summary));
        own.chain(SCENARIO_RULES.iter().copied()).chain(behaviour)
    }
}
