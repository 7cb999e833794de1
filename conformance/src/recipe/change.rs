//! Change: an operation that changes a record before a call, with the form of its request.

use super::choice::Choice;
use crate::names;

/// An operation that changes a record, and its request.
#[derive(Debug, Clone)]
pub(super) struct Change<'d> {
    /// The label of the operation.
    pub(super) operation: String,
    /// The example that it sends. `None` for none or the first.
    pub(super) example: Option<&'d str>,
    /// A property that it sets in addition.
    pub(super) setting: Option<Choice>,
    /// Whether it is sent without its optional body.
    pub(super) is_bare: bool,
    /// The state that the request sets.
    pub(super) state: Option<String>,
}

impl Change<'_> {
    /// An operation with its usual request.
    pub(super) fn plain(operation: String) -> Self {
        Self {
            operation,
            example: None,
            setting: None,
            is_bare: false,
            state: None,
        }
    }

    /// An operation without its body.
    pub(super) fn bare(operation: String) -> Self {
        Self {
            is_bare: true,
            ..Self::plain(operation)
        }
    }

    /// Its part of a recipe's name.
    pub(super) fn name(&self) -> String {
        let example = self.example.map(|item| format!("={item}"));
        let setting = self.setting.as_ref();
        let setting = setting.map(|(pointer, value)| format!("{pointer}={}", value.to_json()));
        let (example, setting) = (example.unwrap_or_default(), setting.unwrap_or_default());
        let bare = if self.is_bare { "=" } else { "" };
        format!("{}{example}{setting}{bare}", self.operation)
    }

    /// The words of the state that the request sets. `None` if it sets none.
    pub(super) fn state(&self) -> Option<Vec<String>> {
        self.state.as_deref().map(names::words)
    }
}

impl PartialEq for Change<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}
