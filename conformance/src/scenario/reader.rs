//! Reads Arazzo documents. Reports all mistakes at once, each with its place.

mod fields;
mod repetition;

use std::path::{Path, PathBuf};

use openapi_document::node::Entry;
use openapi_document::{Diagnostic, Diagnostics, Node, Pointer, Provenance, SourceMap};

use super::{Criterion, Scenario, ScenarioParameter, ScenarioStep};
use crate::condition::Condition;
use crate::expression::{Expression, Template};
use crate::spot::spot;

/// The mistakes in scenarios.
#[derive(Debug)]
pub struct ScenarioErrors {
    /// The texts that were read.
    pub sources: SourceMap,
    /// The mistakes.
    pub diagnostics: Diagnostics,
}

/// The scenarios of several files, with their texts.
#[derive(Debug, Default)]
pub struct Scenarios {
    /// The scenarios.
    pub list: Vec<Scenario>,
    /// The texts.
    pub sources: SourceMap,
}

/// Reads every `*.arazzo.yaml`, `.yml` and `.json` file of a folder, in the order of their names.
pub fn read_folder(folder: &Path) -> Result<Scenarios, ScenarioErrors> {
    let mut reader = Reader::default();
    let scenarios = match files(folder) {
        Ok(files) => files.iter().flat_map(|file| reader.file(file)).collect(),
        Err(error) => {
            let title = format!("failed to read the folder {}: {error}", folder.display());
            reader
                .diagnostics
                .push(Diagnostic::error("unreadable-file", title));
            Vec::new()
        }
    };
    reader.finish(scenarios)
}

/// Reads documents from texts in memory, each with its path.
pub fn read_texts(texts: &[(&str, &str)]) -> Result<Scenarios, ScenarioErrors> {
    let mut reader = Reader::default();
    let read = |(path, text): &(&str, &str)| reader.parse(PathBuf::from(path), (*text).to_owned());
    let scenarios = texts.iter().flat_map(read).collect();
    reader.finish(scenarios)
}

/// The total size of the scenario files of a folder, in bytes. Ignores files without a readable
/// size.
pub(crate) fn size(folder: &Path) -> u64 {
    let files = files(folder).unwrap_or_default();
    let sizes = files.iter().filter_map(|file| file.metadata().ok());
    sizes.map(|metadata| metadata.len()).sum()
}

fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        let endings = [".arazzo.yaml", ".arazzo.yml", ".arazzo.json"];
        if endings.iter().any(|ending| name.ends_with(ending)) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

#[derive(Default)]
struct Reader {
    sources: SourceMap,
    diagnostics: Diagnostics,
    /// The ids of the workflows so far, of all files.
    workflows: Vec<String>,
}

const ROOT: &[&str] = &[
    "arazzo",
    "info",
    "sourceDescriptions",
    "workflows",
    "components",
];
const WORKFLOW: &[&str] = &[
    "workflowId",
    "summary",
    "description",
    "inputs",
    "steps",
    "outputs",
];
const STEP: &[&str] = &[
    "stepId",
    "description",
    "operationId",
    "parameters",
    "requestBody",
    "successCriteria",
    "outputs",
    "x-example",
    "x-final",
    "x-rejection",
    "x-until",
    "x-parallel",
    "x-provenance",
];
const PARAMETER: &[&str] = &["name", "in", "value"];
const BODY: &[&str] = &["contentType", "payload", "replacements"];
const REPLACEMENT: &[&str] = &["target", "value"];
const CRITERION: &[&str] = &["condition", "type"];

impl Reader {
    fn finish(self, list: Vec<Scenario>) -> Result<Scenarios, ScenarioErrors> {
        if self.diagnostics.has_errors() {
            return Err(ScenarioErrors {
                sources: self.sources,
                diagnostics: self.diagnostics,
            });
        }
        Ok(Scenarios {
            list,
            sources: self.sources,
        })
    }

    fn error(&mut self, at: &Node, title: impl Into<String>, label: impl Into<String>) {
        let diagnostic = Diagnostic::error("invalid-scenario", title).at(at.span, label);
        self.diagnostics.push(diagnostic);
    }

    fn file(&mut self, path: &Path) -> Vec<Scenario> {
        match std::fs::read_to_string(path) {
            Ok(text) => self.parse(openapi_document::loader::tidy(path), text),
            Err(error) => {
                let title = format!("failed to read {}: {error}", path.display());
                self.diagnostics
                    .push(Diagnostic::error("unreadable-file", title));
                Vec::new()
            }
        }
    }

    fn parse(&mut self, path: PathBuf, text: String) -> Vec<Scenario> {
        let file = self.sources.add(path, text);
        match openapi_document::syntax::read(file, self.sources.file(file)) {
            Ok(root) => self.document(&root),
            Err(error) => {
                let finding = Diagnostic::error(error.rule, error.message);
                self.diagnostics.push(finding.at(error.span, "here"));
                Vec::new()
            }
        }
    }

    fn document(&mut self, root: &Node) -> Vec<Scenario> {
        self.known_keys(root, ROOT, "document");
        let version = root.get("arazzo");
        let is_1_0 = |node: &Node| node.as_str().is_some_and(|text| text.starts_with("1.0."));
        if !version.is_some_and(is_1_0) {
            self.error(
                version.unwrap_or(root),
                "this is not an Arazzo 1.0 document",
                "`arazzo: 1.0.1`",
            );
            return Vec::new();
        }
        let workflows: Vec<&Node> = root
            .get("workflows")
            .iter()
            .flat_map(|list| list.items())
            .collect();
        if workflows.is_empty() {
            self.error(
                root,
                "the document has no workflows",
                "`workflows` is missing here",
            );
        }
        workflows
            .into_iter()
            .filter_map(|workflow| self.workflow(workflow))
            .collect()
    }

