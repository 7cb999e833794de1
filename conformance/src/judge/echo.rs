//! Compares values that the server repeats: in the same answer, and in later readings.

use std::collections::BTreeMap;

use openapi_document::view::{Located, MediaType};
use openapi_document::{Level, Node, Pointer};

use super::Findings;
use super::body::Place;
use crate::case::Step;
use crate::checks;
use crate::exchange::{Answer, Exchange, Sent};
use crate::shape::Shape;
use crate::value;

/// What earlier steps of a script wrote: the id of a record → the properties that came back as
/// sent.
#[derive(Debug, Default)]
pub struct History {
    written: BTreeMap<String, BTreeMap<Pointer, Node>>,
}

impl History {
    /// Records what a step wrote, and how later answers changed it.
    pub fn record(&mut self, step: &Step<'_>, exchange: &Exchange) {
        let (Ok(answer), false) = (&exchange.outcome, step.operation.method.is_safe()) else {
            return;
        };
        let (true, Some(body)) = (answer.is_success(), answer.json()) else {
            return;
        };
        let Some(id) = body.get("id") else { return };
        let fields = self.written.entry(id.to_json()).or_default();
        for (pointer, known) in fields.iter_mut() {
            if let Some(now) = body.at(pointer) {
                *known = now.clone();
            }
        }
        for pointer in echoed(step, &exchange.sent) {
            if let Some(now) = body.at(&pointer) {
                fields.insert(pointer, now.clone());
            }
        }
    }
}

/// Compares the answer with the request wherever the documented pair shows the same value.
pub(super) fn echo<'d>(
    findings: &mut Findings<'_, 'd>,
    step: &Step<'d>,
    exchange: &Exchange,
    body: &Node,
    schema: Option<&Located<'d>>,
    level: Level,
) {
    if !exchange.outcome.as_ref().is_ok_and(Answer::is_success) {
        return;
    }
    let expected: Vec<(Pointer, Node)> = match &exchange.sent.json {
        Some(sent) => {
            let value = |pointer: Pointer| Some((pointer.clone(), sent.at(&pointer)?.clone()));
            echoed(step, &exchange.sent)
                .into_iter()
                .filter_map(value)
                .collect()
        }
        None => Vec::new(),
    };
    let in_path = path_echoes(step, &exchange.sent);
    for (pointer, sent) in expected.into_iter().chain(in_path) {
        let actual = body.at(&pointer);
        let same = actual.is_some_and(|actual| actual.same_value(&sent));
        if same || findings.has(&pointer) {
            continue;
        }
        let place = place(findings, body, schema, level, &pointer);
        let is_time = place.shape.format() == Some("date-time");
        if is_time && actual.is_some_and(|actual| value::is_equal(&sent, actual)) {
            continue;
        }
        let actual = actual.map_or_else(|| "absent".to_owned(), |item| place.show(findings, item));
        let texts = (format!("{} as sent", place.show(findings, &sent)), actual);
        let example = step
            .expected
            .example
            .map(|example| nearest(example, &pointer));
        let shown = example.unwrap_or(step.operation.at.node);
        let because = findings.contract.shown(shown.span);
        findings.add(&checks::ECHO, place.level, &pointer, texts, because);
    }
}

/// The node of the example at a pointer, or its nearest ancestor.
fn nearest<'n>(example: &'n Node, pointer: &Pointer) -> &'n Node {
    let mut here = example;
    for segment in pointer.segments() {
        match here.child(&segment) {
            Some(child) => here = child,
            None => return here,
        }
    }
    here
}

fn place<'d>(
    findings: &Findings<'_, 'd>,
    body: &Node,
    schema: Option<&Located<'d>>,
    level: Level,
    pointer: &Pointer,
) -> Place<'d> {
    let shape = Shape::of(findings.contract.document, schema);
    let mut place = Place {
        pointer: Pointer::root(),
        level: shape.level().unwrap_or(level),
        shape,
    };
    let mut node = Some(body);
    for segment in pointer.segments() {
        place = place.child(findings, node.unwrap_or(body), &segment);
        node = node.and_then(|node| node.child(&segment));
    }
    place
}

