//! Checks for examples with contradicting fields.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;

pub(super) const VALUES: Rule = Rule {
    id: "example-with-two-values",
    default: Level::Error,
    summary: "An example has either a `value` or an `externalValue`",
    why: "The specification forbids both, and tools may choose either. An example with neither \
          shows nothing.",
    remedy: "Keep exactly one of the two.",
    wrong: "\
components:
  examples:
    Small: {value: 1, externalValue: 'https://things.test/small.json'}",
    right: "\
components:
  examples:
    Small: {value: 1}",
    check: Check::Document(check_values),
};

pub(super) const BOTH: Rule = Rule {
    id: "example-and-examples",
    default: Level::Error,
    summary: "`example` and `examples` do not occur together",
    why: "The specification forbids it, and tools may use either.",
    remedy: "Move the `example` into `examples`, under a name.",
    wrong: "\
paths:
  /things:
    post:
      requestBody: {content: {application/json: {example: {}, examples: {none: {value: {}}}}}}
      responses: {}",
    right: "\
paths:
  /things:
    post:
      requestBody: {content: {application/json: {examples: {none: {value: {}}}}}}
      responses: {}",
    check: Check::Document(check_both),
};

fn check_values(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for example in context.of(Kind::Example) {
        let (inner, outer) = (example.node.get("value"), example.node.get("externalValue"));
        let title = match (inner, outer) {
            (Some(_), Some(_)) => "`value` and `externalValue` exclude each other",
            (None, None) => "this example has neither `value` nor `externalValue`",
            _ => continue,
        };
        let span = outer.unwrap_or(example.node).span;
        diagnostics.push(VALUES.finding(title).at(span, "").help(VALUES.remedy));
    }
}

fn check_both(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let kinds = [Kind::MediaType, Kind::Parameter, Kind::Header];
    for object in kinds.into_iter().flat_map(|kind| context.of(kind)) {
        let one = object.node.get("example");
        if let (Some(one), Some(many)) = (one, object.node.get("examples")) {
            let finding = BOTH.finding("`example` and `examples` exclude each other");
            let finding = finding
                .at(one.span, "this one")
                .also(many.span, "and these");
            diagnostics.push(finding.help(BOTH.remedy));
        }
    }
}
