//! Checks that operations state their security, and that scopes are defined.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;
use openapi_document::node::Node;

pub(super) const NONE: Rule = Rule {
    id: "operation-without-security",
    default: Level::Warning,
    summary: "Each operation states which credentials it needs",
    why: "If `security` was forgotten, the operation looks public. Write `security: []` for a \
          public operation.",
    remedy: "Write `security` at the top or in the operation.",
    wrong: "\
paths:
  /things: {get: {responses: {}}}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: k}}",
    right: "\
paths:
  /things: {get: {security: [{key: []}], responses: {}}}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: k}}",
    check: Check::Document(check_none),
};

pub(super) const SCOPE: Rule = Rule {
    id: "undefined-scope",
    default: Level::Warning,
    summary: "The scheme defines each scope that a requirement names",
    why: "No token ever has an undefined scope. In OpenAPI 3.0, only OAuth 2.0 and OpenID Connect \
          have scopes.",
    remedy: "Define the scope in a flow of the scheme, or correct its name.",
    wrong: "\
security: [{login: [reed]}]
components:
  securitySchemes:
    login: {type: oauth2, flows: {clientCredentials: {tokenUrl: /token, scopes: {read: Read.}}}}",
    right: "\
security: [{login: [read]}]
components:
  securitySchemes:
    login: {type: oauth2, flows: {clientCredentials: {tokenUrl: /token, scopes: {read: Read.}}}}",
    check: Check::Document(check_scopes),
};

fn check_none(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let root = &context.document.root;
    if root.get("security").is_some() {
        return;
    }
    let open = context.operations().iter();
    let open = open.filter(|operation| operation.at.node.get("security").is_none());
    if context.document.components("securitySchemes").is_empty() {
        if let (Some(version), Some(_)) = (root.get("openapi"), open.into_iter().next()) {
            let finding = NONE.finding("the document does not mention credentials");
            diagnostics.push(finding.at(version.span, "").help(NONE.remedy));
        }
        return;
    }
    for operation in open {
        let node: &Node = operation.at.node;
        let span = node.get("operationId").unwrap_or(node).span;
        let title = format!(
            "`{}` does not state which credentials it needs",
            operation.label()
        );
        diagnostics.push(NONE.finding(title).at(span, "").help(NONE.remedy));
    }
}

fn check_scopes(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let schemes = context.document.components("securitySchemes");
    let mut others = Vec::new();
    for entry in context
        .of(Kind::SecurityRequirement)
        .flat_map(|one| one.node.entries())
    {
        let scheme = schemes.iter().find(|(name, _)| *name == entry.key);
        let Some(scheme) = scheme.and_then(|(_, scheme)| context.resolve(scheme.node)) else {
            continue;
        };
        let granted = match scheme.get("type").and_then(Node::as_str) {
            Some("oauth2") => scopes(scheme),
            Some("openIdConnect") => continue,
            _ => {
                others.extend(entry.value.item(0).map(|first| (entry.key.as_str(), first)));
                continue;
            }
        };
        for scope in entry.value.items() {
            let Some(text) = scope.as_str() else { continue };
            if !granted.contains(&text) {
                let title = format!("`{}` has no scope `{text}`", entry.key);
                diagnostics.push(SCOPE.finding(title).at(scope.span, "").help(SCOPE.remedy));
            }
        }
    }
    others.sort_by_key(|(name, first)| (*name, first.span));
    others.dedup_by_key(|(name, _)| *name);
    for (name, first) in others.into_iter().filter(|_| context.is_30()) {
        let finding = SCOPE.finding(format!("schemes of the type of `{name}` have no scopes"));
        diagnostics.push(finding.at(first.span, "the first one").help(SCOPE.remedy));
    }
}

fn scopes(scheme: &Node) -> Vec<&str> {
    let flows = scheme.get("flows").into_iter().flat_map(Node::entries);
    let scopes = flows.filter_map(|flow| flow.value.get("scopes"));
    scopes
        .flat_map(Node::entries)
        .map(|entry| entry.key.as_str())
        .collect()
}
