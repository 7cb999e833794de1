//! Provenance: where a part of a contract comes from, and how much a difference from it weighs.

use std::fmt;

use crate::node::Node;

/// How well a part is supported. Ordered from weak to strong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Added by the contract's authors because a usable service needs it: MAY.
    Proposed,
    /// Implied by the interface's text: SHOULD.
    Inferred,
    /// Shown by the interface's text: MUST.
    Documented,
}

impl Level {
    /// Parses the word that the contract uses.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "documented" => Some(Self::Documented),
            "inferred" => Some(Self::Inferred),
            "proposed" => Some(Self::Proposed),
            _ => None,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Documented => "documented",
            Self::Inferred => "inferred",
            Self::Proposed => "proposed",
        })
    }
}

/// The value of an `x-provenance` field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    /// How well the part is supported.
    pub level: Level,
    /// The heading of its section in the interface document.
    pub section: Option<String>,
}

impl Provenance {
    /// The `x-provenance` of a node; `None` if it is missing or malformed.
    pub fn of(node: &Node) -> Option<Self> {
        Self::read(node.get("x-provenance")?)
    }

    /// Parses the value of `x-provenance` or `x-required-provenance`; `None` if it is malformed.
    pub fn read(value: &Node) -> Option<Self> {
        let level = Level::parse(value.get("level")?.as_str()?)?;
        let section = value
            .get("section")
            .and_then(Node::as_str)
            .map(str::to_owned);
        Some(Self { level, section })
    }
}
