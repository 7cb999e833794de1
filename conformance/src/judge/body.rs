//! A body beside its documented example and its schema: what is missing, what is too much, and how
//! values are written.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use openapi_document::node::Entry;
use openapi_document::view::{Located, Location, MediaType, Operation, Response, Status};
use openapi_document::{Level, Mapping, Node, Pointer, Value};
use openapi_facts::Evidence;
use openapi_facts::rule::PagingRole;

use super::{Findings, items, style};
use crate::because::Because;
use crate::case::{Argument, Step};
use crate::checks;
use crate::compose;
use crate::level::Examples;
use crate::model;
use crate::names::{self, is_moving_word};
use crate::prose;
use crate::shape::Shape;
use crate::value;

/// Compares a body with the step's example.
pub(super) fn compare<'d>(
    findings: &mut Findings<'_, 'd>,
    step: &Step<'d>,
    body: &Node,
    schema: Option<&Located<'d>>,
    level: Level,
) {
    let shape = Shape::of(findings.contract.document, schema);
    let examples: Vec<&'d Node> = step.expected.example.into_iter().collect();
    let place = Place {
        pointer: Pointer::root(),
        level: shape.level().unwrap_or(level),
        shape,
    };
    let mut walk = Walk {
        findings,
        is_final: step.flow.is_final,
        is_list: is_list(&step.operation),
        is_other: false,
        step,
        others: OnceCell::new(),
        cause: cause(step),
        arrays: arrays(step, body),
        request: step.expected.request_example,
    };
    walk.value(&place, body, &examples);
}

/// The other examples of an answer, where requests go with them by name.
fn others<'d>(step: &Step<'d>) -> Vec<&'d Node> {
    let (Some(media), Some(own), Some(request)) = (
        &step.expected.media,
        step.expected.example,
        step.expected.request_example,
    ) else {
        return Vec::new();
    };
    let content = step.operation.request_body().map(|own| own.content());
    let sent: Vec<_> = content
        .iter()
        .flatten()
        .flat_map(MediaType::examples)
        .collect();
    let asked = |key: &str| {
        let mut sent = sent.iter();
        sent.find(|own| own.key == key).map(|own| own.value.node)
    };
    let all = media.examples().into_iter();
    let others = all.filter(|other| {
        let is_other = !std::ptr::eq(other.value.node, own);
        is_other && asked(other.key).is_some_and(|other| flags_differ(request, other))
    });
    others.map(|other| other.value.node).collect()
}

/// What an array has that the example has items in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrays {
    /// Items, too.
    Shown,
    /// Items or none.
    Any,
}

fn arrays(step: &Step<'_>, body: &Node) -> Arrays {
    if may_be_empty(step) || is_of_other_code(step, body) {
        Arrays::Any
    } else {
        Arrays::Shown
    }
}

/// Whether an array that the example has items in may be empty: in a refusal that other operations share, whose
/// example is that of another cause, and in a list that was asked for some of its records.
fn may_be_empty(step: &Step<'_>) -> bool {
    let response = step.expected.response.as_ref();
    if cause(step) == Cause::Any {
        let responses = step.operation.at.node.get("responses");
        let mut all = responses.into_iter().flat_map(Node::entries);
        let own =
            all.find(|own| response.is_some_and(|own_of| own.key == own_of.status.to_string()));
        return own.is_some_and(|own| own.value.reference().is_some());
    }
    let asks = |own: &Argument<'_>| {
        own.location == Location::Query && PagingRole::of_name(&own.name).is_none()
    };
    is_list(&step.operation) && step.request.arguments.iter().any(asks)
}

