//! Checks the operations and parameters of links.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;
use openapi_document::node::Node;
use openapi_document::pointer::Pointer;
use openapi_document::spelling::nearest;
use openapi_document::view::Operation;

pub(super) const TARGET: Rule = Rule {
    id: "unresolved-link",
    default: Level::Error,
    summary: "Each link leads to one operation, by `operationId` or by `operationRef`",
    why: "A client cannot follow a link without an operation.",
    remedy: "Name an operation of the document.",
    wrong: "\
paths:
  /things:
    get:
      operationId: listThings
      parameters: [{name: size, in: query, schema: {type: integer}}]
      responses:
        '200':
          description: All.
          links: {next: {operationId: listThngs}}",
    right: "\
paths:
  /things:
    get:
      operationId: listThings
      parameters: [{name: size, in: query, schema: {type: integer}}]
      responses:
        '200':
          description: All.
          links: {next: {operationId: listThings}}",
    check: Check::Document(check_target),
};

pub(super) const PARAMETER: Rule = Rule {
    id: "unknown-link-parameter",
    default: Level::Warning,
    summary: "The target of a link has each parameter of the link",
    why: "Clients drop parameters that the operation does not have.",
    remedy: "Name a parameter of the operation, optionally with its location: `query.size`.",
    wrong: "\
paths:
  /things:
    get:
      operationId: listThings
      parameters: [{name: size, in: query, schema: {type: integer}}]
      responses:
        '200':
          description: All.
          links: {next: {operationId: listThings, parameters: {sise: 10}}}",
    right: "\
paths:
  /things:
    get:
      operationId: listThings
      parameters: [{name: size, in: query, schema: {type: integer}}]
      responses:
        '200':
          description: All.
          links: {next: {operationId: listThings, parameters: {size: 10}}}",
    check: Check::Document(check_parameters),
};

fn check_target(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for link in context.of(Kind::Link) {
        let (id, reference) = (link.node.get("operationId"), link.node.get("operationRef"));
        let (title, at) = match (id, reference) {
            (Some(_), Some(both)) => (
                "a link needs either `operationId` or `operationRef`".to_owned(),
                both,
            ),
            (None, None) => ("this link names no operation".to_owned(), link.node),
            _ if target(context, link.node).is_some() || is_elsewhere(reference) => continue,
            (one, other) => {
                let at = one.or(other).unwrap_or(link.node);
                (
                    format!(
                        "there is no operation `{}`",
                        at.as_str().unwrap_or_default()
                    ),
                    at,
                )
            }
        };
        diagnostics.push(TARGET.finding(title).at(at.span, "").help(TARGET.remedy));
    }
}

fn check_parameters(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for link in context.of(Kind::Link) {
        let Some(operation) = target(context, link.node) else {
            continue;
        };
        let parameters = operation.parameters();
        let is_known = |key: &str| {
            parameters.iter().any(|one| {
                let place = key.strip_prefix(one.location.as_str());
                let name = place.and_then(|rest| rest.strip_prefix('.'));
                one.name == key || name == Some(one.name)
            })
        };
        let named = link
            .node
            .get("parameters")
            .into_iter()
            .flat_map(Node::entries);
        for entry in named.filter(|entry| !is_known(&entry.key)) {
            let title = format!("`{}` has no parameter `{}`", operation.label(), entry.key);
            let near = nearest(&entry.key, parameters.iter().map(|one| one.name));
            let help = near.map_or_else(
                || PARAMETER.remedy.to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            diagnostics.push(PARAMETER.finding(title).at(entry.key_span, "").help(help));
        }
    }
}

/// The operation that a link leads to.
fn target<'c, 'd>(context: &'c Context<'d>, link: &Node) -> Option<&'c Operation<'d>> {
    let mut operations = context.operations().iter();
    if let Some(id) = link.get("operationId") {
        return operations.find(|operation| operation.id() == id.as_str());
    }
    let reference = link.get("operationRef")?.as_str()?;
    let pointer = Pointer::parse_fragment(reference.strip_prefix('#')?)?;
    operations.find(|operation| operation.at.pointer == pointer)
}

/// Whether a reference leads to another document, which the rule does not read.
fn is_elsewhere(reference: Option<&Node>) -> bool {
    let text = reference.and_then(Node::as_str);
    text.is_some_and(|text| !text.starts_with('#') && !text.is_empty())
}
