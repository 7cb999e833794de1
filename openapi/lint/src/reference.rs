//! References that lead nowhere, back to themselves, or hide what stands beside them.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::references;

pub(super) const UNRESOLVED: Rule = Rule {
    id: references::UNRESOLVED,
    default: Level::Error,
    summary: "Each `$ref` leads to something",
    why: "Whatever needs the definition fails or leaves it out.",
    mend: "Check the spelling, and that the definition is there.",
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
    summary: "No chain of `$ref`s leads back into itself",
    why: "A chain of references that closes defines nothing.",
    mend: "One definition of the chain has to be more than a `$ref`.",
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
    summary: "Beside a `$ref` stand only `x-` fields, since readers drop all others",
    why: "In OpenAPI 3.0 a reader drops what stands beside a `$ref`: the constraint or \
          description is not there, though it can be read.",
    mend: "Wrap the reference in `allOf`, or move the key to the definition.",
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
                let title = format!("`{}` stands beside a `$ref`", entry.key);
                let help = "wrap the reference in `allOf`, or move the key to the definition";
                let diagnostic = SIBLINGS
                    .finding(title)
                    .at(entry.key_span, "readers drop this");
                diagnostics.push(diagnostic.help(help));
            }
        }
    }
}
