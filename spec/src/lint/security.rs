//! Security requirements that name no scheme.

use super::{Context, Rule};
use crate::diagnostic::Diagnostics;
use crate::grammar::Kind;

pub(super) const RULE: Rule = Rule {
    id: "undefined-security-scheme",
    summary: "Each security requirement names a scheme under `components`",
    check,
};

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let schemes = context.document.components("securitySchemes");
    context.walk(&mut |node, kind, _| {
        if kind != Kind::SecurityRequirement {
            return;
        }
        for entry in node.entries() {
            if !schemes.iter().any(|(name, _)| *name == entry.key) {
                let title = format!("there is no security scheme `{}`", entry.key);
                let help = "define it under `components.securitySchemes`";
                diagnostics.push(RULE.error(title).at(entry.key_span, "").help(help));
            }
        }
    });
}
