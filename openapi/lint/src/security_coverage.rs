//! Operations that nobody protects, and scopes that nobody grants.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;
use openapi_document::node::Node;

pub(super) const NONE: Rule = Rule {
    id: "operation-without-security",
    default: Level::Warning,
    summary: "Each operation says which credentials it needs",
    why: "An operation for which `security` was forgotten looks like a public one. What is \
          public says so with `security: []`.",
    mend: "Write `security` at the top or in the operation.",
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
    summary: "Each scope that is asked for is one of the scheme's",
    why: "A token with that scope is never given. In OpenAPI 3.0 only OAuth 2.0 and OpenID \
          Connect have scopes.",
    mend: "Define the scope in a flow of the scheme, or correct its name.",
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
            let finding = NONE.finding("the document says nothing of credentials");
            diagnostics.push(finding.at(version.span, "").help(NONE.mend));
        }
        return;
    }
    for operation in open {
        let node: &Node = operation.at.node;
        let span = node.get("operationId").unwrap_or(node).span;
        let title = format!(
            "`{}` does not say which credentials it needs",
            operation.label()
        );
        diagnostics.push(NONE.finding(title).at(span, "").help(NONE.mend));
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
                diagnostics.push(SCOPE.finding(title).at(scope.span, "").help(SCOPE.mend));
            }
        }
    }
    others.sort_by_key(|(name, first)| (*name, first.span));
    others.dedup_by_key(|(name, _)| *name);
    for (name, first) in others.into_iter().filter(|_| context.is_30()) {
        let finding = SCOPE.finding(format!("`{name}` is of a type that has no scopes"));
        diagnostics.push(finding.at(first.span, "the first one").help(SCOPE.mend));
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
