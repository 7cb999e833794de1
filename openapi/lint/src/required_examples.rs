//! Checks that operations and responses have examples.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::{Diagnostics, Severity};
use openapi_document::view::{MediaType, Operation, Response};

pub(super) const OPERATION: Rule = Rule {
    id: "operation-without-example",
    default: Level::Error,
    summary: "Each operation has an example of its request body, or of a response if it has no \
              body",
    why: "Without an example, no test can replay the operation, and no server can be certified \
          for it.",
    remedy: "Add `examples`; equal keys pair a request with its response.",
    wrong: "\
paths:
  /things:
    post:
      requestBody:
        content: {application/json: {schema: {type: object}}}
      responses: {'204': {description: Done.}}",
    right: "\
paths:
  /things:
    post:
      requestBody:
        content: {application/json: {schema: {type: object}, examples: {empty: {value: {}}}}}
      responses: {'204': {description: Done.}}",
    check: Check::Document(check_operations),
};

pub(super) const RESPONSE: Rule = Rule {
    id: "response-without-example",
    default: Level::Error,
    summary: "Each response with a body has an example",
    why: "Tests compare the responses of a server with examples. If the document does not use \
          provenance, the finding is a warning.",
    remedy: "Add `examples` to the media type of the response.",
    wrong: "\
paths:
  /things:
    get:
      responses:
        '200': {description: All., content: {application/json: {schema: {type: object}}}}",
    right: "\
paths:
  /things:
    get:
      responses:
        '200': {description: All., content: {application/json: {schema: {type: object}, example: {}}}}",
    check: Check::Document(check_responses),
};

fn check_operations(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for operation in context.operations() {
        let missing = match operation.request_body() {
            Some(body) if has_no_example(&body.content()) => "of its request body",
            None if operation
                .responses()
                .iter()
                .all(|r| has_no_example(&r.content())) =>
            {
                "at all"
            }
            _ => continue,
        };
        let title = format!("`{}` has no example {missing}", operation.label());
        let help = "add `examples`; the same key pairs a request with a response";
        let mut diagnostic = OPERATION
            .finding(title)
            .at(span(operation), "this operation");
        if !context.has_provenance {
            diagnostic.severity = Severity::Warning;
        }
        diagnostics.push(diagnostic.help(help));
    }
}

fn check_responses(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for operation in context.operations() {
        for response in operation.responses() {
            if lacks_example(&response) {
                let status = response.status;
                let title = format!("`{}` has no example of its {status}", operation.label());
                let help = "add `examples` to the media type of this response";
                let mut diagnostic = RESPONSE
                    .finding(title)
                    .at(response.key_span, "this response");
                if !context.has_provenance {
                    diagnostic.severity = Severity::Warning;
                }
                diagnostics.push(diagnostic.help(help));
            }
        }
    }
}

fn lacks_example(response: &Response<'_>) -> bool {
    let content = response.content();
    content.iter().any(MediaType::is_json) && has_no_example(&content)
}

fn has_no_example(content: &[MediaType<'_>]) -> bool {
    content
        .iter()
        .all(|media_type| media_type.examples().is_empty())
}

fn span(operation: &Operation<'_>) -> openapi_document::source::Span {
    operation
        .at
        .node
        .get("operationId")
        .unwrap_or(operation.at.node)
        .span
}
