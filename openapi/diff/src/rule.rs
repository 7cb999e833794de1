//! What may be found: rules, and the four axes they stand on.

use std::fmt;

/// A kind of change: its name, how much it weighs, and what it means for whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Its name in kebab-case, for what changed; kept for ever. Where oasdiff has the rule, it is
    /// the name it has there.
    pub id: &'static str,
    /// How much such a change weighs, where neither provenance nor stability makes it less.
    pub level: Level,
    /// How much it weighs in oasdiff; `None` for a rule that only we have.
    pub reference: Option<Level>,
    /// Which way what changed travels.
    pub direction: Direction,
    /// The part of the document.
    pub area: Area,
    /// What of it changed.
    pub kind: Kind,
    /// How it changed.
    pub action: Action,
    /// What happened, in one clause without a full stop.
    pub summary: &'static str,
}

/// How much a change weighs. Ordered: the lighter the smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Who uses the contract may go on as before.
    Info,
    /// Some of those who use the contract may break, or only some of the generated code.
    Warning,
    /// Those who use the contract as it was break.
    Error,
}

/// Which way what changed travels, as seen by who calls the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// They send it, or answer it to a callback.
    Request,
    /// They receive it, also as the request of a callback.
    Response,
    /// It does not travel.
    None,
}

/// The part of the document that changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "these are the parts' own names")]
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

/// What of a part changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Bounds, lengths, patterns.
    Constraints,
    /// Whether it is there.
    Existence,
    /// Deprecation, sunset, stability, version.
    Lifecycle,
    /// Who writes it: `readOnly` and `writeOnly`.
    Mutability,
    /// Whether it must be there, and may be null.
    Requiredness,
    /// Composition, discriminators, what else an object may hold.
    Structure,
    /// Types, formats, and how they are written.
    Type,
    /// Enumerations and defaults.
    Values,
}

/// How it changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// It is new.
    Add,
    /// It is gone.
    Remove,
    /// It is another one.
    Change,
    /// It grew.
    Increase,
    /// It shrank.
    Decrease,
    /// A limit is there that was not.
    Set,
    /// It takes more.
    Generalize,
    /// It takes less.
    Specialize,
}

/// The words of an axis, both ways.
macro_rules! words {
    ($axis:ident: $($variant:ident $word:literal),+) => {
        impl $axis {
            /// Reads the word that prints it.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }

            /// The word that prints it.
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
