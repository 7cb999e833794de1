//! A body beside its documented example and its schema: what is missing, what is too much, and how
//! values are written.

use std::collections::BTreeSet;

use spec::document::Located;
use spec::{Level, Mapping, Node, Pointer, Value};

use super::{Findings, style};
use crate::case::Step;
use crate::checks;
use crate::compose;
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
        is_other: false,
    };
    walk.value(&place, body, &examples);
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

struct Walk<'w, 'j, 'd> {
    findings: &'w mut Findings<'j, 'd>,
    is_final: bool,
    /// Within an item of an array that no single documented item stands for: it may well be another
    /// record, whose own arrays may be empty.
    is_other: bool,
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
        if let Some(fault) = style::fault(&place.shape, actual, example) {
            self.add(place, &fault, actual, example);
            return;
        }
        if let (true, [example]) = (self.is_final, examples) {
            let compared = !place.shape.known_values().is_empty() || example.as_bool().is_some();
            if compared && !actual.same_value(example) {
                let fault = style::Fault {
                    check: &checks::FINAL_VALUE,
                    expected: place.show(self.findings, example),
                };
                self.add(place, &fault, actual, Some(example));
            }
        }
    }

    fn add(
        &mut self,
        place: &Place<'d>,
        fault: &style::Fault,
        actual: &Node,
        example: Option<&'d Node>,
    ) {
        let texts = (fault.expected.clone(), place.show(self.findings, actual));
        let spec = self.spot(place, example);
        self.findings
            .add(fault.check, place.level, &place.pointer, texts, spec);
    }

    /// The line of the example, else of the schema.
    fn spot(&self, place: &Place<'d>, example: Option<&'d Node>) -> crate::contract::Spot {
        let schema = || place.shape.nearest().map(|schema| schema.node);
        let node = example
            .or_else(schema)
            .unwrap_or(&self.findings.contract.document.root);
        self.findings.contract.spot_of(node)
    }

    fn object(
        &mut self,
        place: &Place<'d>,
        actual: &Node,
        mapping: &Mapping,
        examples: &[&'d Node],
    ) {
        if !place.shape.is_map() {
            self.missing(place, actual, mapping, examples);
        }
        let mut seen = BTreeSet::new();
        for (key, child) in mapping.iter() {
            let below = place.child(self.findings, actual, key);
            if !seen.insert(key) {
                let texts = (format!("the key `{key}` once"), "twice or more".to_owned());
                let spec = self.spot(&below, None);
                self.findings.add(
                    &checks::DUPLICATE_KEY,
                    below.level,
                    &below.pointer,
                    texts,
                    spec,
                );
                continue;
            }
            let listed = place.shape.lists_properties() && !place.shape.is_open();
            if listed && below.shape.nearest().is_none() {
                let texts = (
                    "no such property".to_owned(),
                    below.show(self.findings, child),
                );
                let spec = self.spot(place, None);
                let check = &checks::UNDECLARED_PROPERTY;
                self.findings
                    .add(check, place.level, &below.pointer, texts, spec);
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
            let below = place.child(self.findings, actual, key);
            let texts = (below.show(self.findings, example), "absent".to_owned());
            let spec = self.findings.contract.spot_of(example);
            self.findings.add(
                &checks::FIELD_MISSING,
                below.level,
                &below.pointer,
                texts,
                spec,
            );
        }
    }

    fn array(&mut self, place: &Place<'d>, actual: &Node, items: &[Node], examples: &[&'d Node]) {
        let documented: Vec<&'d Node> = examples.iter().flat_map(|own| own.items()).collect();
        let shows_items = examples.iter().all(|own| own.items().next().is_some());
        if let (true, Some(example)) = (
            items.is_empty() && shows_items && !self.is_other,
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
            let spec = self.findings.contract.spot_of(example);
            self.findings.add(
                &checks::ITEM_MISSING,
                place.level,
                &place.pointer,
                texts,
                spec,
            );
        }
        let one_to_one = examples.len() == 1 && documented.len() == items.len();
        let is_other = self.is_other;
        self.is_other |= !one_to_one;
        for (index, item) in items.iter().enumerate() {
            let below = place.child(self.findings, actual, &index.to_string());
            match documented.get(index).filter(|_| one_to_one) {
                Some(example) => self.value(&below, item, &[*example]),
                None => self.value(&below, item, &documented),
            }
        }
        self.is_other = is_other;
    }
}
