//! Forms: the requests of one operation that set a record to different states.

use openapi_document::{Node, Pointer};

use super::change::Change;
use super::growth::Grower;
use crate::collect::request;
use crate::model::{Call, Record};
use crate::shape::Shape;
use crate::value;

/// At most this many forms per operation.
const MOST: usize = 5;

impl<'d> Grower<'_, 'd> {
    /// The requests that set each state, by example or by value. Empty if the body has no property for the state.
    pub(super) fn forms(&self, call: &Call<'d>, record: &Record<'d>) -> Vec<Change<'d>> {
        let document = self.model.document;
        let body = Shape::of(document, call.body.as_ref());
        let shown = Shape::of(document, Some(&record.schema));
        let states = |name: &str| -> Vec<&'d str> {
            let all = body.property(document, name).known_values();
            let kept = shown.property_names().into_iter();
            let kept = kept.map(|name| shown.property(document, name).known_values());
            let is_state =
                |word: &[&str]| all.len() > 1 && all.iter().all(|all| word.contains(all));
            let mut kept = kept.filter(|values| values.len() > 1);
            if kept.any(|item| is_state(&item)) {
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
        let known: Vec<String> = forms.iter().filter_map(|item| item.state.clone()).collect();
        let others = states
            .into_iter()
            .filter(|state| !known.iter().any(|item| item == state));
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
