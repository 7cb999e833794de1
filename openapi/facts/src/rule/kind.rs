//! Kind: what all kinds of rules have in common.

use std::fmt;

use crate::mention::Mention;
use crate::subject::Subject;

/// A kind of rule. `Display` is one plain sentence without a full stop.
pub(crate) trait Kind: fmt::Display {
    /// What tells the rule from others of its kind: its subject and its condition.
    fn key(&self) -> String;

    /// The operation, schema or component that it is about.
    fn owner(&self) -> &str;

    /// The place of the owner.
    fn owner_mut(&mut self) -> &mut String;

    /// The parameter, property or list that it is about.
    fn subject(&self) -> Option<&Subject> {
        None
    }

    /// The place of the status of a refusal. Two rules that differ only in whether they have one say the same.
    fn status_mut(&mut self) -> Option<&mut Option<u16>> {
        None
    }

    /// Whether it says that something is so.
    fn holds(&self) -> bool {
        true
    }

    /// Whether it limits what callers may send or do.
    fn is_limit(&self) -> bool {
        false
    }

    /// What of the document it names; an entry that names something unknown is reported.
    fn mentions(&self) -> Vec<Mention<'_>> {
        vec![Mention::Owner(self.owner())]
    }

    /// Why its parts do not fit together, where they do not.
    fn flaw(&self) -> Option<&'static str> {
        None
    }
}

/// The end of a sentence: `; a change is refused with 422`.
pub(super) fn refused(f: &mut fmt::Formatter<'_>, what: &str, status: Option<u16>) -> fmt::Result {
    match status {
        Some(status) => write!(f, "; {what} is refused with {status}"),
        None => Ok(()),
    }
}
