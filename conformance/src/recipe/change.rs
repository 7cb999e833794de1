//! Change: what changes a record before a call is tried, and how it is asked for: by one of several examples, or with one
//! of the states that it may set.

use openapi_document::{Node, Pointer};

use super::choice::Choice;
use super::growth::Grower;
use crate::collect::request;
use crate::model::{Call, Record, names};
use crate::shape::Shape;
use crate::value;

/// So many forms of one operation are told apart at most.
const MOST: usize = 5;

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
    state: Option<String>,
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

impl<'d> Grower<'_, 'd> {
    /// The forms of an operation that may be asked for several states of a record; none of one that may not.
    pub(super) fn forms(&self, call: &Call<'d>, record: &Record<'d>) -> Vec<Change<'d>> {
        let document = self.model.document;
        let body = Shape::of(document, call.body.as_ref());
        let shown = Shape::of(document, Some(&record.schema));
        let states = |name: &str| -> Vec<&'d str> {
            let all = body.property(document, name).known_values();
            let kept = shown.property_names().into_iter();
            let kept = kept.map(|own| shown.property(document, own).known_values());
            let is_state = |own: &[&str]| all.len() > 1 && all.iter().all(|all| own.contains(all));
            let mut kept = kept.filter(|own| own.len() > 1);
            if kept.any(|own| is_state(&own)) {
                all
            } else {
                Vec::new()
            }
        };
        let mut names = body.property_names().into_iter();
        let Some((name, states)) = names.find_map(|name| {
            let states = states(name);
            (!states.is_empty()).then_some((name, states))
        }) else {
            return Vec::new();
        };
        let pointer = Pointer::root().join(name);
        let operation = call.operation.label();
        let by_example = |key: &'d str| {
            let body = request::body(self.contract, &call.operation, Some(key)).ok()??;
            let state = body.value.plain()?.at(&pointer).and_then(Node::as_str)?;
            Some(Change {
                operation: operation.clone(),
                example: Some(key),
                setting: None,
                is_bare: false,
                state: Some(state.to_owned()),
            })
        };
        let keys = request::keys(&call.operation).into_iter();
        let mut forms: Vec<Change<'d>> = keys.filter_map(by_example).collect();
        let known: Vec<String> = forms.iter().filter_map(|own| own.state.clone()).collect();
        let others = states
            .into_iter()
            .filter(|state| !known.iter().any(|own| own == state));
        forms.extend(others.map(|state| Change {
            operation: operation.clone(),
            example: None,
            setting: Some((pointer.clone(), value::string(state))),
            is_bare: false,
            state: Some(state.to_owned()),
        }));
        forms.truncate(MOST);
        forms
    }
}