    fn workflow(&mut self, node: &Node) -> Option<Scenario> {
        self.known_keys(node, WORKFLOW, "workflow");
        let id = self.text_of(node, "workflowId")?;
        if self.workflows.contains(&id) {
            self.error(
                node,
                format!("two workflows are called `{id}`"),
                "the second",
            );
        }
        self.workflows.push(id.clone());
        let properties = node
            .get("inputs")
            .and_then(|inputs| inputs.get("properties"));
        let input = |entry: &Entry| (entry.key.clone(), entry.value.get("default").cloned());
        let inputs: Vec<_> = properties
            .iter()
            .flat_map(|all| all.entries())
            .map(input)
            .collect();
        let mut steps: Vec<ScenarioStep> = Vec::new();
        let list = self.required(node, "steps");
        if let Some(empty) = list.filter(|list| list.items().next().is_none()) {
            self.error(empty, "a list of steps is expected", "the list is empty");
        }
        for item in list.iter().flat_map(|list| list.items()) {
            let Some(step) = self.step(item) else {
                continue;
            };
            if steps.iter().any(|other| other.id == step.id) {
                self.error(
                    item,
                    format!("two steps are called `{}`", step.id),
                    "the second",
                );
            }
            for needed in step.needs() {
                if !steps.iter().any(|other| other.id == needed) {
                    let title = format!("there is no step `{needed}` before `{}`", step.id);
                    self.error(item, title, "refers to it");
                }
            }
            steps.push(step);
        }
        Some(Scenario { id, inputs, steps })
    }

    fn step(&mut self, node: &Node) -> Option<ScenarioStep> {
        self.known_keys(node, STEP, "step");
        let id = self.text_of(node, "stepId")?;
        let operation = self.text_of(node, "operationId")?;
        let operation = operation
            .strip_prefix("$sourceDescriptions.")
            .and_then(|rest| rest.split_once('.'))
            .map_or(operation.as_str(), |(_, id)| id);
        let body = node.get("requestBody");
        if let Some(body) = body {
            self.known_keys(body, BODY, "request body");
        }
        let payload = body.and_then(|body| body.get("payload"));
        let replacements = body.and_then(|body| body.get("replacements"));
        let outputs = node
            .get("outputs")
            .iter()
            .flat_map(|all| all.entries())
            .collect::<Vec<_>>();
        let level = node
            .get("x-provenance")
            .map(|value| (value, Provenance::read(value)));
        if let Some((value, None)) = &level {
            self.error(
                value,
                "the provenance has no level",
                "documented, inferred or proposed",
            );
        }
        Some(ScenarioStep {
            spot: spot(&self.sources, node.span),
            operation_id: operation.to_owned(),
            example: node.get("x-example").and_then(|key| self.text(key)),
            parameters: self.list(node.get("parameters"), Self::parameter),
            payload: payload.and_then(|payload| self.template(payload)),
            replacements: self.list(replacements, Self::replacement),
            criteria: self.list(node.get("successCriteria"), Self::criterion),
            outputs: outputs
                .into_iter()
                .filter_map(|entry| self.output(entry))
                .collect(),
            is_final: self.flag(node.get("x-final")),
            rejection: self.flag(node.get("x-rejection")),
            until: node.get("x-until").and_then(|until| self.until(until)),
            parallel: node
                .get("x-parallel")
                .and_then(|parallel| self.parallel(parallel)),
            level: level.and_then(|(_, provenance)| Some(provenance?.level)),
            id,
        })
    }

    fn parameter(&mut self, node: &Node) -> Option<ScenarioParameter> {
        self.known_keys(node, PARAMETER, "parameter");
        Some(ScenarioParameter {
            name: self.text_of(node, "name")?,
            location: node.get("in").and_then(Node::as_str).map(str::to_owned),
            value: self.value(node)?,
        })
    }

    fn replacement(&mut self, node: &Node) -> Option<(Pointer, Template)> {
        self.known_keys(node, REPLACEMENT, "replacement");
        let target = self.text_of(node, "target")?;
        let value = self.value(node)?;
        let Some(pointer) = Pointer::parse(&target) else {
            self.error(
                node,
                format!("`{target}` is not a JSON pointer"),
                "in this replacement",
            );
            return None;
        };
        Some((pointer, value))
    }

    fn criterion(&mut self, node: &Node) -> Option<Criterion> {
        self.known_keys(node, CRITERION, "criterion");
        let kind = node.get("type").map_or(Some("simple"), Node::as_str);
        if kind != Some("simple") {
            self.error(
                node,
                "only simple criteria are supported",
                "this one is of another type",
            );
            return None;
        }
        let at = self.required(node, "condition")?;
        let text = self.text(at)?;
        match Condition::parse(&text) {
            Ok(condition) => Some(Criterion {
                condition,
                text,
                spot: spot(&self.sources, at.span),
            }),
            Err(error) => {
                self.error(at, error.to_string(), "in this condition");
                None
            }
        }
    }

    fn output(&mut self, entry: &Entry) -> Option<(String, Expression)> {
        let text = self.text(&entry.value)?;
        match Expression::parse(&text) {
            Ok(expression) => Some((entry.key.clone(), expression)),
            Err(error) => {
                self.error(&entry.value, error.to_string(), "in this output");
                None
            }
        }
    }
}

#[cfg(test)]
mod tests;
