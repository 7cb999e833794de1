//! Checks that all errors have the same schema.

use std::collections::BTreeMap;

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::source::Span;
use openapi_document::view::{Located, Response, Status};

pub(super) const RULE: Rule = Rule {
    id: "error-without-problem-schema",
    default: Level::Warning,
    summary: "All errors of a document have the same schema",
    why: "Clients parse all errors in one place. They fail on an error with another schema, or \
          without one. The expected schema is the one that more than half of the errors have, and \
          at least two.",
    remedy: "Refer to the schema of the other errors.",
    wrong: "\
paths:
  /things/{id}:
    get:
      responses:
        '404': {$ref: '#/components/responses/Missing'}
        '409': {$ref: '#/components/responses/Taken'}
        '422':
          description: Wrong.
          content: {application/json: {schema: {type: object}}}
components:
  responses:
    Missing:
      description: Not there.
      content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
    Taken:
      description: Not free.
      content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
  schemas:
    Problem: {type: object, properties: {title: {type: string}}}",
    right: "\
paths:
  /things/{id}:
    get:
      responses:
        '404': {$ref: '#/components/responses/Missing'}
        '409': {$ref: '#/components/responses/Taken'}
        '422':
          description: Wrong.
          content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}
components:
  responses:
    Missing:
      description: Not there.
      content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
    Taken:
      description: Not free.
      content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
  schemas:
    Problem: {type: object, properties: {title: {type: string}}}",
    check: Check::Document(check),
};

/// An error response: title, place, and the reference to its schema, if any.
struct Answer {
    title: String,
    span: Span,
    schema: Option<String>,
}

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let answers = answers(context);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for schema in answers.iter().filter_map(|answer| answer.schema.as_deref()) {
        *counts.entry(schema).or_default() += 1;
    }
    let usual = counts.into_iter().max_by_key(|(_, count)| *count);
    // Only a schema of the majority is a convention.
    let Some((usual, _)) = usual.filter(|(_, count)| *count > 1 && count * 2 > answers.len())
    else {
        return;
    };
    for answer in answers
        .iter()
        .filter(|answer| answer.schema.as_deref() != Some(usual))
    {
        let finding = RULE.finding(&answer.title).at(answer.span, "");
        diagnostics.push(finding.help(format!("refer to `{usual}`, as the other errors do")));
    }
}

/// All errors with a body, per media type; a shared response counts once.
fn answers(context: &Context<'_>) -> Vec<Answer> {
    let mut answers: Vec<Answer> = Vec::new();
    for operation in context.operations() {
        for response in operation.responses().iter().filter(|one| is_error(one)) {
            for media_type in response.content() {
                let span = media_type.at.node.span;
                let title = format!(
                    "the {} of `{}` has another schema than most errors",
                    response.status,
                    operation.label()
                );
                let schema = media_type.schema().as_ref().and_then(name);
                answers.push(Answer {
                    title,
                    span,
                    schema,
                });
            }
        }
    }
    answers.sort_by_key(|answer| answer.span);
    answers.dedup_by_key(|answer| answer.span);
    answers
}

fn is_error(response: &Response<'_>) -> bool {
    matches!(
        response.status,
        Status::Code(400..=599) | Status::Range(4 | 5)
    )
}

fn name(schema: &Located<'_>) -> Option<String> {
    Some(schema.node.reference()?.to_owned())
}
