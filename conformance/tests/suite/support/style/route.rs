//! Finds the operation of a request, and its allowed answers.

use std::path::Path;

use axum::http::Method;
use openapi_document::schema::Schemas;
use openapi_document::view::{Location, MediaType, Operation, Status};
use openapi_document::{Document, Node, json, loader};
use serde_json::Value;

use super::texts;

/// The operations of a document.
pub(super) struct Routes {
    document: Document,
    schemas: Schemas,
    /// The text of the document.
    text: String,
}

/// An operation, by its index in the document.
pub(super) struct Route(usize);

impl Routes {
    pub(super) fn new(document: &Path) -> Self {
        let text = std::fs::read_to_string(document).unwrap();
        let document = loader::load(document).unwrap();
        let schemas = Schemas::new(&document);
        Self {
            document,
            schemas,
            text,
        }
    }

    /// The operation of a request; of two matches, the one with fewer parameters.
    pub(super) fn find(&self, method: &Method, path: &str) -> Option<Route> {
        let method = if method == Method::HEAD {
            &Method::GET
        } else {
            method
        };
        let all = self.document.operations().into_iter().enumerate();
        let fitting = all.filter(|(_, operation)| {
            operation.method.as_str() == method.as_str() && matches(operation.path, path)
        });
        let best = fitting.min_by_key(|(_, operation)| operation.path.matches('{').count());
        best.map(|(index, _)| Route(index))
    }

    fn operation(&self, route: &Route) -> Operation<'_> {
        self.document.operations().swap_remove(route.0)
    }

    /// Whether an operation documents a status with a body that fits its schema.
    pub(super) fn documents(&self, route: &Route, status: u16, body: Option<&Value>) -> bool {
        let responses = self.operation(route).responses();
        let mut responses = responses.into_iter();
        let Some(response) = responses.find(|response| response.status == Status::Code(status))
        else {
            return false;
        };
        let media = response.content().into_iter().find(MediaType::is_json);
        let schema = media.and_then(|media| media.schema());
        let (Some(schema), Some(body)) = (schema, body) else {
            return true;
        };
        let body: Node = json::read_text(&body.to_string()).unwrap();
        self.schemas.validate(&schema, &body).unwrap().is_empty()
    }

    /// Whether the document connects a word of a body, such as its code, with a status: in the
    /// response, or in a line of a description.
    pub(super) fn binds(&self, route: &Route, status: u16, body: &Value) -> bool {
        let response = self.operation(route).response(status);
        let shown = response.map(|response| response.at.node.to_serde().to_string());
        let status = status.to_string();
        let lines = self.text.lines().filter(|line| line.contains(&status));
        let lines: Vec<&str> = lines.collect();
        let mut is_bound = false;
        texts::map(&mut body.clone(), &mut |_, word| {
            let quoted = format!("\"{word}\"");
            let is_shown = shown.as_ref().is_some_and(|text| text.contains(&quoted));
            let is_said = lines.iter().any(|line| line.contains(word));
            is_bound |= !word.contains(' ') && !word.is_empty() && (is_shown || is_said);
            None
        });
        is_bound
    }

    /// Whether an operation documents both 400 and 422.
    pub(super) fn has_two_refusals(&self) -> bool {
        self.document.operations().iter().any(|operation| {
            let responses = operation.responses();
            let mut codes = [400, 422].into_iter();
            codes.all(|code| {
                responses
                    .iter()
                    .any(|response| response.status == Status::Code(code))
            })
        })
    }

    /// Whether a list has no documented order, or has cursors.
    pub(super) fn has_free_order(&self) -> bool {
        let operations = self.document.operations().into_iter().enumerate();
        let mut routes = operations.map(|(index, operation)| (Route(index), operation));
        routes.any(|(route, operation)| {
            let parameters = operation.parameters();
            parameters
                .iter()
                .any(|parameter| parameter.name.contains("cursor"))
                || self.is_unordered(&route)
        })
    }

    /// Whether an operation reads a whole list without a documented order.
    pub(super) fn is_unordered(&self, route: &Route) -> bool {
        const WORDS: [&str; 12] = [
            "order",
            "sort",
            "newest",
            "oldest",
            "latest",
            "first",
            "last",
            "recent",
            "earli",
            "chronolog",
            "rank",
            "sequence",
        ];
        let operation = self.operation(route);
        let is_read = operation.method.as_str() == "GET" && !operation.path.ends_with('}');
        let parameters = operation.parameters();
        let mut names = parameters
            .iter()
            .filter(|parameter| parameter.location == Location::Query)
            .map(|parameter| parameter.name);
        let is_divided = names.any(|name| {
            ["cursor", "limit", "page", "offset", "size", "after"]
                .iter()
                .any(|word| name.contains(word))
        });
        let text = operation.at.node.to_serde().to_string().to_lowercase();
        is_read && !is_divided && !WORDS.iter().any(|word| text.contains(word))
    }
}

fn matches(template: &str, path: &str) -> bool {
    let (wanted, given) = (template.split('/'), path.split('/'));
    template.split('/').count() == path.split('/').count()
        && wanted
            .zip(given)
            .all(|(wanted, given)| wanted.starts_with('{') || wanted == given)
}
