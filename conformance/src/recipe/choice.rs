//! Choice: a value for the creating request that leaves a later step possible.
//!
//! Example: `capture: false` before a capture.

use openapi_document::{Node, Pointer, Value};

use crate::model::{Call, Model};
use crate::names;
use crate::prose;
use crate::shape::Shape;
use crate::value;

/// A property of the creating request's body, and its value.
pub(super) type Choice = (Pointer, Node);

/// At most this many values of an enumeration are tried.
const MOST: usize = 3;

/// The values to try in the creating request, for properties named like the step and counts that may be zero.
pub(super) fn choices<'d>(model: &Model<'d>, creator: &Call<'d>, call: &Call<'d>) -> Vec<Choice> {
    let last = call.operation.stem().rsplit('/').next().unwrap_or_default();
    if last.starts_with('{') || creator.operation.stem().ends_with(last) {
        return Vec::new();
    }
    let steps = names::words(last);
    let shape = Shape::of(model.document, creator.body.as_ref());
    let is_of_step = |name: &&str| {
        let mut words = names::words(name).into_iter();
        words.any(|word| {
            let is_step = |step: &String| word == *step || names::is_done(&word, step);
            steps.iter().any(is_step)
        })
    };
    let of_step = shape.property_names().into_iter().filter(is_of_step);
    let choices = of_step.flat_map(|name| {
        let property = shape.property(model.document, name);
        let pointer = Pointer::root().join(name);
        values(&property)
            .into_iter()
            .map(move |item| (pointer.clone(), item))
    });
    choices.chain(nothing_of(model, creator)).collect()
}

/// The value 0 for counts whose text mentions it: `0 means no trial`.
fn nothing_of<'d>(model: &Model<'d>, creator: &Call<'d>) -> Vec<Choice> {
    let shape = Shape::of(model.document, creator.body.as_ref());
    let spoken = creator.spoken();
    let is_stated = |name: &&str| {
        let property = shape.property(model.document, name);
        let text = property.keyword("description").and_then(Node::as_str);
        let in_description = prose::spoken(text.unwrap_or_default());
        let words = names::words(name);
        let names_it =
            |name_words: &&Vec<String>| name_words.windows(words.len()).any(|part| part == words);
        let mut said = in_description.iter().chain(spoken.iter().filter(names_it));
        let least = property.keyword("minimum").and_then(Node::as_u64);
        let is_number = property.type_name() == Some("integer") && least == Some(0);
        is_number
            && !shape.requires(name)
            && said.any(|sentence| prose::has(sentence, &["0", "zero"]))
    };
    let names = shape.property_names().into_iter().filter(is_stated);
    let nothing = names.map(|name| (Pointer::root().join(name), value::number(0)));
    nothing.take(MOST).collect()
}

fn values(property: &Shape<'_>) -> Vec<Node> {
    let default = property.keyword("default");
    let is_other = |node: &Node| default.is_none_or(|default| !default.same_value(node));
    let values: Vec<Node> = match property.type_name() {
        Some("boolean") => [false, true]
            .into_iter()
            .map(|item| value::node(Value::Bool(item)))
            .collect(),
        _ => property
            .known_values()
            .into_iter()
            .map(value::string)
            .collect(),
    };
    values.into_iter().filter(is_other).take(MOST).collect()
}
