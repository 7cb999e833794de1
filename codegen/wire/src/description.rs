//! Reads the document as plain JSON, independently of the generator.

use anyhow::Context;
use openapi_document::Document;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value, json};

/// A document.
pub(super) struct Description {
    root: Value,
}

/// An operation as the document writes it.
pub(super) struct Operation<'d> {
    pub(super) path: &'d str,
    pub(super) method: String,
    /// Its parameters by place and name, those of the operation before those of its path.
    pub(super) parameters: Vec<&'d Value>,
    pub(super) body: Option<&'d Value>,
}

const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

/// Headers that the specification says are not parameters.
const NOT_PARAMETERS: [&str; 3] = ["accept", "content-type", "authorization"];

impl Description {
    pub(super) fn of(document: &Document) -> anyhow::Result<Self> {
        let text = document.root.to_json_pretty();
        let root = serde_json::from_str(&text).context("the document as JSON")?;
        Ok(Self { root })
    }

    /// The target of a reference.
    pub(super) fn at(&self, reference: &str) -> Option<&Value> {
        let fragment = percent_decode_str(reference.strip_prefix('#')?);
        self.root.pointer(&fragment.decode_utf8().ok()?)
    }

    /// The target of a chain of references.
    pub(super) fn resolve<'d>(&'d self, mut value: &'d Value) -> &'d Value {
        for _ in 0..32 {
            let reference = value.get("$ref").and_then(Value::as_str);
            match reference.and_then(|reference| self.at(reference)) {
                Some(next) => value = next,
                None => break,
            }
        }
        value
    }

    /// All operations.
    pub(super) fn operations(&self) -> Vec<Operation<'_>> {
        let mut operations = Vec::new();
        let paths = self.root.get("paths").and_then(Value::as_object);
        for (path, item) in paths.into_iter().flatten() {
            let item = self.resolve(item);
            for method in METHODS {
                let Some(operation) = item.get(method) else {
                    continue;
                };
                operations.push(Operation {
                    path,
                    method: method.to_uppercase(),
                    parameters: self.parameters(operation, item),
                    body: operation.get("requestBody").map(|body| self.resolve(body)),
                });
            }
        }
        operations
    }

    fn parameters<'d>(&'d self, operation: &'d Value, item: &'d Value) -> Vec<&'d Value> {
        let mut parameters: Vec<&Value> = Vec::new();
        let lists = [operation, item].map(|owner| owner.get("parameters"));
        for parameter in lists
            .into_iter()
            .flatten()
            .filter_map(Value::as_array)
            .flatten()
        {
            let parameter = self.resolve(parameter);
            let header = parameter["in"] == "header";
            let same = |other: &&Value| {
                other["in"] == parameter["in"]
                    && same_name(header, text(other, "name"), text(parameter, "name"))
            };
            let ignored = header
                && NOT_PARAMETERS
                    .iter()
                    .any(|name| name.eq_ignore_ascii_case(text(parameter, "name")));
            if !ignored && !parameters.iter().any(same) {
                parameters.push(parameter);
            }
        }
        parameters
    }
}

impl<'d> Operation<'d> {
    /// The media types of the body.
    pub(super) fn contents(&self) -> Vec<(&'d str, &'d Value)> {
        let content = self.body.and_then(|body| body.get("content")?.as_object());
        content
            .into_iter()
            .flatten()
            .map(|(name, content)| (name.as_str(), content))
            .collect()
    }

    /// Whether the body is required.
    pub(super) fn body_is_required(&self) -> bool {
        self.body
            .is_some_and(|body| body.get("required") == Some(&json!(true)))
    }
}

/// The text of a field; empty when the field is missing.
pub(super) fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The schema of a parameter or a media type; `{}` when it has none.
pub(super) fn schema_of(owner: &Value) -> Value {
    let content = owner.get("content").and_then(Value::as_object);
    let content = content.and_then(|content| content.values().next());
    let schema = owner.get("schema").or_else(|| content?.get("schema"));
    schema.cloned().unwrap_or_else(|| Value::Object(Map::new()))
}

fn same_name(header: bool, one: &str, other: &str) -> bool {
    if header {
        one.eq_ignore_ascii_case(other)
    } else {
        one == other
    }
}