/// Whether a refusal has another code than its example: what goes with that may be nothing of this one.
fn is_of_other_code(step: &Step<'_>, body: &Node) -> bool {
    fn code(node: &Node) -> Option<&str> {
        let mut own = node.entries();
        let is_code = |name: &str| names::words(name).last().is_some_and(|own| own == "code");
        own.find_map(|own| match &own.value.value {
            Value::String(text) if is_code(&own.key) => Some(text.as_str()),
            Value::Mapping(_) => code(&own.value),
            _ => None,
        })
    }
    let is_refusal = step.expected.response.as_ref().is_some_and(refuses);
    let shown = step.expected.example.and_then(code);
    is_refusal && shown.is_some() && code(body) != shown
}

/// Whether the text of an array says that it may have no items.
fn is_said_to_be_empty(array: &Shape<'_>) -> bool {
    let text = array.keyword("description").and_then(Node::as_str);
    let mut said = prose::spoken(text.unwrap_or_default()).into_iter();
    said.any(|words| prose::has(&words, &["empty"]) && !prose::has(&words, &["not", "never"]))
}

/// What an answer is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// What its example shows.
    Shown,
    /// It is a refusal that its request goes with no example of.
    Any,
}

fn cause(step: &Step<'_>) -> Cause {
    let is_paired = step.expected.request_example.is_some() && step.request.spoil.is_none();
    let is_refusal = step.expected.response.as_ref().is_some_and(refuses);
    if is_refusal && !is_paired {
        Cause::Any
    } else {
        Cause::Shown
    }
}

fn refuses(response: &Response<'_>) -> bool {
    match response.status {
        Status::Code(code) => code >= 400,
        Status::Range(digit) => digit >= 4,
        Status::Default => false,
    }
}

/// Whether a flag decides between two requests; of amounts and names nothing tells what they decide.
fn flags_differ(one: &Node, other: &Node) -> bool {
    let differs = |one: &Node, other: &Node| {
        one.entries().any(|own| {
            let flag = own.value.as_bool();
            flag.is_some() && other.get(&own.key).and_then(Node::as_bool) != flag
        })
    };
    differs(one, other) || differs(other, one)
}

/// Whether what is answered has records that others have made: a reading that names none of them.
fn is_list(operation: &Operation<'_>) -> bool {
    operation.method.is_safe() && !model::names_one(operation.path)
}

/// A place in a body.
pub(super) struct Place<'d> {
    pub(super) pointer: Pointer,
    pub(super) level: Level,
    pub(super) shape: Shape<'d>,
}

impl<'d> Place<'d> {
    /// The place one step down.
    pub(super) fn child(&self, findings: &Findings<'_, 'd>, parent: &Node, segment: &str) -> Self {
        let shape = self
            .shape
            .child(findings.contract.document, parent, segment);
        Self {
            pointer: self.pointer.join(segment),
            level: shape.level().unwrap_or(self.level),
            shape,
        }
    }

    /// A value of this place as it may be shown.
    pub(super) fn show(&self, findings: &Findings<'_, 'd>, node: &Node) -> String {
        let mut shown = node.clone();
        let document = findings.contract.document;
        compose::conceal(document, &mut shown, &self.shape, &mut Vec::new());
        value::excerpt(&shown.to_json())
    }
}

/// Whether a part of a refusal has a listed property that no documented one has: the `parameter` that is at fault in the place of a
/// `pointer`.
fn has_another(shape: &Shape<'_>, actual: &Mapping, examples: &[&Node]) -> bool {
    let listed = shape.property_names();
    let mut keys = actual.iter().map(|(key, _)| key);
    keys.any(|key| listed.contains(&key) && examples.iter().all(|own| own.get(key).is_none()))
}

/// Whether a property of this name is somewhere written in another style than that of milliseconds.
fn shows_another_style(node: &Node, name: &str) -> bool {
    let is_other = |entry: &Entry| {
        let text = entry.value.as_str();
        entry.key == name && text.is_some_and(|text| !style::is_utc_with_milliseconds(text))
    };
    let mut entries = node.entries();
    entries.any(|entry| is_other(entry) || shows_another_style(&entry.value, name))
        || node.items().any(|item| shows_another_style(item, name))
}

