//! Checks for request bodies of GET, HEAD and DELETE.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::view::Method;

pub(super) const RULE: Rule = Rule {
    id: "body-without-meaning",
    default: Level::Warning,
    summary: "GET, HEAD and DELETE have no request body",
    why: "HTTP does not define a body for these methods: caches, proxies and some servers drop \
          it.",
    remedy: "Send the content as parameters, or use POST.",
    wrong: "\
paths:
  /things:
    get:
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses: {}",
    right: "\
paths:
  /things:
    post:
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses: {}",
    check: Check::Document(check),
};

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for operation in context.operations() {
        let bodiless = [Method::Get, Method::Head, Method::Delete];
        let body = operation.at.node.get("requestBody");
        if let Some(body) = body.filter(|_| bodiless.contains(&operation.method)) {
            let title = format!(
                "`{}` has a body, which is not defined for {}",
                operation.label(),
                operation.method
            );
            diagnostics.push(RULE.finding(title).at(body.span, "").help(RULE.remedy));
        }
    }
}
