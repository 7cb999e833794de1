//! Reads examples: finds properties that are computed from others in every documented record.

mod search;

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::Node;
use openapi_document::view::{Location, MediaType, Operation, Response};

use crate::collection::Collection;
use crate::fact::Fact;
use crate::part::{Part, parts};
use crate::rule::Rule;
use crate::source::Source;
use crate::vocabulary::Vocabulary;

/// The maximum number of examples that a fact quotes.
const TOLD: usize = 3;

/// The documented records of one schema.
#[derive(Debug, Default)]
pub(super) struct Shown<'d> {
    /// The distinct records.
    records: Vec<&'d Node>,
    /// The properties in the schema.
    names: Vec<&'d str>,
    /// Whether it is a page of a list, so that its totals may cover all pages.
    is_page: bool,
}

/// Adds the equations that the examples of a document show.
pub(super) fn read(vocabulary: &Vocabulary<'_>, facts: &mut Collection) {
    let sent = sent(vocabulary);
    for (owner, shown) in collect(vocabulary) {
        for equation in search::equations(&owner, &shown) {
            let name = equation.subject.name.as_deref().unwrap_or_default();
            let last = name.rsplit('.').next().unwrap_or(name);
            if sent.contains(last) {
                continue;
            }
            let holds = |record: &&&Node| equation.equals.value(record).is_some();
            let mut spans = { shown.records.iter() }
                .filter(holds)
                .map(|record| Source::Example(record.span));
            let Some(first) = spans.next() else { continue };
            let rest: Vec<Source> = spans.take(TOLD - 1).collect();
            let mut fact = Fact::new(Rule::Equation(equation), first);
            fact.because.extend(rest);
            facts.add(fact);
        }
    }
}

/// The properties in request examples. The client computes these, and the service may return them
/// unchanged.
fn sent<'d>(vocabulary: &Vocabulary<'d>) -> BTreeSet<&'d str> {
    let mut found = BTreeSet::new();
    for operation in vocabulary.operations() {
        let body = operation.request_body();
        let content = body.map(|body| body.content()).unwrap_or_default();
        for example in content.iter().flat_map(MediaType::examples) {
            names(example.value.node, &mut found);
        }
    }
    found
}

/// Collects the property names of a value and of nested values.
fn names<'d>(node: &'d Node, found: &mut BTreeSet<&'d str>) {
    for entry in node.entries() {
        found.insert(&entry.key);
        names(&entry.value, found);
    }
    node.items().for_each(|item| names(item, found));
}

/// The documented records by component, or by operation if the schema is inline.
fn collect<'d>(vocabulary: &Vocabulary<'d>) -> BTreeMap<String, Shown<'d>> {
    let mut found = BTreeMap::new();
    let document = vocabulary.document;
    for operation in vocabulary.operations() {
        let responses = operation.responses();
        let successes = responses.iter().filter(|item| item.status.is_success());
        for media in successes.flat_map(Response::content) {
            of_media(operation, &media, &mut found);
        }
    }
    for (_, schema) in document.components("schemas") {
        if let Some(example) = schema.get("example") {
            for part in parts(document, &schema, example.node) {
                add(&part, None, &mut found);
            }
        }
    }
    found
}

fn of_media<'d>(
    operation: &Operation<'d>,
    media: &MediaType<'d>,
    found: &mut BTreeMap<String, Shown<'d>>,
) {
    let Some(schema) = media.schema() else { return };
    for example in media.examples() {
        for part in parts(operation.document(), &schema, example.value.node) {
            add(&part, Some(operation), found);
        }
    }
}

fn add<'d>(
    part: &Part<'d, 'd>,
    operation: Option<&Operation<'d>>,
    found: &mut BTreeMap<String, Shown<'d>>,
) {
    let is_root = part.at.segments().next().is_none();
    let label = operation.filter(|_| is_root).map(Operation::label);
    let Some(owner) = part.components.last().cloned().or(label) else {
        return;
    };
    let shown = found.entry(owner).or_default();
    let asks = operation.is_some_and(|operation| {
        let mut parameters = operation.parameters().into_iter();
        parameters.any(|parameter| parameter.location == Location::Query)
    });
    shown.is_page |= is_root && asks;
    if shown.names.is_empty() {
        shown.names = part.properties.iter().map(|(name, _)| *name).collect();
    }
    if !shown
        .records
        .iter()
        .any(|known| known.same_value(part.node))
    {
        shown.records.push(part.node);
    }
}
