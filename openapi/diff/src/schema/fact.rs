//! Fact: a difference between two schemas, independent of their uses.

use super::flat::Property;
use super::pair_id::PairId;
use super::types::Types;
use crate::side::Mark;
use openapi_document::node::Node;

/// One difference between two schemas.
#[derive(Debug, Clone)]
pub(crate) struct Fact<'d> {
    /// The suffix of its rule ids, such as `max-length-decreased`.
    pub(crate) word: Words,
    /// The different values.
    pub(crate) detail: String,
    /// What happened, as the predicate of a sentence.
    pub(crate) phrase: String,
    pub(crate) base: Mark<'d>,
    pub(crate) revision: Mark<'d>,
    /// For each side, whether the fact concerns the whole schema, so that its place of use is
    /// shown.
    pub(crate) whole: (bool, bool),
}

/// The suffix of a rule id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Words {
    /// A fixed suffix.
    One(&'static str),
    /// A keyword and an action.
    Two(&'static str, &'static str),
    /// A change of a type, with both types.
    Type {
        word: &'static str,
        base: Types,
        revision: Types,
    },
    /// A schema became one of several alternatives, with the suffix for places without such a rule.
    Wrapped(&'static str),
    /// Deprecation, sunset or stability differ.
    Lifecycle,
    /// `readOnly` differs.
    ReadOnly,
    /// `writeOnly` differs.
    WriteOnly,
}

/// A step from one pair to another.
#[derive(Debug, Clone)]
pub(crate) struct Edge<'d> {
    pub(crate) step: Step<'d>,
    /// The places on both sides.
    pub(crate) sites: Option<(Mark<'d>, Mark<'d>)>,
    pub(crate) to: Option<PairId>,
}

/// The step from a schema to one inside it.
#[derive(Debug, Clone)]
pub(crate) enum Step<'d> {
    /// A property that exists on at least one side.
    Property {
        name: &'d str,
        base: Option<Property<'d>>,
        revision: Option<Property<'d>>,
        /// The place to show on the side that lacks it.
        base_owner: Mark<'d>,
        revision_owner: Mark<'d>,
        /// The `required` lists.
        lists: (Option<&'d Node>, Option<&'d Node>),
        /// Whether the side that lacks it forbids other properties.
        closed: bool,
    },
    /// A part of the value, by keyword, name pattern or list position.
    Inside(String),
    /// Unlisted properties.
    Rest,
    Items,
    /// An alternative with its label.
    Alternative(String),
}
