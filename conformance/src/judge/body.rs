//! Compares a body with its documented example: missing and undeclared properties, and how values
//! are written.

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

/// The other examples of the answer, when request examples select them by key.
fn others<'d>(step: &Step<'d>) -> Vec<&'d Node> {
    let (Some(media), Some(expected), Some(request)) = (
        &step.expected.media,
        step.expected.example,
        step.expected.request_example,
    ) else {
        return Vec::new();
    };
    let content = step.operation.request_body().map(|body| body.content());
    let sent: Vec<_> = content
        .iter()
        .flatten()
        .flat_map(MediaType::examples)
        .collect();
    let sent_for = |key: &str| {
        let mut sent = sent.iter();
        sent.find(|entry| entry.key == key)
            .map(|key| key.value.node)
    };
    let all = media.examples().into_iter();
    let others = all.filter(|other| {
        let is_other = !std::ptr::eq(other.value.node, expected);
        is_other && sent_for(other.key).is_some_and(|other| flags_differ(request, other))
    });
    others.map(|other| other.value.node).collect()
}

/// What an array must contain where the example has items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrays {
    /// At least one item.
    Shown,
    /// Any number of items.
    Any,
}

fn arrays(step: &Step<'_>, body: &Node) -> Arrays {
    if may_be_empty(step) || is_of_other_code(step, body) {
        Arrays::Any
    } else {
        Arrays::Shown
    }
}

/// Whether an array with documented items may be empty: in a refusal that operations share, whose
/// example belongs to another cause, and in a filtered list.
fn may_be_empty(step: &Step<'_>) -> bool {
    let response = step.expected.response.as_ref();
    if cause(step) == Cause::Any {
        let responses = step.operation.at.node.get("responses");
        let mut all = responses.into_iter().flat_map(Node::entries);
        let declared = all.find(|entry| {
            response.is_some_and(|expected| entry.key == expected.status.to_string())
        });
        return declared.is_some_and(|item| item.value.reference().is_some());
    }
    let asks = |argument: &Argument<'_>| {
        argument.location == Location::Query && PagingRole::of_name(&argument.name).is_none()
    };
    is_list(&step.operation) && step.request.arguments.iter().any(asks)
}

/// Whether a refusal has another code than its example, so that the example's other values need not
/// fit.
fn is_of_other_code(step: &Step<'_>, body: &Node) -> bool {
    fn code(node: &Node) -> Option<&str> {
        let mut entries = node.entries();
        let is_code = |name: &str| names::words(name).last().is_some_and(|name| name == "code");
        entries.find_map(|entry| match &entry.value.value {
            Value::String(text) if is_code(&entry.key) => Some(text.as_str()),
            Value::Mapping(_) => code(&entry.value),
            _ => None,
        })
    }
    let is_refusal = step.expected.response.as_ref().is_some_and(refuses);
    let shown = step.expected.example.and_then(code);
    is_refusal && shown.is_some() && code(body) != shown
}

/// Whether the description of an array says that it may be empty.
fn may_be_empty_by_description(array: &Shape<'_>) -> bool {
    let text = array.keyword("description").and_then(Node::as_str);
    let mut sentences = prose::spoken(text.unwrap_or_default()).into_iter();
    sentences.any(|words| prose::has(&words, &["empty"]) && !prose::has(&words, &["not", "never"]))
}

/// How an answer relates to its example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// The answer has the cause that its example shows.
    Shown,
    /// The answer is a refusal that its request has no example of.
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

/// Whether two requests have different booleans. Only booleans count, because nothing shows what
/// other values decide.
fn flags_differ(one: &Node, other: &Node) -> bool {
    let differs = |one: &Node, other: &Node| {
        one.entries().any(|entry| {
            let flag = entry.value.as_bool();
            flag.is_some() && other.get(&entry.key).and_then(Node::as_bool) != flag
        })
    };
    differs(one, other) || differs(other, one)
}

/// Whether the answer may contain records of other clients: a safe operation whose path names no
/// record.
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
    /// The place of a direct child.
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

    /// A value of this place without secrets, in short.
    pub(super) fn show(&self, findings: &Findings<'_, 'd>, node: &Node) -> String {
        let mut shown = node.clone();
        let document = findings.contract.document;
        compose::conceal(document, &mut shown, &self.shape, &mut Vec::new());
        value::excerpt(&shown.to_json())
    }
}

/// Whether a refusal has a declared property that no example has, such as `parameter` instead of
/// `pointer`.
fn has_another(shape: &Shape<'_>, actual: &Mapping, examples: &[&Node]) -> bool {
    let listed = shape.property_names();
    let mut keys = actual.iter().map(|(key, _)| key);
    keys.any(|key| {
        listed.contains(&key) && examples.iter().all(|example| example.get(key).is_none())
    })
}

/// Whether the example has a property with this name in another form than UTC with milliseconds.
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
    /// Whether array items may be records that the example does not show.
    is_list: bool,
    /// Whether the walk is within an array item without a documented counterpart, whose arrays may
    /// be empty.
    is_other: bool,
    step: &'w Step<'d>,
    /// The examples of answers to other requests, computed on first use.
    others: OnceCell<Vec<&'d Node>>,
    /// How the answer relates to its example. Optional properties of a refusal may belong to other
    /// causes.
    cause: Cause,
    /// Whether an array may be empty where the example has items.
    arrays: Arrays,
    /// The example of the request.
    request: Option<&'d Node>,
}

