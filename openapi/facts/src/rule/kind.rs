//! Kind: the interface that all kinds of rules implement.

use std::fmt;

use crate::mention::Mention;
use crate::subject::Subject;

/// A kind of rule. `Display` writes one sentence without a full stop.
pub(crate) trait Kind: fmt::Display {
    /// The part of the id that distinguishes rules of one kind: subject and condition.
    fn key(&self) -> String;

    /// The operation, schema or component that the rule concerns.
    fn owner(&self) -> &str;

    /// The owner, to be replaced.
    fn owner_mut(&mut self) -> &mut String;

    /// The parameter, property or list that the rule concerns.
    fn subject(&self) -> Option<&Subject> {
        None
    }

    /// The status of a refusal, if the kind has one. Rules that differ only in having a status
    /// agree.
    fn status_mut(&mut self) -> Option<&mut Option<u16>> {
        None
    }

    /// Whether the rule is a positive statement.
    fn holds(&self) -> bool {
        true
    }

    /// Whether it limits what clients may send or do.
    fn is_limit(&self) -> bool {
        false
    }

    /// The parts of the document that the rule names. The reader reports unknown ones.
    fn mentions(&self) -> Vec<Mention<'_>> {
        vec![Mention::Owner(self.owner())]
    }

    /// An error text if the parts of the rule contradict each other.
    fn flaw(&self) -> Option<&'static str> {
        None
    }
}

/// Writes the end of a sentence: `; a change is refused with 422`.
pub(super) fn refused(f: &mut fmt::Formatter<'_>, what: &str, status: Option<u16>) -> fmt::Result {
    match status {
        Some(status) => write!(f, "; {what} is refused with {status}"),
        None => Ok(()),
    }
}
