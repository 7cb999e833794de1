//! Checks that each request example has a response example.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::{Diagnostics, Severity};
use openapi_document::view::{Example, Operation};

pub(super) const RULE: Rule = Rule {
    id: "example-without-pair",
    default: Level::Error,
    summary: "Each request example under `examples` has a response example with the same key",
    why: "Equal keys pair a request with the response that a replay expects. A request example \
          without a response is never replayed.",
    remedy: "Add a response example with that key, or use the key of an existing one.",
    wrong: "\
paths:
  /things:
    post:
      requestBody:
        content: {application/json: {examples: {small: {value: {}}}}}
      responses:
        '200':
          description: Done.
          content: {application/json: {examples: {large: {value: {}}}}}",
    right: "\
paths:
  /things:
    post:
      requestBody:
        content: {application/json: {examples: {small: {value: {}}}}}
      responses:
        '200':
          description: Done.
          content: {application/json: {examples: {small: {value: {}}}}}",
    check: Check::Document(check),
};

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for operation in context.operations() {
        let answers = response_keys(operation);
        if answers.is_empty() {
            continue;
        }
        for example in request_examples(operation) {
            let Some(object) = example.object else {
                continue;
            };
            if !answers.contains(&example.key) {
                let title = format!(
                    "no response of `{}` has an example `{}`",
                    operation.label(),
                    example.key
                );
                let help = format!(
                    "the same key pairs the two; responses have: {}",
                    answers.join(", ")
                );
                let mut diagnostic = RULE
                    .finding(title)
                    .at(object.node.span, "this request example");
                if !context.has_provenance {
                    diagnostic.severity = Severity::Warning;
                }
                diagnostics.push(diagnostic.help(help));
            }
        }
    }
}

fn response_keys<'d>(operation: &Operation<'d>) -> Vec<&'d str> {
    let media_types = operation
        .responses()
        .into_iter()
        .flat_map(|response| response.content());
    let examples = media_types.flat_map(|media_type| media_type.examples());
    examples
        .filter(|example| example.object.is_some())
        .map(|example| example.key)
        .collect()
}

fn request_examples<'d>(operation: &Operation<'d>) -> Vec<Example<'d>> {
    let parameters = operation
        .parameters()
        .into_iter()
        .flat_map(|p| p.examples());
    let media_types = operation
        .request_body()
        .into_iter()
        .flat_map(|body| body.content());
    parameters
        .chain(media_types.flat_map(|media_type| media_type.examples()))
        .collect()
}
