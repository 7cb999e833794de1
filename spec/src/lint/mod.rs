//! The rules a document is held to. Each rule is a file; [`RULES`] is the list of all of them.

mod behaviour;
pub(crate) mod duplicate_key;
mod duplicate_operation_id;
mod example_pairing;
mod invalid_example;
mod money_as_number;
mod path_parameters;
mod provenance;
mod reference;
mod required_examples;
mod scenario;
mod security;
mod structure;
mod unknown_key;

pub use behaviour::{BEHAVIOUR_RULES, BehaviourRule, lint_behaviour};
pub use scenario::{SCENARIO_RULES, lint_scenarios};

use std::cell::OnceCell;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::document::Document;
use crate::grammar::{Kind, walk};
use crate::node::Node;
use crate::pointer::Pointer;
use crate::schema::Schemas;
pub(crate) use unknown_key::nearest;

/// A rule: what it is called and what it looks for.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Its name in kebab-case, for what is found; kept for ever.
    pub id: &'static str,
    /// What it asks for, in one sentence.
    pub summary: &'static str,
    check: fn(&Context<'_>, &mut Diagnostics),
}

/// What a rule looks at.
#[derive(Debug)]
struct Context<'d> {
    document: &'d Document,
    schemas: OnceCell<Schemas>,
    /// Whether the document says where its facts come from; one that never does is not asked to.
    has_provenance: bool,
}

/// All rules, in the order of their names.
pub const RULES: &[Rule] = &[
    reference::CYCLIC,
    duplicate_key::RULE,
    duplicate_operation_id::RULE,
    example_pairing::RULE,
    invalid_example::RULE,
    structure::RULE,
    money_as_number::RULE,
    required_examples::OPERATION,
    provenance::MISSING,
    path_parameters::UNDECLARED,
    path_parameters::UNUSED,
    reference::SIBLINGS,
    required_examples::RESPONSE,
    security::RULE,
    unknown_key::RULE,
    provenance::UNREADABLE,
    reference::UNRESOLVED,
];

/// Holds a document to all rules; the findings come in the order of the source.
pub fn lint(document: &Document) -> Diagnostics {
    let mut has_provenance = false;
    walk(
        &document.root,
        Kind::Document,
        &mut Pointer::root(),
        &mut |node, _, _| {
            has_provenance |= node.get("x-provenance").is_some();
            !has_provenance
        },
    );
    let context = Context {
        document,
        schemas: OnceCell::new(),
        has_provenance,
    };
    let mut diagnostics = Diagnostics::default();
    for rule in RULES {
        (rule.check)(&context, &mut diagnostics);
    }
    diagnostics.sort();
    diagnostics
}

/// Holds only the references of a document to their rules: what leads nowhere, or back to itself,
/// can be neither generated from nor certified.
pub fn references(document: &Document) -> Diagnostics {
    let context = Context {
        document,
        schemas: OnceCell::new(),
        has_provenance: false,
    };
    let mut diagnostics = Diagnostics::default();
    for rule in [reference::CYCLIC, reference::UNRESOLVED] {
        (rule.check)(&context, &mut diagnostics);
    }
    diagnostics.sort();
    diagnostics
}

impl Rule {
    fn error(&self, title: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.id, title)
    }
}

impl<'d> Context<'d> {
    /// The document's schemas, prepared when a rule first asks for them.
    fn schemas(&self) -> &Schemas {
        self.schemas.get_or_init(|| Schemas::new(self.document))
    }

    /// Visits every object of the document, references as such.
    fn walk(&self, visit: &mut dyn FnMut(&'d Node, Kind, &Pointer)) {
        let root = &self.document.root;
        walk(
            root,
            Kind::Document,
            &mut Pointer::root(),
            &mut |node, kind, pointer| {
                visit(node, kind, pointer);
                true
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_named_for_what_they_find_and_listed_in_order() {
        let ids: Vec<_> = RULES.iter().map(|rule| rule.id).collect();
        assert!(ids.is_sorted(), "{ids:?}");
        for rule in RULES {
            assert!(
                rule.id.chars().all(|c| c.is_ascii_lowercase() || c == '-'),
                "{}",
                rule.id
            );
            assert!(
                !rule.summary.is_empty() && !rule.summary.ends_with('.'),
                "{}",
                rule.summary
            );
        }
    }
}
