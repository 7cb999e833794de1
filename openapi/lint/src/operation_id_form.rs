//! Checks that operationIds have only URL-safe characters.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;

pub(super) const RULE: Rule = Rule {
    id: "operation-id-not-url-safe",
    default: Level::Error,
    summary: "An operationId has only characters that are allowed in a URL",
    why: "Documentation uses it in anchors, and generators in names; spaces and other special \
          characters break both.",
    remedy: "Use letters and digits, with `-`, `_` or `.` between words.",
    wrong: "\
paths:
  /things: {get: {operationId: list things, responses: {'200': {description: All.}}}}",
    right: "\
paths:
  /things: {get: {operationId: list-things, responses: {'200': {description: All.}}}}",
    check: Check::Document(check),
};

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for operation in context.operations() {
        let Some(id) = operation.at.node.get("operationId") else {
            continue;
        };
        let is_safe = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=".contains(c);
        let text = id.as_str().unwrap_or_default();
        if let Some(sign) = text.chars().find(|&c| !is_safe(c)) {
            let title = format!("`{text}` contains {sign:?}, which is not allowed in a URL");
            diagnostics.push(RULE.finding(title).at(id.span, "").help(RULE.remedy));
        }
    }
}
