//! What a schema asks for, however it is written: `allOf` and references are dissolved, and each
//! keyword knows the node it was written at.

use std::collections::BTreeMap;

use super::applicators::Applicator;
use super::types::Types;
use crate::number::Number;
use openapi_document::node::Node;
use openapi_document::provenance;
use openapi_document::source::Span;

/// A schema in its meaning.
#[derive(Debug, Clone)]
pub(crate) struct Flat<'d> {
    /// The node to show where a keyword is not there.
    pub(crate) at: &'d Node,
    pub(crate) types: Types,
    /// The types before listed values were looked at.
    pub(crate) declared: Types,
    pub(crate) type_at: Option<&'d Node>,
    /// The node that lets null in.
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
    /// Names under `required`, each with the node that says so.
    pub(crate) required: BTreeMap<&'d str, &'d Node>,
    /// What other properties have to be: schemas that all hold.
    pub(crate) rest: Vec<&'d Node>,
    /// What items have to be: schemas that all hold.
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
    /// Keywords of 3.1 that put schemas inside schemas.
    pub(crate) applicators: Vec<Applicator<'d>>,
    /// Members of `allOf` that only describe.
    pub(crate) descriptions: Vec<&'d Node>,
}

/// A keyword that is a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Word<'d> {
    pub(crate) text: &'d str,
    pub(crate) node: Same<'d>,
}

/// A node that does not count where its owners are compared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Same<'d>(pub(crate) &'d Node);

impl PartialEq for Same<'_> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A bound of numbers.
#[derive(Debug, Clone)]
pub(crate) struct Bound<'d> {
    pub(crate) limit: Number,
    pub(crate) exclusive: bool,
    /// The inclusive limit that says the same of whole numbers, where only those are taken.
    pub(crate) whole: Option<Number>,
    pub(crate) node: &'d Node,
    /// The node that makes it exclusive.
    pub(crate) flag: Option<&'d Node>,
}

/// A keyword that is a number.
#[derive(Debug, Clone)]
pub(crate) struct Size<'d> {
    pub(crate) size: Number,
    pub(crate) node: &'d Node,
}

/// A list of values.
#[derive(Debug, Clone)]
pub(crate) struct Values<'d> {
    /// Each in one spelling, with the node it was written at.
    pub(crate) list: BTreeMap<String, &'d Node>,
    pub(crate) at: &'d Node,
}

/// A property of an object.
#[derive(Debug, Clone)]
pub(crate) struct Property<'d> {
    /// Schemas that all hold.
    pub(crate) schemas: Vec<&'d Node>,
    /// Where its name stands.
    pub(crate) name_at: Span,
    pub(crate) node: &'d Node,
    pub(crate) required: Option<&'d Node>,
}

/// Alternatives.
#[derive(Debug, Clone)]
pub(crate) struct Group<'d> {
    /// `oneOf`, not `anyOf`.
    pub(crate) exactly_one: bool,
    /// The sequence of alternatives.
    pub(crate) at: &'d Node,
    pub(crate) alternatives: Vec<&'d Node>,
}

/// A keyword that counts something.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Count {
    /// As `OpenAPI` spells it.
    pub(crate) keyword: &'static str,
    /// As the ids of rules spell it.
    pub(crate) word: &'static str,
    /// As people say it.
    pub(crate) name: &'static str,
    pub(crate) is_lower: bool,
    /// The type it is about.
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

/// All such keywords.
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
    /// What takes anything.
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

    /// What closes an object to other properties, where something does.
    pub(crate) fn closed(&self) -> Option<&'d Node> {
        self.rest
            .iter()
            .copied()
            .find(|node| node.as_bool() == Some(false))
    }

    /// Whether a null is taken.
    pub(crate) fn nullable(&self) -> bool {
        self.types.has(Types::NULL)
    }
}
