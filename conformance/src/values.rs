//! Values: what a user gives for parameters, properties and bodies, as examples of the document.

use std::collections::BTreeMap;

use openapi_document::node::Entry;
use openapi_document::source::Span;
use openapi_document::view::{Document, Operation};
use openapi_document::{Node, Pointer, Value};
use serde::Deserialize;
use toml::Spanned;

use crate::run_error::RunError;
use crate::spelling::suggestion;
use crate::value;

/// Values as a file has them.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValuesPart {
    /// By the names of parameters.
    #[serde(default)]
    parameters: Named,
    /// By the names of properties of request bodies.
    #[serde(default)]
    properties: Named,
    /// By operations.
    #[serde(default)]
    operations: BTreeMap<Spanned<String>, OperationPart>,
}

type Named = BTreeMap<Spanned<String>, toml::Value>;

/// Values of one operation.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct OperationPart {
    /// By the names of its parameters.
    #[serde(default)]
    parameters: Named,
    /// Its whole body.
    body: Option<toml::Value>,
}

/// A value, and where its file has it.
#[derive(Debug, Clone)]
pub struct Given {
    /// `FILE:LINE`
    at: String,
    what: What,
    value: Node,
}

/// What a value is for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    /// Parameters of a name, of one operation or of all.
    Parameter(Option<String>, String),
    /// Properties of a name.
    Property(String),
    /// The body of an operation.
    Body(String),
}

impl ValuesPart {
    /// The values, those of single operations last, with their places in the text of a file.
    pub fn given(&self, path: &str, text: &str) -> Vec<Given> {
        let given = |name: &Spanned<String>, what: What, value: &toml::Value| {
            let before = text.get(..name.span().start).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            Some(Given {
                at: format!("{path}:{line}"),
                what,
                value: node(value)?,
            })
        };
        let mut all = Vec::new();
        for (name, value) in &self.parameters {
            let what = What::Parameter(None, name.as_ref().clone());
            all.extend(given(name, what, value));
        }
        for (name, value) in &self.properties {
            let what = What::Property(name.as_ref().clone());
            all.extend(given(name, what, value));
        }
        for (operation, item) in &self.operations {
            for (name, value) in &item.parameters {
                let label = Some(operation.as_ref().clone());
                let what = What::Parameter(label, name.as_ref().clone());
                all.extend(given(name, what, value));
            }
            if let Some(body) = &item.body {
                let what = What::Body(operation.as_ref().clone());
                all.extend(given(operation, what, body));
            }
        }
        all
    }
}

/// Puts values into a document as examples. A later value replaces an earlier one.
///
/// # Errors
/// The document does not have a name. Lists all such names, each with its place.
pub fn put(given: &[Given], document: &mut Document) -> Result<(), RunError> {
    let mut mistakes = Vec::new();
    for item in given {
        match places(&item.what, document) {
            Ok(places) => places
                .iter()
                .for_each(|at| show(&mut document.root, at, &item.value)),
            Err(mistake) => mistakes.push(format!("{}: {mistake}", item.at)),
        }
        if let What::Property(name) = &item.what {
            replace_shown(&mut document.root, name, &item.value, Within::Elsewhere);
        }
    }
    if mistakes.is_empty() {
        return Ok(());
    }
    Err(RunError::Usage(mistakes.join("\n")))
}

/// A value of TOML as one of a document.
pub(crate) fn node(value: &toml::Value) -> Option<Node> {
    if let toml::Value::Datetime(time) = value {
        return Some(value::string(&time.to_string()));
    }
    let json = serde_json::to_string(value).ok()?;
    openapi_document::json::read_text(&json).ok()
}