/// The pointers of sent values that the documented pair shows in the answer too.
fn echoed(step: &Step<'_>, sent: &Sent) -> Vec<Pointer> {
    let mut found = Vec::new();
    let expected = (step.expected.request_example, step.expected.example);
    if let ((Some(request), Some(response)), Some(sent)) = (expected, &sent.json) {
        pairs(request, response, sent, &Pointer::root(), &mut found);
    }
    found
}

fn pairs(
    request: &Node,
    response: &Node,
    sent: &Node,
    pointer: &Pointer,
    found: &mut Vec<Pointer>,
) {
    if request.same_value(response) {
        leaves(sent, pointer, found);
        return;
    }
    let children: Vec<String> = match request.as_sequence() {
        Some(items) => (0..items.len()).map(|index| index.to_string()).collect(),
        None => request.entries().map(|entry| entry.key.clone()).collect(),
    };
    for segment in children {
        let three = (
            request.child(&segment),
            response.child(&segment),
            sent.child(&segment),
        );
        if let (Some(request), Some(response), Some(sent)) = three {
            pairs(request, response, sent, &pointer.join(segment), found);
        }
    }
}

fn leaves(node: &Node, pointer: &Pointer, found: &mut Vec<Pointer>) {
    for (index, item) in node.items().enumerate() {
        leaves(item, &pointer.join(index.to_string()), found);
    }
    for entry in node.entries() {
        leaves(&entry.value, &pointer.join(entry.key.as_str()), found);
    }
    if node.as_sequence().is_none() && node.as_mapping().is_none() {
        found.push(pointer.clone());
    }
}

/// The path arguments that the documented pair shows in the answer as a property of the same name.
fn path_echoes(step: &Step<'_>, sent: &Sent) -> Vec<(Pointer, Node)> {
    let mut found = Vec::new();
    for (name, example) in &step.expected.path_examples {
        let documented = step
            .expected
            .example
            .and_then(|response| response.get(name));
        let argument = sent
            .path_arguments
            .iter()
            .find(|(candidate, _)| candidate == name);
        if let (Some(documented), Some((_, text))) = (documented, argument)
            && documented.as_str().is_some()
            && documented.same_value(example)
        {
            found.push((Pointer::root().join(name.as_str()), value::string(text)));
        }
    }
    found
}

/// Compares a later reading with the values written under the same id.
pub(super) fn read_back<'d>(
    findings: &mut Findings<'_, 'd>,
    step: &Step<'d>,
    answer: &Answer,
    history: &History,
) {
    let body = answer
        .json()
        .filter(|_| step.operation.method.is_safe() && answer.is_success());
    let Some(body) = body else { return };
    let written = body
        .get("id")
        .and_then(|id| history.written.get(&id.to_json()));
    let schema = step.expected.media.as_ref().and_then(MediaType::schema);
    let response = step.expected.response.as_ref();
    let level = response.map_or(Level::Documented, |item| item.level(step.operation.level()));
    for (pointer, expected) in written.into_iter().flatten() {
        let Some(actual) = body.at(pointer) else {
            continue;
        };
        if actual.same_value(expected) || findings.has(pointer) {
            continue;
        }
        let place = place(findings, body, schema.as_ref(), level, pointer);
        let texts = (
            format!("{} as written before", place.show(findings, expected)),
            place.show(findings, actual),
        );
        let example = step
            .expected
            .example
            .map(|example| nearest(example, pointer));
        let shown = example.unwrap_or(step.operation.at.node);
        let because = findings.contract.shown(shown.span);
        findings.add(&checks::READ_BACK, place.level, pointer, texts, because);
    }
}
