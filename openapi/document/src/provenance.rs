//! Where a fact of a contract comes from, and how hard it may be judged.

use std::fmt;

use crate::node::Node;

/// How sure a fact is. Ordered: the weaker the smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Ours, because a usable service needs it: MAY.
    Proposed,
    /// The interface's text implies it: SHOULD.
    Inferred,
    /// The interface's text shows it: MUST.
    Documented,
}

impl Level {
    /// Reads the word as the contract spells it.
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
    /// How sure the fact is.
    pub level: Level,
    /// The heading of the interface document under which it stands.
    pub section: Option<String>,
}

impl Provenance {
    /// What a node says of itself in `x-provenance`; `None` where it says nothing readable.
    pub fn of(node: &Node) -> Option<Self> {
        Self::read(node.get("x-provenance")?)
    }

    /// Reads the value of an `x-provenance` (or `x-required-provenance`) field.
    pub fn read(value: &Node) -> Option<Self> {
        let level = Level::parse(value.get("level")?.as_str()?)?;
        let section = value
            .get("section")
            .and_then(Node::as_str)
            .map(str::to_owned);
        Some(Self { level, section })
    }
}