/// The objects of a document that get a value as their example.
fn places(what: &What, document: &Document) -> Result<Vec<Pointer>, String> {
    let operations = document.operations();
    match what {
        What::Parameter(None, name) => of_parameters(&operations, name)
            .map_err(|known| format!("no operation has a parameter `{name}`{known}")),
        What::Parameter(Some(operation), name) => {
            let item = named(&operations, operation)?;
            of_parameters(std::slice::from_ref(item), name)
                .map_err(|known| format!("`{operation}` has no parameter `{name}`{known}"))
        }
        What::Property(name) => {
            let mut properties = Vec::new();
            of_properties(&document.root, &Pointer::root(), &mut properties);
            let item = properties.iter().filter(|(item, _)| item == name);
            let item: Vec<Pointer> = item.map(|(_, at)| at.clone()).collect();
            if item.is_empty() {
                let known = properties.iter().map(|(item, _)| item.as_str());
                let known = suggestion(name, known);
                return Err(format!("no schema has a property `{name}`{known}"));
            }
            Ok(item)
        }
        What::Body(operation) => {
            let item = named(&operations, operation)?;
            let body = item.request_body();
            let content = body.map(|item| item.content()).unwrap_or_default();
            if content.is_empty() {
                return Err(format!("`{operation}` takes no body"));
            }
            Ok(content.iter().map(|item| item.at.pointer.clone()).collect())
        }
    }
}

/// The parameters with a name. Fails with the names to write instead if there are none.
fn of_parameters(operations: &[Operation<'_>], name: &str) -> Result<Vec<Pointer>, String> {
    let all: Vec<_> = operations.iter().flat_map(Operation::parameters).collect();
    let item = all.iter().filter(|item| item.name == name);
    let item: Vec<Pointer> = item.map(|item| item.at.pointer.clone()).collect();
    if item.is_empty() {
        return Err(suggestion(name, all.iter().map(|item| item.name)));
    }
    Ok(item)
}

fn named<'o, 'd>(operations: &'o [Operation<'d>], name: &str) -> Result<&'o Operation<'d>, String> {
    let is_it = |item: &&Operation<'_>| {
        item.label() == name || format!("{} {}", item.method, item.path) == name
    };
    operations.iter().find(is_it).ok_or_else(|| {
        let labels: Vec<String> = operations.iter().map(Operation::label).collect();
        let known = suggestion(name, labels.iter().map(String::as_str));
        format!("there is no operation `{name}`{known}")
    })
}

/// The names of all properties of schemas, and where they are.
fn of_properties(node: &Node, at: &Pointer, found: &mut Vec<(String, Pointer)>) {
    for entry in node.entries() {
        let at = at.join(&entry.key);
        if entry.key == "properties" {
            let item = entry.value.entries();
            let item = item.filter(|item| item.value.as_mapping().is_some());
            found.extend(item.map(|item| (item.key.clone(), at.join(&item.key))));
        }
        of_properties(&entry.value, &at, found);
    }
    for (index, item) in node.items().enumerate() {
        of_properties(item, &at.join(index.to_string()), found);
    }
}

/// Replaces the examples of an object of the document by one.
fn show(root: &mut Node, at: &Pointer, example: &Node) {
    let mut node = Some(root);
    for segment in at.segments() {
        node = node.and_then(|item| child(item, &segment));
    }
    let Some(node) = node else {
        return;
    };
    value::remove(node, "examples");
    value::remove(node, "example");
    let mut example = example.clone();
    put_at(&mut example, node.span);
    if let Value::Mapping(mapping) = &mut node.value {
        mapping.entries.push(value::entry("example", example));
    }
}

/// Gives a value of no document a place in it: that of what has it.
fn put_at(node: &mut Node, span: Span) {
    node.span = span;
    match &mut node.value {
        Value::Sequence(items) => items.iter_mut().for_each(|item| put_at(item, span)),
        Value::Mapping(mapping) => {
            for entry in &mut mapping.entries {
                entry.key_span = span;
                put_at(&mut entry.value, span);
            }
        }
        _ => {}
    }
}

fn child<'n>(node: &'n mut Node, segment: &str) -> Option<&'n mut Node> {
    match &mut node.value {
        Value::Mapping(mapping) => {
            let mut entries = mapping.entries.iter_mut();
            let entry = entries.find(|item| item.key == segment);
            entry.map(|item| &mut item.value)
        }
        Value::Sequence(items) => items.get_mut(segment.parse::<usize>().ok()?),
        _ => None,
    }
}

