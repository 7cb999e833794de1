//! Applicators: 3.1 keywords that apply schemas to parts of a value, such as `contains`,
//! `prefixItems`, `patternProperties` and `if`, and related keywords.

use super::types::Types;
use openapi_document::node::Node;

/// The form of a keyword's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A schema for items, property names or other properties.
    Inside,
    /// Schemas by name pattern, or by the name of a present property.
    Map { inside: bool },
    /// Required names by the name of a present property.
    Names,
    /// A schema for each of the first items.
    List,
    /// A condition, with `then` and `else` beside it.
    Condition,
    /// A text about the content of a string.
    Meaning,
    /// A value that is not rated.
    Unknown,
}

/// A keyword that is compared here.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keyword {
    /// The spelling of the specification.
    pub(super) name: &'static str,
    /// The spelling in rule ids.
    pub(super) word: &'static str,
    pub(super) form: Form,
    /// The type to which it applies.
    pub(super) of: Types,
}

const fn keyword(name: &'static str, word: &'static str, form: Form, of: Types) -> Keyword {
    Keyword {
        name,
        word,
        form,
        of,
    }
}

pub(super) const KEYWORDS: [Keyword; 13] = {
    use Form::{Condition, Inside, List, Map, Meaning, Names, Unknown};
    let (text, array, object) = (Types::STRING, Types::ARRAY, Types::OBJECT);
    let (patterns, dependents) = (Map { inside: true }, Map { inside: false });
    [
        keyword("contains", "contains", Inside, array),
        keyword("prefixItems", "prefix-items", List, array),
        keyword("unevaluatedItems", "unevaluated-items", Inside, array),
        keyword("propertyNames", "property-names", Inside, object),
        keyword("patternProperties", "pattern-property", patterns, object),
        keyword("dependentSchemas", "dependent-schema", dependents, object),
        keyword("dependentRequired", "dependent-required", Names, object),
        keyword(
            "unevaluatedProperties",
            "unevaluated-properties",
            Inside,
            object,
        ),
        keyword("if", "if", Condition, Types::ANY),
        keyword("contentSchema", "content-schema", Inside, text),
        keyword("contentEncoding", "content-encoding", Meaning, text),
        keyword("contentMediaType", "content-media-type", Meaning, text),
        keyword("$dynamicRef", "keyword", Unknown, Types::ANY),
    ]
};

/// An applicator in a schema.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Applicator<'d> {
    pub(super) keyword: &'static Keyword,
    /// Its value.
    pub(super) value: &'d Node,
    /// The schema object that contains it.
    pub(super) owner: &'d Node,
}

impl Applicator<'_> {
    /// Whether it is this keyword of this schema object.
    pub(super) fn is(&self, keyword: &str, owner: &Node) -> bool {
        self.keyword.name == keyword && std::ptr::eq(self.owner, owner)
    }
}

/// The applicators of a schema object that have an effect.
pub(super) fn read<'d>(owner: &'d Node) -> impl Iterator<Item = Applicator<'d>> {
    let has_effect = |one: &Applicator<'d>| match one.keyword.form {
        Form::Condition => owner.get("then").or_else(|| owner.get("else")).is_some(),
        Form::Inside => one.keyword.name == "contains" || !takes_anything(one),
        _ => true,
    };
    KEYWORDS
        .iter()
        .filter_map(move |keyword| {
            Some(Applicator {
                keyword,
                value: owner.get(keyword.name)?,
                owner,
            })
        })
        .filter(has_effect)
}

/// Whether the schema accepts everything; for property names, whether it only requires strings.
fn takes_anything(one: &Applicator<'_>) -> bool {
    let is_string = |node: &Node| {
        one.keyword.name == "propertyNames"
            && node.get("type").and_then(Node::as_str) == Some("string")
    };
    one.value.as_bool() == Some(true)
        || one.value.as_mapping().is_some_and(|all| {
            all.entries.is_empty() || (all.entries.len() == 1 && is_string(one.value))
        })
}

/// Pairs of names: if the first is present, the second is required.
pub(super) fn dependents(node: &Node) -> std::collections::BTreeSet<(&str, &str)> {
    let entries = node.entries();
    entries
        .flat_map(|entry| entry.value.strings().map(|name| (entry.key.as_str(), name)))
        .collect()
}
