//! Withheld operations: those that the user excludes, and those that can harm a server that others
//! use.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::view::{Document, Operation};
use wildmatch::WildMatch;

mod harm;

pub use harm::Harm;

/// The user's settings for operations that should not be called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exclusions {
    /// Patterns of operations that are never called.
    pub operations: BTreeSet<String>,
    /// Patterns of paths whose operations are never called.
    pub paths: BTreeSet<String>,
    /// Patterns of operations that can harm the server, besides those that are detected.
    pub destructive: BTreeSet<String>,
    /// Whether operations that can harm the server are called, after all others.
    pub allow_destructive: bool,
}

/// The withheld operations of a document.
#[derive(Debug, Clone, Default)]
pub struct Withheld {
    /// Why an operation is not called, by its label.
    reasons: BTreeMap<String, String>,
    /// The operations that can harm the server and are called last.
    last: BTreeSet<String>,
}

impl Withheld {
    /// Applies the settings to a document.
    pub fn of(document: &Document, exclusions: &Exclusions) -> Self {
        let operations = document.operations();
        let mut withheld = Self::default();
        for operation in &operations {
            let label = operation.label();
            if let Some(option) = exclusions.excluding(operation) {
                let reason = format!("not called: excluded by {option}");
                withheld.reasons.insert(label, reason);
                continue;
            }
            let mut declared = exclusions.destructive.iter();
            let declared = declared.any(|pattern| names(pattern, operation));
            let harm = if declared {
                Some(Harm::Declared)
            } else {
                Harm::of(document, &operations, operation)
            };
            match harm {
                Some(_) if exclusions.allow_destructive => {
                    withheld.last.insert(label);
                }
                Some(harm) => {
                    let reason =
                        format!("not called: it {harm}; --allow-destructive calls it last");
                    withheld.reasons.insert(label, reason);
                }
                None => {}
            }
        }
        withheld
    }

    /// Why a run does not call an operation. `None` when it does.
    pub fn reason(&self, operation: &str) -> Option<&str> {
        self.reasons.get(operation).map(String::as_str)
    }

    /// Whether an operation is called after all others.
    pub fn is_last(&self, operation: &str) -> bool {
        self.last.contains(operation)
    }

    /// The operations that are not called, each with its reason.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.reasons.iter();
        all.map(|(operation, reason)| (operation.as_str(), reason.as_str()))
    }
}

impl Exclusions {
    /// The option that excludes an operation.
    fn excluding(&self, operation: &Operation<'_>) -> Option<String> {
        let operations = self.operations.iter();
        let by_name = operations
            .clone()
            .find(|pattern| names(pattern, operation))
            .map(|pattern| format!("--skip-operation {pattern}"));
        let mut paths = self.paths.iter();
        let by_path = || {
            let pattern = paths.find(|item| WildMatch::new(item).matches(operation.path))?;
            Some(format!("--skip-path {pattern}"))
        };
        by_name.or_else(by_path)
    }
}

/// Whether a pattern matches an operation: its `operationId`, or its method and path. `*` stands
/// for any text, `?` for any character.
pub fn names(pattern: &str, operation: &Operation<'_>) -> bool {
    let pattern = WildMatch::new(pattern);
    let by_path = format!("{} {}", operation.method, operation.path);
    pattern.matches(&operation.label()) || pattern.matches(&by_path)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "\
openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /items:
    get: {operationId: listItems, responses: {'200': {description: ok}}}
    delete: {operationId: deleteItems, responses: {'204': {description: gone}}}
  /items/{id}/reset:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    post: {operationId: resetItem, responses: {'200': {description: ok}}}
  /admin/reset:
    post: {responses: {'204': {description: ok}}}
  /account/reset-token/:
    post: {responses: {'201': {description: ok}}}
  /admin/info:
    get: {operationId: getInfo, responses: {'200': {description: ok}}}
";

    fn withheld(exclusions: &Exclusions) -> Withheld {
        let document = openapi_document::loader::load_text("t.yaml", SPEC).unwrap();
        Withheld::of(&document, exclusions)
    }

    #[test]
    fn harmful_operations_are_not_called() {
        let withheld = withheld(&Exclusions::default());
        let names: Vec<&str> = withheld.all().map(|(name, _)| name).collect();
        let resets = ["POST /account/reset-token/", "POST /admin/reset"];
        assert_eq!(names, [&resets[..], &["deleteItems"]].concat());
        let reason = withheld.reason("deleteItems").unwrap();
        assert!(reason.contains("--allow-destructive"), "{reason}");
    }

    #[test]
    fn setters_without_an_answer_are_settings() {
        let text = "\
openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /config/cors:
    post: {operationId: setCors, responses: {'204': {description: set}}}
  /environments/order:
    put: {operationId: updateOrder, responses: {'200': {description: ok}}}
  /environments:
    get: {operationId: environments, responses: {'200': {$ref: '#/components/responses/All'}}}
    put: {operationId: updateEnvironments, responses: {'204': {description: ok}}}
  /boxes:
    put:
      operationId: updateBox
      requestBody: {content: {application/json: {schema: {properties: {boxId: {type: string}}}}}}
      responses: {'204': {description: ok}}
  /sets:
    post: {operationId: setUp, responses: {'201': {description: created}}}
  /alarm:
    post: {operationId: ring, responses: {'204': {description: rung}}}
  /token/settings/:
    get: {operationId: tokenSettings, responses: {'200': {$ref: '#/components/responses/One'}}}
    post: {operationId: tokenSettingsCreate, responses: {'201': {$ref: '#/components/responses/One'}}}
  /token:
    get: {operationId: token, responses: {'200': {$ref: '#/components/responses/One'}}}
    post: {operationId: tokenCreate, responses: {'201': {$ref: '#/components/responses/One'}}}
  /label:
    post: {operationId: setLabel, responses: {'200': {$ref: '#/components/responses/All'}}}
components:
  responses:
    One:
      description: one
      content: {application/json: {schema: {type: object, properties: {enabled: {type: boolean}}}}}
    All:
      description: all
      content: {application/json: {schema: {type: array, items: {type: object}}}}
";
        let document = openapi_document::loader::load_text("t.yaml", text).unwrap();
        let withheld = Withheld::of(&document, &Exclusions::default());
        let names: Vec<&str> = withheld.all().map(|(name, _)| name).collect();
        assert_eq!(names, ["setCors", "tokenSettingsCreate", "updateOrder"]);
    }

    #[test]
    fn allowed_harmful_operations_are_called_last() {
        let withheld = withheld(&Exclusions {
            allow_destructive: true,
            ..Exclusions::default()
        });
        assert_eq!(withheld.all().count(), 0);
        assert!(withheld.is_last("deleteItems") && !withheld.is_last("resetItem"));
    }

    #[test]
    fn patterns_exclude_operations_and_paths() {
        let withheld = withheld(&Exclusions {
            operations: BTreeSet::from(["list*".to_owned()]),
            paths: BTreeSet::from(["/admin/*".to_owned()]),
            destructive: BTreeSet::from(["POST /items/*".to_owned()]),
            allow_destructive: true,
        });
        let reason = |name| withheld.reason(name);
        let by_name = reason("listItems").unwrap();
        assert!(by_name.ends_with("--skip-operation list*"), "{by_name}");
        assert!(reason("getInfo").unwrap().ends_with("--skip-path /admin/*"));
        assert!(reason("POST /admin/reset").is_some());
        assert!(withheld.is_last("resetItem"));
    }
}
