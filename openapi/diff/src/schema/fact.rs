//! What differs between two schemas, before it is known where they are used.

use super::flat::Property;
use super::pair_id::PairId;
use super::types::Types;
use crate::side::Mark;
use openapi_document::node::Node;

/// One difference.
#[derive(Debug, Clone)]
pub(crate) struct Fact<'d> {
    /// The end of the ids of its rules, such as `max-length-decreased`.
    pub(crate) word: Words,
    /// The values that differ.
    pub(crate) detail: String,
    /// What happened, as a clause about "it".
    pub(crate) phrase: String,
    pub(crate) base: Mark<'d>,
    pub(crate) revision: Mark<'d>,
    /// The sides on which all of the schema is meant, and so the place where it is used.
    pub(crate) whole: (bool, bool),
}

/// The end of the id of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Words {
    /// One word for all places.
    One(&'static str),
    /// A keyword and what became of it.
    Two(&'static str, &'static str),
    /// A type: from, to, and whether the format alone differs.
    Type {
        word: &'static str,
        base: Types,
        revision: Types,
    },
    /// One schema became one of several alternatives; what is said where that has no rule.
    Wrapped(&'static str),
    /// Deprecation, sunset or stability differ.
    Lifecycle,
    /// `readOnly` differs.
    ReadOnly,
    /// `writeOnly` differs.
    WriteOnly,
}

/// How one pair leads to another.
#[derive(Debug, Clone)]
pub(crate) struct Edge<'d> {
    pub(crate) step: Step<'d>,
    /// Where it stands on both sides.
    pub(crate) sites: Option<(Mark<'d>, Mark<'d>)>,
    pub(crate) to: Option<PairId>,
}

/// The step from a schema to one inside it.
#[derive(Debug, Clone)]
pub(crate) enum Step<'d> {
    /// A property that is there on one side at least.
    Property {
        name: &'d str,
        base: Option<Property<'d>>,
        revision: Option<Property<'d>>,
        /// Where to point on the side that has it not.
        base_owner: Mark<'d>,
        revision_owner: Mark<'d>,
        /// Where required properties are listed.
        lists: (Option<&'d Node>, Option<&'d Node>),
        /// Whether the side that has it not takes no other properties.
        closed: bool,
    },
    /// What a keyword describes inside, by the keyword, a pattern of names or a place in a list.
    Inside(String),
    /// Properties that are not named.
    Rest,
    Items,
    /// An alternative, and what to call it.
    Alternative(String),
}
