//! What a schema asks for, however it is written: `allOf` and references are dissolved, and each
//! keyword knows the node it was written at.

use std::collections::BTreeMap;

use super::applicators::Applicator;
use super::types::Types;
use crate::diff::number::Number;
use crate::node::Node;
use crate::provenance;
use crate::source::Span;

/// A schema in its meaning.
#[derive(Debug, Clone)]
pub(in crate::diff) struct Flat<'d> {
    /// The node to show where a keyword is not there.
    pub(in crate::diff) at: &'d Node,
    pub(in crate::diff) types: Types,
    /// The types before listed values were looked at.
    pub(in crate::diff) declared: Types,
    pub(in crate::diff) type_at: Option<&'d Node>,
    /// The node that lets null in.
    pub(in crate::diff) null_at: Option<&'d Node>,
    pub(in crate::diff) formats: Vec<Word<'d>>,
    pub(in crate::diff) lower: Option<Bound<'d>>,
    pub(in crate::diff) upper: Option<Bound<'d>>,
    /// In the order of [`SIZES`].
    pub(in crate::diff) sizes: [Option<Size<'d>>; 6],
    pub(in crate::diff) patterns: Vec<Word<'d>>,
    pub(in crate::diff) multiples: Vec<Size<'d>>,
    pub(in crate::diff) unique: Option<&'d Node>,
    /// `enum` and `const`.
    pub(in crate::diff) values: Option<Values<'d>>,
    /// `x-extensible-enum`.
    pub(in crate::diff) known: Option<Values<'d>>,
    pub(in crate::diff) properties: BTreeMap<&'d str, Property<'d>>,
    /// Names under `required`, each with the node that says so.
    pub(in crate::diff) required: BTreeMap<&'d str, &'d Node>,
    /// What other properties have to be: schemas that all hold.
    pub(in crate::diff) rest: Vec<&'d Node>,
    /// What items have to be: schemas that all hold.
    pub(in crate::diff) items: Vec<&'d Node>,
    pub(in crate::diff) groups: Vec<Group<'d>>,
    pub(in crate::diff) nots: Vec<&'d Node>,
    pub(in crate::diff) discriminator: Option<&'d Node>,
    pub(in crate::diff) read_only: Option<&'d Node>,
    pub(in crate::diff) write_only: Option<&'d Node>,
    pub(in crate::diff) deprecated: Option<&'d Node>,
    pub(in crate::diff) sunset: Option<&'d Node>,
    pub(in crate::diff) stability: Option<&'d Node>,
    pub(in crate::diff) sensitive: Option<&'d Node>,
    pub(in crate::diff) default: Option<&'d Node>,
    pub(in crate::diff) provenance: Option<provenance::Level>,
    /// Keywords of 3.1 that put schemas inside schemas.
    pub(in crate::diff) applicators: Vec<Applicator<'d>>,
    /// Members of `allOf` that only describe.
    pub(in crate::diff) descriptions: Vec<&'d Node>,
}

/// A keyword that is a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::diff) struct Word<'d> {
    pub(in crate::diff) text: &'d str,
    pub(in crate::diff) node: Same<'d>,
}

/// A node that does not count where its owners are compared.
#[derive(Debug, Clone, Copy)]
pub(in crate::diff) struct Same<'d>(pub(in crate::diff) &'d Node);

impl PartialEq for Same<'_> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A bound of numbers.
#[derive(Debug, Clone)]
pub(in crate::diff) struct Bound<'d> {
    pub(in crate::diff) limit: Number,
    pub(in crate::diff) exclusive: bool,
    /// The inclusive limit that says the same of whole numbers, where only those are taken.
    pub(in crate::diff) whole: Option<Number>,
    pub(in crate::diff) node: &'d Node,
    /// The node that makes it exclusive.
    pub(in crate::diff) flag: Option<&'d Node>,
}

/// A keyword that is a number.
#[derive(Debug, Clone)]
pub(in crate::diff) struct Size<'d> {
    pub(in crate::diff) size: Number,
    pub(in crate::diff) node: &'d Node,
}

/// A list of values.
#[derive(Debug, Clone)]
pub(in crate::diff) struct Values<'d> {
    /// Each in one spelling, with the node it was written at.
    pub(in crate::diff) list: BTreeMap<String, &'d Node>,
    pub(in crate::diff) at: &'d Node,
}

/// A property of an object.
#[derive(Debug, Clone)]
pub(in crate::diff) struct Property<'d> {
    /// Schemas that all hold.
    pub(in crate::diff) schemas: Vec<&'d Node>,
    /// Where its name stands.
    pub(in crate::diff) name_at: Span,
    pub(in crate::diff) node: &'d Node,
    pub(in crate::diff) required: Option<&'d Node>,
}

/// Alternatives.
#[derive(Debug, Clone)]
pub(in crate::diff) struct Group<'d> {
    /// `oneOf`, not `anyOf`.
    pub(in crate::diff) exactly_one: bool,
    /// The sequence of alternatives.
    pub(in crate::diff) at: &'d Node,
    pub(in crate::diff) alternatives: Vec<&'d Node>,
}

/// A keyword that counts something.
#[derive(Debug, Clone, Copy)]
pub(in crate::diff) struct Count {
    /// As `OpenAPI` spells it.
    pub(in crate::diff) keyword: &'static str,
    /// As the ids of rules spell it.
    pub(in crate::diff) word: &'static str,
    /// As people say it.
    pub(in crate::diff) name: &'static str,
    pub(in crate::diff) is_lower: bool,
    /// The type it is about.
    pub(in crate::diff) of: Types,
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
pub(in crate::diff) const SIZES: [Count; 6] = [
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
    pub(in crate::diff) fn any(at: &'d Node) -> Self {
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
    pub(in crate::diff) fn closed(&self) -> Option<&'d Node> {
        self.rest
            .iter()
            .copied()
            .find(|node| node.as_bool() == Some(false))
    }

    /// Whether a null is taken.
    pub(in crate::diff) fn nullable(&self) -> bool {
        self.types.has(Types::NULL)
    }
}
