//! Patterns that no reader can use.

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
    why: "That is the dialect of JSON Schema. A pattern of another one is refused, or means \
          something else.",
    mend: "Write it in that dialect: no `(?i)`, no `\\\\A`, no possessive quantifier.",
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

/// Groups within a pattern that is read at all: they are read by recursion.
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
    // Older patterns escape more than the mode for Unicode allows.
    let unicode = regress::Regex::with_flags(pattern, "u");
    if let Err(error) = unicode.or_else(|_| regress::Regex::new(pattern)) {
        let title = format!("this pattern is no regular expression: {error}");
        diagnostics.push(RULE.finding(title).at(span, "").help(RULE.mend));
    }
}
