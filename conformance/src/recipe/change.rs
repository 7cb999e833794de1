//! Change: an operation that changes a record before a call, and the form in which it is requested.

use super::choice::Choice;
use crate::names;

/// An operation that changes a record, and how it is asked for.
#[derive(Debug, Clone)]
pub(super) struct Change<'d> {
    /// The operation.
    pub(super) operation: String,
    /// The example of its request.
    pub(super) example: Option<&'d str>,
    /// What it sets beside that.
    pub(super) setting: Option<Choice>,
    /// Whether it is asked for nothing, where it need not be asked for anything.
    pub(super) is_bare: bool,
    /// The state that it is asked for.
    pub(super) state: Option<String>,
}

impl Change<'_> {
    /// An operation as it is asked for by itself.
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

    /// How it is called among others.
    pub(super) fn name(&self) -> String {
        let example = self.example.map(|own| format!("={own}"));
        let setting = self.setting.as_ref();
        let setting = setting.map(|(pointer, value)| format!("{pointer}={}", value.to_json()));
        let (example, setting) = (example.unwrap_or_default(), setting.unwrap_or_default());
        let bare = if self.is_bare { "=" } else { "" };
        format!("{}{example}{setting}{bare}", self.operation)
    }

    /// The words of the state that it is asked for, where it is asked for one.
    pub(super) fn state(&self) -> Option<Vec<String>> {
        self.state.as_deref().map(names::words)
    }
}

impl PartialEq for Change<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}
