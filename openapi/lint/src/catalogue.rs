//! Catalogue: all rules.

use super::rule::Rule;
use super::{
    alternatives, behaviour, body_without_meaning, callbacks, components, discriminators,
    duplicate_key, duplicate_operation_id, enum_values, error_schema, example_form,
    example_pairing, facts, impossible_schema, invalid_example, invalid_pattern, links, markdown,
    money_as_number, operation_id_form, operation_responses, parameters, path_form, path_overlap,
    path_parameters, presence, provenance, reference, required_examples, scenario, schema_keywords,
    secret_field, security, security_coverage, server_url, server_variable, structure, tags,
    undefined_required, unknown_key, unknown_type, unsigned_webhook,
};

/// All rules on documents, sorted by id.
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
    structure::REFUSED,
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

impl Rule {
    /// All rules, on documents, scenarios, behaviour files and facts.
    pub fn all() -> impl Iterator<Item = &'static Rule> {
        RULES
            .iter()
            .chain(scenario::RULES)
            .chain(behaviour::RULES)
            .chain(facts::RULES)
    }

    /// The rule with this id.
    pub fn find(id: &str) -> Option<&'static Rule> {
        Self::all().find(|rule| rule.id == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_kebab_case_ids_and_are_sorted() {
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
            for text in [rule.why, rule.remedy] {
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
