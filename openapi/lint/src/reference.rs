//! Checks for references without a target, cycles, and ignored siblings.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::references;

pub(super) const UNRESOLVED: Rule = Rule {
    id: references::UNRESOLVED,
    default: Level::Error,
    summary: "Each `$ref` has a target",
    why: "Tools that need the definition fail, or leave it out.",
    remedy: "Check the spelling, and that the definition exists.",
    wrong: "\
components:
  schemas:
    Thing: {$ref: '#/components/schemas/Thnig2'}",
    right: "\
components:
  schemas:
    Thing: {$ref: '#/components/schemas/Other'}
    Other: {type: object}",
    check: Check::Document(check_unresolved),
};

pub(super) const CYCLIC: Rule = Rule {
    id: references::CYCLIC,
    default: Level::Error,
    summary: "No chain of `$ref`s forms a cycle",
    why: "A cycle of references defines nothing.",
    remedy: "Replace one `$ref` of the chain by a definition.",
    wrong: "\
components:
  schemas:
    A: {$ref: '#/components/schemas/B'}
    B: {$ref: '#/components/schemas/A'}",
    right: "\
components:
  schemas:
    A: {$ref: '#/components/schemas/B'}
    B: {type: object}",
    check: Check::Document(check_cyclic),
};

pub(super) const SIBLINGS: Rule = Rule {
    id: "reference-siblings",
    default: Level::Error,
    summary: "Only `x-` fields stand beside a `$ref`",
    why: "In OpenAPI 3.0, tools ignore other fields beside a `$ref`: a constraint or description \
          there has no effect.",
    remedy: "Wrap the reference in `allOf`, or move the key to the definition.",
    wrong: "\
components:
  schemas:
    A: {$ref: '#/components/schemas/B', description: Not seen.}
    B: {type: object}",
    right: "\
components:
  schemas:
    A: {allOf: [{$ref: '#/components/schemas/B'}], description: Seen.}
    B: {type: object}",
    check: Check::Document(check_siblings),
};

fn check_unresolved(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let broken = context.broken_references().iter();
    diagnostics.extend(broken.filter(|one| one.rule == UNRESOLVED.id).cloned());
}

fn check_cyclic(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let broken = context.broken_references().iter();
    diagnostics.extend(broken.filter(|one| one.rule == CYCLIC.id).cloned());
}

fn check_siblings(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    if !context.is_30() {
        return;
    }
    for object in context.objects() {
        if !object.is_reference() {
            continue;
        }
        for entry in object.node.entries() {
            if entry.key != "$ref" && !entry.key.starts_with("x-") {
                let title = format!("`{}` is beside a `$ref`", entry.key);
                let help = "wrap the reference in `allOf`, or move the key to the definition";
                let diagnostic = SIBLINGS
                    .finding(title)
                    .at(entry.key_span, "tools ignore this");
                diagnostics.push(diagnostic.help(help));
            }
        }
    }
}
