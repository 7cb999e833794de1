//! Checks that security requirements name a defined scheme.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;

pub(super) const RULE: Rule = Rule {
    id: "undefined-security-scheme",
    default: Level::Error,
    summary: "Each security requirement names a scheme under `components`",
    why: "A client does not know which credentials to send, and some tools treat an unknown \
          scheme as none.",
    remedy: "Define the scheme under `components.securitySchemes`, or correct the name.",
    wrong: "\
security: [{kez: []}]
components:
  securitySchemes: {key: {type: apiKey, in: header, name: k}}",
    right: "\
security: [{key: []}]
components:
  securitySchemes: {key: {type: apiKey, in: header, name: k}}",
    check: Check::Document(check),
};

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let schemes = context.document.components("securitySchemes");
    for requirement in context.of(Kind::SecurityRequirement) {
        for entry in requirement.node.entries() {
            if !schemes.iter().any(|(name, _)| *name == entry.key) {
                let title = format!("there is no security scheme `{}`", entry.key);
                let help = "define it under `components.securitySchemes`";
                diagnostics.push(RULE.finding(title).at(entry.key_span, "").help(help));
            }
        }
    }
}
