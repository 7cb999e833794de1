//! Rule: a kind of change, classified on four axes.

use std::fmt;

/// A kind of change: id, level, axes and summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// The id in kebab-case, named after the change; it never changes. It equals the id in oasdiff
    /// if oasdiff has the rule.
    pub id: &'static str,
    /// The level, unless provenance or stability lower it.
    pub level: Level,
    /// The level in oasdiff; `None` if oasdiff has no such rule.
    pub reference: Option<Level>,
    /// The direction of the changed part.
    pub direction: Direction,
    /// The part of the document.
    pub area: Area,
    /// The aspect that changed.
    pub kind: Kind,
    /// How the aspect changed.
    pub action: Action,
    /// What happened, as a clause without a full stop.
    pub summary: &'static str,
}

/// The level of a change, ordered from light to severe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Nothing breaks.
    Info,
    /// Some clients may break, or only some generated code.
    Warning,
    /// Clients of the old contract break.
    Error,
}

/// The direction of the changed part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The client sends it, also as a response to a callback.
    Request,
    /// The client receives it, also as the request of a callback.
    Response,
    /// It is not part of a message.
    None,
}

/// The part of the document that changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "these are the names of the parts")]
pub enum Area {
    Behaviour,
    Callbacks,
    Components,
    Headers,
    Info,
    Parameters,
    Paths,
    RequestBody,
    Responses,
    Schema,
    Security,
    Servers,
    Tags,
}

/// The aspect of a part that changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Bounds, lengths, patterns.
    Constraints,
    /// Whether it exists.
    Existence,
    /// Deprecation, sunset, stability, version.
    Lifecycle,
    /// `readOnly` and `writeOnly`.
    Mutability,
    /// Whether it is required, and whether it may be null.
    Requiredness,
    /// Composition, discriminators, additional properties.
    Structure,
    /// Types, formats and serialization.
    Type,
    /// Enumerations and defaults.
    Values,
}

/// How the aspect changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Added.
    Add,
    /// Removed.
    Remove,
    /// Changed.
    Change,
    /// Increased.
    Increase,
    /// Decreased.
    Decrease,
    /// A limit was set.
    Set,
    /// Allows more values.
    Generalize,
    /// Allows fewer values.
    Specialize,
}

/// Implements parsing and printing of an axis.
macro_rules! words {
    ($axis:ident: $($variant:ident $word:literal),+) => {
        impl $axis {
            /// Parses a word of the axis.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }

            /// The word of the axis.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl fmt::Display for $axis {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.word())
            }
        }
    };
}

words!(Level: Info "info", Warning "warning", Error "error");
words!(Direction: Request "Request", Response "Response", None "None");
words!(Area: Behaviour "Behaviour", Callbacks "Callbacks", Components "Components", Headers "Headers", Info "Info",
    Parameters "Parameters", Paths "Paths", RequestBody "RequestBody", Responses "Responses",
    Schema "Schema", Security "Security", Servers "Servers", Tags "Tags");
words!(Kind: Constraints "Constraints", Existence "Existence", Lifecycle "Lifecycle",
    Mutability "Mutability", Requiredness "Requiredness", Structure "Structure", Type "Type",
    Values "Values");
words!(Action: Add "Add", Remove "Remove", Change "Change", Increase "Increase",
    Decrease "Decrease", Set "Set", Generalize "Generalize", Specialize "Specialize");
