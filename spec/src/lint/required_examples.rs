//! Operations and responses without an example: nothing can be replayed or certified there.

use super::{Context, Rule};
use crate::diagnostic::{Diagnostics, Severity};
use crate::document::{MediaType, Operation, Response};

pub(super) const OPERATION: Rule = Rule {
    id: "operation-without-example",
    summary: "Each operation has an example: of its body, or of an answer where it takes none",
    check: check_operations,
};

pub(super) const RESPONSE: Rule = Rule {
    id: "response-without-example",
    summary: "Each response with a body has an example (a warning where provenance is unknown)",
    check: check_responses,
};

fn check_operations(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for operation in context.document.operations() {
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
        diagnostics.push(
            OPERATION
                .error(title)
                .at(span(&operation), "this operation")
                .help(help),
        );
    }
}

fn check_responses(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for operation in context.document.operations() {
        for response in operation.responses() {
            if lacks_example(&response) {
                let status = response.status;
                let title = format!("`{}` has no example of its {status}", operation.label());
                let help = "add `examples` to the media type of this response";
                let mut diagnostic = RESPONSE.error(title).at(response.key_span, "this response");
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

fn span(operation: &Operation<'_>) -> crate::source::Span {
    operation
        .at
        .node
        .get("operationId")
        .unwrap_or(operation.at.node)
        .span
}
