//! Checks that tags, parameters and schemas have a description.

use super::{lacks, missing, report};
use crate::context::Context;
use crate::level::Level;
use crate::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;

pub(crate) const TAG: Rule = Rule {
    id: "tag-without-description",
    default: Level::Warning,
    summary: "Each tag has a `description`",
    why: "Documentation shows it at the beginning of the tag's chapter.",
    remedy: "Write `description` beside the `name`.",
    wrong: "tags: [{name: things}]",
    right: "tags: [{name: things, description: What is kept.}]",
    check: Check::Document(check_tags),
};

pub(crate) const PARAMETER: Rule = Rule {
    id: "parameter-without-description",
    default: Level::Off,
    summary: "Each parameter has a `description`",
    why: "A name rarely says units, bounds and defaults. The rule is off because some names do.",
    remedy: "Write `description`.",
    wrong: "\
paths:
  /things:
    get:
      parameters: [{name: size, in: query, schema: {type: integer}}]
      responses: {}",
    right: "\
paths:
  /things:
    get:
      parameters: [{name: size, in: query, description: How many at most., schema: {type: integer}}]
      responses: {}",
    check: Check::Document(check_parameters),
};

pub(crate) const SCHEMA: Rule = Rule {
    id: "component-without-description",
    default: Level::Off,
    summary: "Each schema under `components` has a `description`",
    why: "It becomes the documentation of the generated type. The rule is off because many names \
          say enough.",
    remedy: "Write `description`.",
    wrong: "\
components:
  schemas:
    Thing: {type: object}",
    right: "\
components:
  schemas:
    Thing: {type: object, description: What is kept.}",
    check: Check::Document(check_schemas),
};

fn check_tags(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    missing(context, &TAG, Kind::Tag, "description", diagnostics);
}

fn check_parameters(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    missing(
        context,
        &PARAMETER,
        Kind::Parameter,
        "description",
        diagnostics,
    );
}

fn check_schemas(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for schema in context
        .of(Kind::Schema)
        .filter(|schema| schema.field == "schemas")
    {
        if lacks(schema.node, "description") {
            let name = schema.name().unwrap_or_default();
            report(&SCHEMA, name, schema.node.span, "description", diagnostics);
        }
    }
}
