//! Finds records that an example names and the run did not create.

use openapi_document::view::Location;
use openapi_document::{Node, Pointer};

use crate::case::{ArgumentValue, Step};
use crate::exchange::Sent;
use crate::model::{Model, collection};
use crate::names;
use crate::value;

/// The property that names another record and still has the example's value in the sent request.
/// The run did not create that record, so the server need not have it.
pub(super) fn missing_record(
    model: &Model<'_>,
    step: &Step<'_>,
    sent: Option<&Sent>,
) -> Option<String> {
    let example = step.expected.request_example?;
    let mut named = Vec::new();
    references(example, &Pointer::root(), &mut named);
    let is_kept = |pointer: &Pointer| {
        let Some(sent) = sent.and_then(|sent| sent.json.as_ref()) else {
            return true;
        };
        let pair = sent.at(pointer).zip(example.at(pointer));
        pair.is_some_and(|(sent, shown)| sent.same_value(shown))
    };
    let mut kept = named.into_iter().filter(|(_, pointer)| is_kept(pointer));
    let (name, _) = kept.find(|(name, _)| is_kind(model, name))?;
    Some(name)
}

/// The path parameter that still has its example's value.
pub(super) fn missing_record_in_path(step: &Step<'_>, sent: Option<&Sent>) -> Option<String> {
    let arguments = step.request.arguments.iter();
    let mut in_path = arguments.filter(|argument| argument.location == Location::Path);
    let kept = in_path.find(|argument| {
        let ArgumentValue::Example(shown) = &argument.value else {
            return false;
        };
        let mut arguments = sent.iter().flat_map(|sent| &sent.path_arguments);
        let sent = arguments.find(|(name, _)| *name == argument.name);
        sent.is_none_or(|(_, sent)| *sent == value::plain(shown))
    })?;
    Some(kept.name.clone())
}

/// The properties that hold keys of other records, with their places.
pub(super) fn references(node: &Node, at: &Pointer, found: &mut Vec<(String, Pointer)>) {
    for entry in node.entries() {
        let at = at.join(entry.key.as_str());
        let is_value = entry.value.as_str().is_some() || entry.value.as_number().is_some();
        if is_value && names::subject(&entry.key).is_some_and(|subject| !subject.is_empty()) {
            found.push((entry.key.clone(), at.clone()));
        }
        // A resource identifier object of JSON:API.
        if let Some(linkage) = entry.value.get("data") {
            let kind = linkage.get("type").and_then(Node::as_str);
            if let Some(kind) = kind.filter(|_| linkage.get("id").is_some()) {
                let name = format!("{} id", names::singular(kind));
                found.push((name, at.join("data").join("id")));
            }
        }
        references(&entry.value, &at, found);
    }
    for (index, item) in node.items().enumerate() {
        references(item, &at.join(index.to_string()), found);
    }
}

/// Whether a name is the key of a kind of record in the interface.
fn is_kind(model: &Model<'_>, name: &str) -> bool {
    let Some(subject) = names::subject(name) else {
        return false;
    };
    model.calls.iter().any(|call| {
        let kind = call.record().map(|record| record.name.clone());
        kind.as_ref() == Some(&subject)
            || names::singular(collection(call.operation.path)).to_lowercase() == subject
    })
}
