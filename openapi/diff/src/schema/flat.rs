//! Flat: the normalized requirements of a schema. `allOf` and references are merged, and each
//! keyword knows its node.

use std::collections::BTreeMap;

use super::applicators::Applicator;
use super::types::Types;
use crate::number::Number;
use openapi_document::node::Node;
use openapi_document::provenance;
use openapi_document::source::Span;

/// A normalized schema.
#[derive(Debug, Clone)]
pub(crate) struct Flat<'d> {
    /// The node to show for a missing keyword.
    pub(crate) at: &'d Node,
    pub(crate) types: Types,
    /// The types before listed values narrow them.
    pub(crate) declared: Types,
    pub(crate) type_at: Option<&'d Node>,
    /// The node that allows null.
    pub(crate) null_at: Option<&'d Node>,
    pub(crate) formats: Vec<Word<'d>>,
    pub(crate) lower: Option<Bound<'d>>,
    pub(crate) upper: Option<Bound<'d>>,
    /// In the order of [`SIZES`].
    pub(crate) sizes: [Option<Size<'d>>; 6],
    pub(crate) patterns: Vec<Word<'d>>,
    pub(crate) multiples: Vec<Size<'d>>,
    pub(crate) unique: Option<&'d Node>,
    /// `enum` and `const`.
    pub(crate) values: Option<Values<'d>>,
    /// `x-extensible-enum`.
    pub(crate) known: Option<Values<'d>>,
    pub(crate) properties: BTreeMap<&'d str, Property<'d>>,
    /// The names under `required`, each with its node.
    pub(crate) required: BTreeMap<&'d str, &'d Node>,
    /// The schemas for unlisted properties; all of them apply.
    pub(crate) rest: Vec<&'d Node>,
    /// The schemas for items; all of them apply.
    pub(crate) items: Vec<&'d Node>,
    pub(crate) groups: Vec<Group<'d>>,
    pub(crate) nots: Vec<&'d Node>,
    pub(crate) discriminator: Option<&'d Node>,
    pub(crate) read_only: Option<&'d Node>,
    pub(crate) write_only: Option<&'d Node>,
    pub(crate) deprecated: Option<&'d Node>,
    pub(crate) sunset: Option<&'d Node>,
    pub(crate) stability: Option<&'d Node>,
    pub(crate) sensitive: Option<&'d Node>,
    pub(crate) default: Option<&'d Node>,
    pub(crate) provenance: Option<provenance::Level>,
    /// The 3.1 applicators.
    pub(crate) applicators: Vec<Applicator<'d>>,
    /// The members of `allOf` that have only descriptions.
    pub(crate) descriptions: Vec<&'d Node>,
}

/// A keyword with a text value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Word<'d> {
    pub(crate) text: &'d str,
    pub(crate) node: Same<'d>,
}

/// A node that equality ignores.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Same<'d>(pub(crate) &'d Node);

impl PartialEq for Same<'_> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A numeric bound.
#[derive(Debug, Clone)]
pub(crate) struct Bound<'d> {
    pub(crate) limit: Number,
    pub(crate) exclusive: bool,
    /// The equivalent inclusive limit, if only whole numbers are allowed.
    pub(crate) whole: Option<Number>,
    pub(crate) node: &'d Node,
    /// The node that makes the bound exclusive.
    pub(crate) flag: Option<&'d Node>,
}

/// A keyword with a numeric value.
#[derive(Debug, Clone)]
pub(crate) struct Size<'d> {
    pub(crate) size: Number,
    pub(crate) node: &'d Node,
}

/// A list of values.
#[derive(Debug, Clone)]
pub(crate) struct Values<'d> {
    /// The canonical form of each value, with its node.
    pub(crate) list: BTreeMap<String, &'d Node>,
    pub(crate) at: &'d Node,
}

/// A property of an object.
#[derive(Debug, Clone)]
pub(crate) struct Property<'d> {
    /// The schemas of the property; all of them apply.
    pub(crate) schemas: Vec<&'d Node>,
    /// The place of its name.
    pub(crate) name_at: Span,
    pub(crate) node: &'d Node,
    pub(crate) required: Option<&'d Node>,
}

/// A list of alternatives.
#[derive(Debug, Clone)]
pub(crate) struct Group<'d> {
    /// Whether it is `oneOf` and not `anyOf`.
    pub(crate) exactly_one: bool,
    /// The node of the list.
    pub(crate) at: &'d Node,
    pub(crate) alternatives: Vec<&'d Node>,
}

/// A keyword that limits a count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Count {
    /// The spelling of `OpenAPI`.
    pub(crate) keyword: &'static str,
    /// The spelling in rule ids.
    pub(crate) word: &'static str,
    /// The name for people.
    pub(crate) name: &'static str,
    pub(crate) is_lower: bool,
    /// The type to which it applies.
    pub(crate) of: Types,
}

pub(super) const fn count(
    keyword: &'static str,
    word: &'static str,
    name: &'static str,
    is_lower: bool,
    of: Types,
) -> Count {
    Count {
        keyword,
        word,
        name,
        is_lower,
        of,
    }
}

/// All keywords that limit a count.
pub(crate) const SIZES: [Count; 6] = [
    count(
        "maxLength",
        "max-length",
        "maximum length",
        false,
        Types::STRING,
    ),
    count(
        "minLength",
        "min-length",
        "minimum length",
        true,
        Types::STRING,
    ),
    count(
        "maxItems",
        "max-items",
        "maximum number of items",
        false,
        Types::ARRAY,
    ),
    count(
        "minItems",
        "min-items",
        "minimum number of items",
        true,
        Types::ARRAY,
    ),
    count(
        "maxProperties",
        "max-properties",
        "maximum number of properties",
        false,
        Types::OBJECT,
    ),
    count(
        "minProperties",
        "min-properties",
        "minimum number of properties",
        true,
        Types::OBJECT,
    ),
];

impl<'d> Flat<'d> {
    /// A schema that accepts everything.
    pub(crate) fn any(at: &'d Node) -> Self {
        Self {
            at,
            types: Types::ANY,
            declared: Types::ANY,
            type_at: None,
            null_at: None,
            formats: Vec::new(),
            lower: None,
            upper: None,
            sizes: [const { None }; 6],
            patterns: Vec::new(),
            multiples: Vec::new(),
            unique: None,
            values: None,
            known: None,
            properties: BTreeMap::new(),
            required: BTreeMap::new(),
            rest: Vec::new(),
            items: Vec::new(),
            groups: Vec::new(),
            nots: Vec::new(),
            discriminator: None,
            read_only: None,
            write_only: None,
            deprecated: None,
            sunset: None,
            stability: None,
            sensitive: None,
            default: None,
            provenance: None,
            applicators: Vec::new(),
            descriptions: Vec::new(),
        }
    }

    /// The node that forbids unlisted properties, if any.
    pub(crate) fn closed(&self) -> Option<&'d Node> {
        self.rest
            .iter()
            .copied()
            .find(|node| node.as_bool() == Some(false))
    }

    /// Whether null is allowed.
    pub(crate) fn nullable(&self) -> bool {
        self.types.has(Types::NULL)
    }
}
