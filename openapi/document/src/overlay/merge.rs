//! Merge: merges one value into another.

use super::{NOT_APPLICABLE, Problem};
use crate::diagnostic::Diagnostic;
use crate::node::{Mapping, Node, Value};

/// The kind of a value, which decides how it is merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Object,
    Array,
    Primitive,
}

impl Kind {
    pub(super) fn of(node: &Node) -> Self {
        match node.value {
            Value::Mapping(_) => Self::Object,
            Value::Sequence(_) => Self::Array,
            _ => Self::Primitive,
        }
    }
}

/// Merges a value into a selected node. A value that is no array is appended to an array.
pub(super) fn into_node(target: &mut Node, value: &Node) -> Result<(), Problem> {
    match &mut target.value {
        Value::Sequence(items) if Kind::of(value) != Kind::Array => {
            items.push(value.clone());
            Ok(())
        }
        _ => into_property(target, value),
    }
}

/// Merges two values of one kind: objects by property, arrays by concatenation.
fn into_property(target: &mut Node, value: &Node) -> Result<(), Problem> {
    let (was, is) = (target.type_name(), value.type_name());
    let both = [Kind::of(target), Kind::of(value)];
    match (&mut target.value, &value.value) {
        (Value::Mapping(target), Value::Mapping(value)) => into_object(target, value),
        (Value::Sequence(items), Value::Sequence(more)) => {
            items.extend(more.iter().cloned());
            Ok(())
        }
        _ if both == [Kind::Primitive; 2] => {
            *target = value.clone();
            Ok(())
        }
        _ => {
            let title = format!("the overlay's {is} cannot be merged into the document's {was}");
            let problem = Diagnostic::error(NOT_APPLICABLE, title).at(value.span, "this");
            let problem = problem.also(target.span, "into this");
            Err(problem
                .help("remove the old value in an action before this one")
                .into())
        }
    }
}

fn into_object(target: &mut Mapping, value: &Mapping) -> Result<(), Problem> {
    for entry in &value.entries {
        let mut known = target.entries.iter_mut();
        match known.find(|known| known.key == entry.key) {
            Some(known) => into_property(&mut known.value, &entry.value)?,
            None => target.entries.push(entry.clone()),
        }
    }
    Ok(())
}
