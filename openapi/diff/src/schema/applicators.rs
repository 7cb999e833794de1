//! Keywords of 3.1 that put schemas inside schemas, and what goes with them: `contains`,
//! `prefixItems`, `patternProperties`, `if` and their like.

use super::types::Types;
use openapi_document::node::Node;

/// What a keyword holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A schema of items, of names or of other properties.
    Inside,
    /// Schemas by patterns of names, or by names that have to be there.
    Map { inside: bool },
    /// Names by names that have to be there.
    Names,
    /// A schema for each of the first items.
    List,
    /// `then` and `else` beside it.
    Condition,
    /// A text that says what a string means.
    Meaning,
    /// Something that is not weighed.
    Unknown,
}

/// A keyword that is compared here.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keyword {
    /// As the specification spells it.
    pub(super) name: &'static str,
    /// As the ids of rules spell it.
    pub(super) word: &'static str,
    pub(super) form: Form,
    /// The type it is about.
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

/// One of these keywords in a schema.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Applicator<'d> {
    pub(super) keyword: &'static Keyword,
    /// Its value.
    pub(super) value: &'d Node,
    /// The schema object it stands in.
    pub(super) owner: &'d Node,
}

impl Applicator<'_> {
    /// Whether it is this keyword of a schema object.
    pub(super) fn is(&self, keyword: &str, owner: &Node) -> bool {
        self.keyword.name == keyword && std::ptr::eq(self.owner, owner)
    }
}

/// The keywords of a schema object that have an effect.
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

/// Whether the schema asks for nothing: of names, that they are strings.
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

/// Pairs of names: where the first is there, the second has to be.
pub(super) fn dependents(node: &Node) -> std::collections::BTreeSet<(&str, &str)> {
    let entries = node.entries();
    entries
        .flat_map(|entry| entry.value.strings().map(|name| (entry.key.as_str(), name)))
        .collect()
}
