//! Trail: records which documented values of a request were replaced during composition, and why.

use openapi_document::{Node, Pointer, Value};

use crate::case::{Documented, DocumentedArgument};
use crate::change::{Change, Place, Why};
use crate::value;

/// The places that each stage of composition changed. Empty for a request without an example.
pub(super) struct Trail<'r> {
    documented: Option<&'r Documented>,
    marks: Vec<(Pointer, Why)>,
    /// The body before the current stage.
    before: Option<Node>,
    changes: Vec<Change>,
}

impl<'r> Trail<'r> {
    pub(super) fn new(documented: &'r Documented) -> Self {
        Self {
            documented: (!documented.is_empty()).then_some(documented),
            marks: Vec::new(),
            before: None,
            changes: Vec::new(),
        }
    }

    /// Whether the contract shows a body.
    pub(super) fn shows_body(&self) -> bool {
        self.documented
            .is_some_and(|documented| documented.body.is_some())
    }

    /// The parameters that the contract shows.
    pub(super) fn arguments(&self) -> &'r [DocumentedArgument] {
        self.documented
            .map(|documented| documented.arguments.as_slice())
            .unwrap_or_default()
    }

    pub(super) fn add(
        &mut self,
        place: Place,
        shown: Option<String>,
        sent: Option<String>,
        why: Why,
    ) {
        self.changes.push(Change {
            place,
            shown,
            sent,
            why,
        });
    }

    /// Records the reason for every difference at or below a place.
    pub(super) fn mark(&mut self, pointer: &Pointer, why: Why) {
        if self.shows_body() {
            self.marks.push((pointer.clone(), why));
        }
    }

    /// Begins a stage.
    pub(super) fn begin(&mut self, body: &Node) {
        if self.shows_body() {
            self.before = Some(body.clone());
        }
    }

    /// Ends a stage: records the reason for everything that changed since it began.
    pub(super) fn end(&mut self, body: &Node, why: &Why) {
        if let Some(before) = self.before.take() {
            let mut places = Vec::new();
            differing(&before, body, &Pointer::root(), &mut places);
            let marks = places.into_iter().map(|place| (place, why.clone()));
            self.marks.extend(marks);
        }
    }

    /// Adds every difference between the documented body and `sent`. `concealed` makes a copy
    /// without secrets; a value that the copy lacks is shown as `hidden`.
    pub(super) fn body(
        &mut self,
        sent: &Node,
        otherwise: &Why,
        hidden: &str,
        concealed: impl Fn(&Node) -> Node,
    ) {
        let Some(shown) = self
            .documented
            .and_then(|documented| documented.body.as_ref())
        else {
            return;
        };
        let mut places = Vec::new();
        differing(shown, sent, &Pointer::root(), &mut places);
        if places.is_empty() {
            return;
        }
        let (shown_as, sent_as) = (concealed(shown), concealed(sent));
        let text = |raw: &Node, shown: &Node, at: &Pointer| {
            raw.at(at)?;
            let shown = shown.at(at).map(value::plain);
            Some(shown.unwrap_or_else(|| hidden.to_owned()))
        };
        for place in places {
            let is_there =
                |(item, _): &&(Pointer, Why)| item.is_within(&place) || place.is_within(item);
            let marked = self.marks.iter().rev().find(is_there);
            let why = marked.map_or(otherwise, |(_, why)| why).clone();
            self.changes.push(Change {
                shown: text(shown, &shown_as, &place),
                sent: text(sent, &sent_as, &place),
                place: Place::Body(place),
                why,
            });
        }
    }

    pub(super) fn finish(self) -> Vec<Change> {
        self.changes
    }
}

/// The places at which two values differ, each as deep as possible.
fn differing(one: &Node, other: &Node, at: &Pointer, places: &mut Vec<Pointer>) {
    match (&one.value, &other.value) {
        (Value::Mapping(left), Value::Mapping(right)) => {
            for (key, value) in left.iter() {
                match right.get(key) {
                    Some(other) => differing(value, other, &at.join(key), places),
                    None => places.push(at.join(key)),
                }
            }
            let added = right.iter().filter(|(key, _)| !left.contains(key));
            places.extend(added.map(|(key, _)| at.join(key)));
        }
        (Value::Sequence(left), Value::Sequence(right)) => {
            for index in 0..left.len().max(right.len()) {
                let place = at.join(index.to_string());
                match (left.get(index), right.get(index)) {
                    (Some(one), Some(other)) => differing(one, other, &place, places),
                    _ => places.push(place),
                }
            }
        }
        _ if one.same_value(other) => {}
        _ => places.push(at.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_have_the_deepest_places() {
        for (one, other, expected) in [
            (
                r#"{"a":1,"b":{"c":[1,2]}}"#,
                r#"{"a":1,"b":{"c":[1,3]}}"#,
                "/b/c/1",
            ),
            (r#"{"a":1}"#, r#"{"b":1}"#, "/a /b"),
            (r#"{"a":[1]}"#, r#"{"a":[1,2]}"#, "/a/1"),
            (r#"{"a":1}"#, r#"{"a":1}"#, ""),
            (r#"{"a":{}}"#, r#"{"a":1}"#, "/a"),
        ] {
            let read = |text| openapi_document::json::read_text(text).unwrap();
            let mut places = Vec::new();
            differing(&read(one), &read(other), &Pointer::root(), &mut places);
            let places: Vec<&str> = places.iter().map(Pointer::as_str).collect();
            assert_eq!(places.join(" "), expected, "{one} {other}");
        }
    }
}
