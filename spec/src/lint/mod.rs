//! The rules a document is held to. Each rule is a file; [`RULES`] is the list of all of them.

mod alternatives;
mod behaviour;
mod body_without_meaning;
mod bounds;
mod callbacks;
mod components;
mod context;
mod discriminators;
pub(crate) mod duplicate_key;
mod duplicate_operation_id;
mod edit;
mod enum_values;
mod error_schema;
mod example_form;
mod example_pairing;
mod fix;
mod impossible_schema;
mod invalid_example;
mod invalid_pattern;
mod level;
mod links;
mod markdown;
mod money_as_number;
mod object;
mod operation_id_form;
mod operation_responses;
mod page;
mod parameters;
mod path_form;
mod path_overlap;
mod path_parameters;
mod peers;
mod presence;
mod provenance;
mod reference;
mod required_examples;
mod rule;
mod scenario;
mod schema_keywords;
mod schema_type;
mod secret_field;
mod security;
mod security_coverage;
mod server_url;
mod server_variable;
mod structure;
mod tags;
mod undefined_required;
mod unknown_key;
mod unknown_type;
mod unsigned_webhook;
mod words;

pub use behaviour::{BEHAVIOUR_RULES, contradictions, lint_behaviour, lint_behaviour_with};
pub use fix::{FixedFile, fix};
pub use level::{Level, Levels, UnknownRule};
pub use page::page;
pub use peers::{Peer, peers};
pub use rule::Rule;
pub use scenario::{SCENARIO_RULES, lint_scenarios, lint_scenarios_with};

use crate::diagnostic::Diagnostics;
use crate::document::Document;
use context::Context;
use rule::Check;
pub use unknown_key::nearest;

/// All rules on documents, in the order of their names.
pub const RULES: &[Rule] = &[
    path_overlap::AMBIGUOUS,
    schema_keywords::ITEMS,
    body_without_meaning::RULE,
    callbacks::NESTED,
    presence::others::SCHEMA,
    reference::CYCLIC,
    discriminators::PROPERTY,
    server_url::NONE,
    tags::NONE,
    enum_values::DUPLICATE,
    duplicate_key::RULE,
    duplicate_operation_id::RULE,
    parameters::DUPLICATE,
    tags::DUPLICATE,
    server_url::EMPTY,
    enum_values::MISMATCH,
    error_schema::RULE,
    markdown::EVAL,
    example_form::BOTH,
    server_url::EXAMPLE,
    example_form::VALUES,
    example_pairing::RULE,
    path_overlap::IDENTICAL,
    parameters::IGNORED,
    impossible_schema::RULE,
    presence::info::INCOMPLETE,
    presence::info::CONTACT,
    presence::info::DESCRIPTION,
    presence::info::LICENSE,
    server_url::INSECURE,
    components::NAME,
    invalid_example::RULE,
    invalid_pattern::RULE,
    structure::RULE,
    schema_keywords::OTHER,
    presence::info::URL,
    callbacks::EXPRESSION,
    money_as_number::RULE,
    enum_values::NULL,
    schema_keywords::NULLABLE,
    operation_id_form::RULE,
    tags::SEVERAL,
    presence::operation::DESCRIPTION,
    operation_responses::ERROR,
    required_examples::OPERATION,
    presence::operation::ID,
    provenance::MISSING,
    security_coverage::NONE,
    operation_responses::SUCCESS,
    presence::operation::SUMMARY,
    presence::operation::TAG,
    alternatives::OVERLAP,
    presence::others::PARAMETER,
    parameters::SCHEMA,
    path_form::CASE,
    path_parameters::UNDECLARED,
    path_parameters::UNUSED,
    path_form::SLASH,
    path_form::QUERY,
    schema_keywords::BOUNDS,
    reference::SIBLINGS,
    alternatives::REPEATED,
    path_form::REPEATED,
    required_examples::RESPONSE,
    markdown::SCRIPT,
    callbacks::SERVER,
    server_url::SLASH,
    server_variable::ENUM,
    presence::others::TAG,
    undefined_required::RULE,
    security_coverage::SCOPE,
    security::RULE,
    server_variable::UNDEFINED,
    tags::UNDEFINED,
    unknown_key::RULE,
    links::PARAMETER,
    unknown_type::RULE,
    secret_field::RULE,
    path_form::UNNAMED,
    provenance::UNREADABLE,
    discriminators::MAPPING,
    links::TARGET,
    reference::UNRESOLVED,
    unsigned_webhook::RULE,
    tags::UNSORTED,
    components::UNUSED,
    server_variable::UNUSED,
    path_form::VERB,
];

/// Holds a document to all rules, each at its default level; the findings come in the order of the
/// source.
pub fn lint(document: &Document) -> Diagnostics {
    lint_with(document, &Levels::default())
}

/// As [`lint`], with levels of one's own.
pub fn lint_with(document: &Document, levels: &Levels) -> Diagnostics {
    run(document, levels, RULES)
}

/// Holds only the references of a document to their rules: what leads nowhere, or back to itself,
/// can be neither generated from nor certified.
pub fn references(document: &Document) -> Diagnostics {
    let context = Context::new(document);
    let mut references = context.objects().iter().filter(|own| own.is_reference());
    // Nearly always nothing is wrong, and no place has to be told.
    if references.all(|own| context.resolve(own.node).is_some()) {
        return Diagnostics::default();
    }
    let rules = [reference::CYCLIC, reference::UNRESOLVED];
    run(document, &Levels::default(), &rules)
}

fn run(document: &Document, levels: &Levels, rules: &[Rule]) -> Diagnostics {
    let context = Context::new(document);
    let mut diagnostics = Diagnostics::default();
    for rule in rules {
        if let Check::Document(check) = rule.check {
            levels.ask(rule, &mut diagnostics, |found| check(&context, found));
        }
    }
    diagnostics.sort();
    diagnostics
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_named_for_what_they_find_and_listed_in_order() {
        let ids: Vec<_> = RULES.iter().map(|rule| rule.id).collect();
        assert!(ids.is_sorted(), "{ids:?}");
        for rule in Rule::all() {
            let (id, kebab) = (rule.id, |c: char| c.is_ascii_lowercase() || c == '-');
            assert!(id.chars().all(|c| kebab(c) || c.is_ascii_digit()), "{id}");
            let sentence = rule.summary;
            assert!(!sentence.is_empty() && !sentence.ends_with('.'), "{id}");
        }
    }

    #[test]
    fn rules_explain_themselves() {
        for rule in Rule::all() {
            for text in [rule.why, rule.mend] {
                assert!(text.ends_with('.'), "{}: {text}", rule.id);
            }
            assert_ne!(rule.wrong, rule.right, "{}", rule.id);
            let page = rule.explain();
            assert!(page.contains(rule.why) && page.contains(rule.right.trim_end()));
            assert_eq!(Rule::find(rule.id).map(|found| found.id), Some(rule.id));
        }
        assert!(Rule::find("nothing-of-the-kind").is_none());
    }
}