struct Walk<'w, 'j, 'd> {
    findings: &'w mut Findings<'j, 'd>,
    is_final: bool,
    /// Whether items of an array are records that the documented ones do not stand for.
    is_list: bool,
    /// Within an item of an array that no single documented item stands for: it may well be another
    /// record, whose own arrays may be empty.
    is_other: bool,
    step: &'w Step<'d>,
    /// What the answers to other requests look like, once it is asked for.
    others: OnceCell<Vec<&'d Node>>,
    /// It is a refusal: what need not be there, and is not in another one, is of some causes only.
    cause: Cause,
    /// Whether an array may be empty where the example has items.
    arrays: Arrays,
    /// The example of the request.
    request: Option<&'d Node>,
}

impl<'d> Walk<'_, '_, 'd> {
    /// `examples` are all documented values of this place: more than one where arrays are above.
    fn value(&mut self, place: &Place<'d>, actual: &Node, examples: &[&'d Node]) {
        match &actual.value {
            Value::Mapping(mapping) => self.object(place, actual, mapping, examples),
            Value::Sequence(items) => self.array(place, actual, items, examples),
            _ => {}
        }
        // Of documented values of several types the one of this type is the one to look like.
        let like = |own: &&&Node| own.type_name() == actual.type_name();
        let example = examples.iter().find(like).or(examples.first()).copied();
        let fault = style::fault(&place.shape, actual, example);
        let fault = fault.filter(|fault| {
            fault.evidence == Evidence::Stated || self.is_shown_style(place, fault)
        });
        if let Some(fault) = fault {
            self.add(place, &fault, actual, example);
            return;
        }
        if let [example] = examples
            && !actual.same_value(example)
        {
            let is_known = !place.shape.known_values().is_empty();
            let compared = self.is_final && (is_known || example.as_bool().is_some());
            let is_mistaken = self.is_of_another(place, actual, example);
            if compared || is_mistaken {
                let fault = style::Fault {
                    check: &checks::FINAL_VALUE,
                    evidence: Evidence::Shown,
                    expected: place.show(self.findings, example),
                };
                self.add(place, &fault, actual, Some(example));
            }
        }
    }

    /// Whether an example asks for the style in which it writes a value. For a timestamp it does only where examples bind,
    /// and where it writes the property alike everywhere: any form of RFC 3339 fits `date-time`.
    fn is_shown_style(&self, place: &Place<'d>, fault: &style::Fault) -> bool {
        let name = place.pointer.last();
        let (Some(name), true) = (name, fault.check == &checks::TIMESTAMP_STYLE) else {
            return true;
        };
        let example = self.step.expected.example;
        self.findings.weights.examples == Examples::Normative
            && !example.is_some_and(|example| shows_another_style(example, &name))
    }

    /// Whether a value of a closed list is the one that another example of this answer shows, whose request
    /// was another one.
    fn is_of_another(&self, place: &Place<'d>, actual: &Node, example: &Node) -> bool {
        let asked = self.request.and_then(|own| own.at(&place.pointer));
        // What was sent has to come back: another check names that.
        let is_closed = place.shape.keyword("enum").is_some() && asked.is_none();
        let is_at_rest = |own: &Node| own.as_str().is_some_and(|text| !is_moving_word(text));
        is_closed
            && is_at_rest(actual)
            && is_at_rest(example)
            && self
                .others
                .get_or_init(|| others(self.step))
                .iter()
                .any(|other| {
                    let other = other.at(&place.pointer);
                    other.is_some_and(|other| other.same_value(actual))
                })
    }

    fn add(
        &mut self,
        place: &Place<'d>,
        fault: &style::Fault,
        actual: &Node,
        example: Option<&'d Node>,
    ) {
        let texts = (fault.expected.clone(), place.show(self.findings, actual));
        let because = match fault.evidence {
            Evidence::Stated => self.stated(place),
            Evidence::Shown | Evidence::Read => self.shown(place, example),
        };
        self.findings
            .add(fault.check, place.level, &place.pointer, texts, because);
    }

    /// What the schema of a place states.
    fn stated(&self, place: &Place<'d>) -> Because {
        let schema = place.shape.nearest().map(|schema| schema.node);
        let contract = self.findings.contract;
        contract.stated(schema.unwrap_or(&contract.document.root).span)
    }

    /// What the example shows at a place.
    fn shown(&self, place: &Place<'d>, example: Option<&'d Node>) -> Because {
        match example {
            Some(example) => self.findings.contract.shown(example.span),
            None => self.stated(place),
        }
    }

    fn object(
        &mut self,
        place: &Place<'d>,
        actual: &Node,
        mapping: &Mapping,
        examples: &[&'d Node],
    ) {
        if !place.shape.is_map() && !self.is_other {
            self.missing(place, actual, mapping, examples);
        }
        let mut seen = BTreeSet::new();
        for (key, child) in mapping.iter() {
            let below = place.child(self.findings, actual, key);
            if !seen.insert(key) {
                let texts = (format!("the key `{key}` once"), "twice or more".to_owned());
                let because = self.stated(&below);
                self.findings.add(
                    &checks::DUPLICATE_KEY,
                    below.level,
                    &below.pointer,
                    texts,
                    because,
                );
                continue;
            }
            let listed = place.shape.lists_properties() && !place.shape.is_open();
            if listed && below.shape.nearest().is_none() {
                let texts = (
                    "no such property".to_owned(),
                    below.show(self.findings, child),
                );
                let because = self.stated(place);
                self.findings
                    .add_undeclared(place.level, &below.pointer, texts, because);
            }
            let examples: Vec<&'d Node> = examples.iter().filter_map(|own| own.get(key)).collect();
            self.value(&below, child, &examples);
        }
    }

    /// Fields that every documented value of this place has.
    fn missing(
        &mut self,
        place: &Place<'d>,
        actual: &Node,
        mapping: &Mapping,
        examples: &[&'d Node],
    ) {
        let mut objects = examples.iter().filter_map(|own| own.as_mapping());
        let Some(first) = objects.next() else {
            return;
        };
        let others: Vec<&Mapping> = objects.collect();
        for (key, example) in first.iter() {
            let everywhere = others.iter().all(|other| other.contains(key));
            if !everywhere || mapping.contains(key) || place.shape.may_lack(key) {
                continue;
            }
            if self.is_said_to_lack(place, key) {
                continue;
            }
            let may_lack = self.cause == Cause::Any && !place.shape.requires(key);
            if may_lack
                && (has_another(&place.shape, mapping, examples) || self.is_lacked(place, key))
            {
                continue;
            }
            let below = place.child(self.findings, actual, key);
            let texts = (below.show(self.findings, example), "absent".to_owned());
            // What the schema leaves open and no request sets, only an example that binds demands.
            let is_set = (self.request).is_some_and(|own| own.at(&below.pointer).is_some());
            let shown = || self.findings.contract.shown(example.span);
            let (because, level) = match place.shape.requires(key) {
                true => (self.stated(place), below.level),
                false if is_set => (shown(), below.level),
                false => (shown(), self.shown_level(below.level)),
            };
            self.findings.add(
                &checks::FIELD_MISSING,
                level,
                &below.pointer,
                texts,
                because,
            );
        }
    }

    /// The level of what an example alone shows to be there.
    fn shown_level(&self, level: Level) -> Level {
        match self.findings.weights.examples {
            Examples::Normative => level,
            Examples::Illustrative => Level::Proposed,
        }
    }

    /// Whether a text says of a property that need not be there when it is not: `next` is absent on the last page.
    fn is_said_to_lack(&self, place: &Place<'d>, key: &str) -> bool {
        const LACKS: [&str; 8] = [
            "absent", "omitted", "missing", "unless", "only", "if", "when", "not",
        ];
        let text = |shape: &Shape<'d>| shape.keyword("description").and_then(Node::as_str);
        let document = self.findings.contract.document;
        let own = text(&place.shape.property(document, key)).unwrap_or_default();
        let of_whole = text(&place.shape).unwrap_or_default();
        let name = names::words(key);
        let is_named = |words: &Vec<String>| words.windows(name.len()).any(|part| part == name);
        let said = prose::spoken(of_whole).into_iter().filter(is_named);
        let mut said = said.chain(prose::spoken(own));
        let lacks = |words: Vec<String>| {
            prose::has(&words, &["absent", "omitted", "present"]) && prose::has(&words, &LACKS)
        };
        !place.shape.requires(key) && said.any(lacks)
    }

    /// Whether a documented refusal of any operation lacks a property that another one has.
    fn is_lacked(&self, place: &Place<'d>, key: &str) -> bool {
        let operations = self.findings.contract.document.operations().into_iter();
        let responses = operations.flat_map(|own| own.responses()).filter(refuses);
        let content = responses.flat_map(|own| own.content());
        content.flat_map(|own| own.examples()).any(|own| {
            let own = own.value.node.at(&place.pointer).and_then(Node::as_mapping);
            own.is_some_and(|own| !own.contains(key))
        })
    }

    fn array(&mut self, place: &Place<'d>, actual: &Node, items: &[Node], examples: &[&'d Node]) {
        let documented: Vec<&'d Node> = examples.iter().flat_map(|own| own.items()).collect();
        let shows_items = examples.iter().all(|own| own.items().next().is_some());
        if let (true, Some(example)) = (
            items.is_empty()
                && shows_items
                && !self.is_other
                && self.arrays == Arrays::Shown
                && !is_said_to_be_empty(&place.shape),
            documented.first(),
        ) {
            let texts = (
                format!(
                    "items such as {}",
                    place
                        .child(self.findings, actual, "0")
                        .show(self.findings, example)
                ),
                "an empty array".to_owned(),
            );
            let because = self.findings.contract.shown(example.span);
            // What a list has depends on what there is: only an example that binds demands items.
            let level = self.shown_level(place.level);
            self.findings
                .add(&checks::ITEM_MISSING, level, &place.pointer, texts, because);
        }
        let one_to_one = examples.len() == 1 && documented.len() == items.len();
        if one_to_one && (self.is_final || !self.is_list) {
            let stand_for = items::assign(items, &documented);
            for (index, (item, example)) in items.iter().zip(stand_for).enumerate() {
                let below = place.child(self.findings, actual, &index.to_string());
                self.value(&below, item, &[example]);
            }
            return;
        }
        let is_other = std::mem::replace(&mut self.is_other, true);
        for (index, item) in items.iter().enumerate() {
            let below = place.child(self.findings, actual, &index.to_string());
            self.value(&below, item, &documented);
        }
        self.is_other = is_other;
        if !is_other {
            self.lacking(place, actual, items, &documented);
        }
    }

    /// What no item has that all documented items have. One record alone may lack what another has.
    fn lacking(&mut self, place: &Place<'d>, actual: &Node, items: &[Node], shown: &[&'d Node]) {
        let document = self.findings.contract.document;
        for group in items::groups(document, &place.shape, items, shown) {
            let below = place.child(self.findings, actual, &group.first.to_string());
            self.absent(&below, &group.whole, &group.shown);
        }
    }

    fn absent(&mut self, place: &Place<'d>, whole: &Node, examples: &[&'d Node]) {
        let Some(mapping) = whole.as_mapping() else {
            return;
        };
        if place.shape.is_map() {
            return;
        }
        self.missing(place, whole, mapping, examples);
        for (key, child) in mapping.iter() {
            let below = place.child(self.findings, whole, key);
            let examples: Vec<&'d Node> = examples.iter().filter_map(|own| own.get(key)).collect();
            self.absent(&below, child, &examples);
        }
    }
}
