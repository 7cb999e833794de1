//! Checks that patterns are valid regular expressions.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;
use openapi_document::node::Node;
use openapi_document::source::Span;

pub(super) const RULE: Rule = Rule {
    id: "invalid-pattern",
    default: Level::Error,
    summary: "Each `pattern` is a regular expression of ECMA-262",
    why: "JSON Schema uses this dialect. A pattern in another dialect is refused, or has another \
          meaning.",
    remedy: "Write the pattern in that dialect: no `(?i)`, no `\\A`, no possessive quantifier.",
    wrong: "\
components:
  schemas:
    Size: {type: string, pattern: '^(small|large$'}",
    right: "\
components:
  schemas:
    Size: {type: string, pattern: '^(small|large)$'}",
    check: Check::Document(check),
};

/// The maximum number of groups in a pattern, because the parser is recursive.
const GROUPS: usize = 200;

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for schema in context.of(Kind::Schema) {
        if let Some(pattern) = schema.node.get("pattern") {
            check_pattern(
                pattern.as_str().unwrap_or_default(),
                pattern.span,
                diagnostics,
            );
        }
        let named = schema.node.get("patternProperties").into_iter();
        for entry in named.flat_map(Node::entries) {
            check_pattern(&entry.key, entry.key_span, diagnostics);
        }
    }
}

fn check_pattern(pattern: &str, span: Span, diagnostics: &mut Diagnostics) {
    if pattern.matches(['(', '[']).count() > GROUPS {
        return;
    }
    // Older patterns have escapes that the Unicode mode forbids.
    let unicode = regress::Regex::with_flags(pattern, "u");
    if let Err(error) = unicode.or_else(|_| regress::Regex::new(pattern)) {
        let title = format!("this pattern is not a regular expression: {error}");
        diagnostics.push(RULE.finding(title).at(span, "").help(RULE.remedy));
    }
}
