//! Checks for duplicate parameters, ignored headers, and missing schemas.

use std::collections::HashMap;

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;
use openapi_document::node::Node;

pub(super) const DUPLICATE: Rule = Rule {
    id: "duplicate-parameter",
    default: Level::Error,
    summary: "No parameter occurs twice in a list",
    why: "Name and location identify a parameter. With two of the same, tools may use either \
          schema.",
    remedy: "Remove one of the two parameters.",
    wrong: "\
paths:
  /things:
    get:
      parameters:
        - {name: size, in: query, schema: {type: integer}}
        - {name: size, in: query, schema: {type: string}}
      responses: {}",
    right: "\
paths:
  /things:
    get:
      parameters:
        - {name: size, in: query, schema: {type: integer}}
        - {name: size, in: header, schema: {type: string}}
      responses: {}",
    check: Check::Document(check_duplicates),
};

pub(super) const IGNORED: Rule = Rule {
    id: "ignored-header-parameter",
    default: Level::Warning,
    summary: "`Accept`, `Content-Type` and `Authorization` are not declared as parameters",
    why: "The specification says that tools ignore them: media types and security schemes define \
          these headers.",
    remedy: "Remove the parameter; use `content` and `security`.",
    wrong: "\
paths:
  /things:
    get:
      parameters:
        - {name: size, in: query, schema: {type: integer}}
        - {name: Authorization, in: header, schema: {type: string}}
      responses: {}",
    right: "\
paths:
  /things:
    get:
      parameters:
        - {name: size, in: query, schema: {type: integer}}
        - {name: X-Area, in: header, schema: {type: string}}
      responses: {}",
    check: Check::Document(check_ignored),
};

pub(super) const SCHEMA: Rule = Rule {
    id: "parameter-without-schema",
    default: Level::Error,
    summary: "A parameter or header has either a `schema` or a `content` with one media type",
    why: "Without either, a client does not know how to write the value. Both, or two media \
          types, contradict each other.",
    remedy: "Write `schema`, or `content` with one media type.",
    wrong: "\
paths:
  /things:
    get:
      parameters:
        - {name: size, in: query, schema: {type: integer}}
        - {name: order, in: query}
      responses: {}",
    right: "\
paths:
  /things:
    get:
      parameters:
        - {name: size, in: query, schema: {type: integer}}
        - {name: order, in: query, schema: {type: string}}
      responses: {}",
    check: Check::Document(check_schema),
};

fn check_duplicates(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let owners = [Kind::PathItem, Kind::Operation];
    for owner in owners.into_iter().flat_map(|kind| context.of(kind)) {
        let mut first = HashMap::new();
        for raw in owner
            .node
            .get("parameters")
            .into_iter()
            .flat_map(Node::items)
        {
            let Some(parameter) = context.resolve(raw) else {
                continue;
            };
            let text = |key| parameter.get(key).and_then(Node::as_str);
            let (Some(name), Some(place)) = (text("name"), text("in")) else {
                continue;
            };
            let is_header = place == "header";
            let key = if is_header {
                name.to_lowercase()
            } else {
                name.to_owned()
            };
            if let Some(before) = first.insert((key, place), raw.span) {
                let title = format!("the {place} parameter `{name}` is listed twice");
                let finding = DUPLICATE.finding(title).at(raw.span, "the second");
                diagnostics.push(finding.also(before, "the first").help(DUPLICATE.remedy));
            }
        }
    }
}

fn check_ignored(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for parameter in context.of(Kind::Parameter) {
        let is_header = parameter.node.get("in").and_then(Node::as_str) == Some("header");
        let Some(name) = parameter.node.get("name").filter(|_| is_header) else {
            continue;
        };
        let text = name.as_str().unwrap_or_default();
        let ignored = ["accept", "authorization", "content-type"];
        if ignored.contains(&text.to_lowercase().as_str()) {
            let finding = IGNORED.finding(format!("tools ignore a parameter `{text}`"));
            diagnostics.push(finding.at(name.span, "").help(IGNORED.remedy));
        }
    }
}

fn check_schema(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for object in [Kind::Parameter, Kind::Header]
        .into_iter()
        .flat_map(|kind| context.of(kind))
    {
        let node = object.node;
        let content = node.get("content");
        let title = match (node.get("schema"), content) {
            (None, None) => "there is neither `schema` nor `content`",
            (Some(_), Some(_)) => "`schema` and `content` exclude each other",
            (None, Some(content)) if content.entries().count() != 1 => {
                "the `content` of a parameter or header must have one media type"
            }
            _ => continue,
        };
        let span = content.unwrap_or(node.get("name").unwrap_or(node)).span;
        diagnostics.push(SCHEMA.finding(title).at(span, "").help(SCHEMA.remedy));
    }
}