impl<'d> Walk<'_, '_, 'd> {
    /// Compares a value. `examples` are all documented values of this place; arrays above it can
    /// give several.
    fn value(&mut self, place: &Place<'d>, actual: &Node, examples: &[&'d Node]) {
        match &actual.value {
            Value::Mapping(mapping) => self.object(place, actual, mapping, examples),
            Value::Sequence(items) => self.array(place, actual, items, examples),
            _ => {}
        }
        // Compares with the example of the same JSON type, if there is one.
        let like = |node: &&&Node| node.type_name() == actual.type_name();
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

    /// Whether the example requires the form of its value. For a timestamp it does only when
    /// examples bind and the property has the same form everywhere, because `date-time` allows
    /// every form of RFC 3339.
    fn is_shown_style(&self, place: &Place<'d>, fault: &style::Fault) -> bool {
        let name = place.pointer.last();
        let (Some(name), true) = (name, fault.check == &checks::TIMESTAMP_STYLE) else {
            return true;
        };
        let example = self.step.expected.example;
        self.findings.weights.examples == Examples::Normative
            && !example.is_some_and(|example| shows_another_style(example, &name))
    }

    /// Whether a value of a closed list is the one in another example of this answer, which belongs
    /// to another request.
    fn is_of_another(&self, place: &Place<'d>, actual: &Node, example: &Node) -> bool {
        let sent = self.request.and_then(|request| request.at(&place.pointer));
        // The check `echo` compares values that the request contains.
        let is_closed = place.shape.keyword("enum").is_some() && sent.is_none();
        let is_at_rest = |node: &Node| node.as_str().is_some_and(|text| !is_moving_word(text));
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

    /// The schema of a place, as a reason.
    fn stated(&self, place: &Place<'d>) -> Because {
        let schema = place.shape.nearest().map(|schema| schema.node);
        let contract = self.findings.contract;
        contract.stated(schema.unwrap_or(&contract.document.root).span)
    }

    /// The example at a place, as a reason.
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
            let examples: Vec<&'d Node> = examples
                .iter()
                .filter_map(|example| example.get(key))
                .collect();
            self.value(&below, child, &examples);
        }
    }

    /// Reports properties that every example of this place has and the body lacks.
    fn missing(
        &mut self,
        place: &Place<'d>,
        actual: &Node,
        mapping: &Mapping,
        examples: &[&'d Node],
    ) {
        let mut objects = examples.iter().filter_map(|example| example.as_mapping());
        let Some(first) = objects.next() else {
            return;
        };
        let others: Vec<&Mapping> = objects.collect();
        for (key, example) in first.iter() {
            let everywhere = others.iter().all(|other| other.contains(key));
            if !everywhere || mapping.contains(key) || place.shape.may_lack(key) {
                continue;
            }
            if self.may_be_absent_by_description(place, key) {
                continue;
            }
            let may_lack = self.cause == Cause::Any && !place.shape.requires(key);
            if may_lack
                && (has_another(&place.shape, mapping, examples)
                    || self.is_absent_elsewhere(place, key))
            {
                continue;
            }
            let below = place.child(self.findings, actual, key);
            let texts = (below.show(self.findings, example), "absent".to_owned());
            // An optional property that no request sets counts only when examples bind.
            let is_set = (self.request).is_some_and(|request| request.at(&below.pointer).is_some());
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

    /// The level of a requirement that only an example shows.
    fn shown_level(&self, level: Level) -> Level {
        match self.findings.weights.examples {
            Examples::Normative => level,
            Examples::Illustrative => Level::Proposed,
        }
    }

    /// Whether a text says that an optional property is sometimes absent: `next` is absent on the
    /// last page.
    fn may_be_absent_by_description(&self, place: &Place<'d>, key: &str) -> bool {
        const LACKS: [&str; 8] = [
            "absent", "omitted", "missing", "unless", "only", "if", "when", "not",
        ];
        let text = |shape: &Shape<'d>| shape.keyword("description").and_then(Node::as_str);
        let document = self.findings.contract.document;
        let of_property = text(&place.shape.property(document, key)).unwrap_or_default();
        let of_whole = text(&place.shape).unwrap_or_default();
        let name = names::words(key);
        let is_named = |words: &Vec<String>| words.windows(name.len()).any(|part| part == name);
        let sentences = prose::spoken(of_whole).into_iter().filter(is_named);
        let mut sentences = sentences.chain(prose::spoken(of_property));
        let lacks = |words: Vec<String>| {
            prose::has(&words, &["absent", "omitted", "present"]) && prose::has(&words, &LACKS)
        };
        !place.shape.requires(key) && sentences.any(lacks)
    }

    /// Whether any documented refusal lacks a property that another one has.
    fn is_absent_elsewhere(&self, place: &Place<'d>, key: &str) -> bool {
        let operations = self.findings.contract.document.operations().into_iter();
        let responses = operations
            .flat_map(|operation| operation.responses())
            .filter(refuses);
        let content = responses.flat_map(|response| response.content());
        content.flat_map(|item| item.examples()).any(|example| {
            let example = example
                .value
                .node
                .at(&place.pointer)
                .and_then(Node::as_mapping);
            example.is_some_and(|text| !text.contains(key))
        })
    }

    fn array(&mut self, place: &Place<'d>, actual: &Node, items: &[Node], examples: &[&'d Node]) {
        let documented: Vec<&'d Node> = examples
            .iter()
            .flat_map(|example| example.items())
            .collect();
        let shows_items = examples
            .iter()
            .all(|example| example.items().next().is_some());
        if let (true, Some(example)) = (
            items.is_empty()
                && shows_items
                && !self.is_other
                && self.arrays == Arrays::Shown
                && !may_be_empty_by_description(&place.shape),
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
            // The content of a list depends on the server's records, so items count only when
            // examples bind.
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

    /// Reports what no item has and every documented item has. A single record may lack what
    /// another one has.
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
            let examples: Vec<&'d Node> = examples
                .iter()
                .filter_map(|example| example.get(key))
                .collect();
            self.absent(&below, child, &examples);
        }
    }
}