/// What part of a document is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    /// No request.
    Elsewhere,
    /// The body of a request.
    Request,
    /// An example of a request.
    Example,
}

/// Replaces the values that examples of requests have under a name.
fn replace_shown(node: &mut Node, name: &str, new: &Node, within: Within) {
    match &mut node.value {
        Value::Sequence(items) => {
            for item in items {
                replace_shown(item, name, new, within);
            }
        }
        Value::Mapping(mapping) => {
            let is_schema = mapping.contains("properties");
            for Entry { key, value, .. } in &mut mapping.entries {
                let inner = match (within, key.as_str()) {
                    (Within::Example, _) | (Within::Request, "example" | "examples") => {
                        Within::Example
                    }
                    (_, "requestBody" | "requestBodies") => Within::Request,
                    (_, "example" | "examples") if is_schema => Within::Example,
                    _ => within,
                };
                if within == Within::Example && key == name {
                    let span = value.span;
                    *value = new.clone();
                    put_at(value, span);
                } else {
                    replace_shown(value, name, new, inner);
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "\
openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /users/{name}:
    parameters: [{name: name, in: path, required: true, example: x, schema: {type: string}}]
    get: {operationId: getUser, responses: {'200': {description: ok}}}
    put:
      operationId: putUser
      requestBody:
        content: {application/json: {schema: {$ref: '#/components/schemas/User'}, example: {email: a, age: 1}}}
      responses: {'200': {description: ok}}
components:
  schemas: {User: {type: object, properties: {email: {type: string}, age: {type: integer}}}}
";

    fn document(values: &str) -> Result<Document, String> {
        let mut document = openapi_document::loader::load_text("t.yaml", SPEC).unwrap();
        let part: ValuesPart = toml::from_str(values).unwrap();
        put(&part.given("v.toml", values), &mut document).map_err(|item| item.to_string())?;
        Ok(document)
    }

    fn at(document: &Document, pointer: &str) -> String {
        let found = document.root.at(&Pointer::parse(pointer).unwrap());
        found.unwrap().to_json()
    }

    #[test]
    fn values_are_examples() {
        let values = "\
[parameters]
name = 'ann'
[properties]
email = 'ann@example.com'
[operations.putUser]
body = {age = 3}
";
        let document = document(values).unwrap();
        let path = "/paths/~1users~1{name}";
        assert_eq!(
            at(&document, &format!("{path}/parameters/0/example")),
            "\"ann\""
        );
        let email = "/components/schemas/User/properties/email/example";
        assert_eq!(at(&document, email), "\"ann@example.com\"");
        let body = format!("{path}/put/requestBody/content/application~1json/example");
        assert_eq!(at(&document, &body), r#"{"age":3}"#);
    }

    #[test]
    fn a_property_has_its_value_in_examples_of_requests() {
        let document = document("[properties]\nemail = 'b'\n").unwrap();
        let body = "/paths/~1users~1{name}/put/requestBody/content/application~1json/example";
        assert_eq!(at(&document, body), r#"{"email":"b","age":1}"#);
    }

    #[test]
    fn names_that_the_document_lacks_are_reported_together() {
        let values = "[parameters]\nnam = 1\n\n[operations.getUser]\nbody = 1\n[operations.getUsr]\n\
            parameters = {name = 2}\n[properties]\nemial = 1\n";
        let observed = document(values).unwrap_err();
        for part in [
            "v.toml:2: no operation has a parameter `nam`; did you mean `name`?",
            "v.toml:4: `getUser` takes no body",
            "v.toml:7: there is no operation `getUsr`; did you mean `getUser`?",
            "v.toml:9: no schema has a property `emial`; did you mean `email`?",
        ] {
            assert!(observed.contains(part), "{observed}");
        }
    }
}
