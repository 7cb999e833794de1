//! Server-sent events.

use std::collections::BTreeSet;

use openapi_document::Node;
use openapi_document::view::{Located, MediaType};

use super::{Lowering, context, docs};
use crate::ir::{JsonKind, Shape, Type, Union, Usage, Variant};

/// The fields of an event.
const FIELDS: [&str; 4] = ["data", "event", "id", "retry"];

/// How deep alternatives of events may lie in each other.
const DEEPEST: usize = 8;

/// The name of an event that says none.
const UNNAMED: &str = "message";

/// An event with names of its own, and its data as far as it describes it.
struct Named<'d> {
    names: Vec<String>,
    data: Option<Located<'d>>,
}

impl<'d> Lowering<'d> {
    /// The data of one event. The schema of a stream may describe the data, the whole event, or a
    /// list of either; `itemSchema`, which later versions have, describes one event at once.
    pub(super) fn event_data(&mut self, media_type: &MediaType<'d>) -> Usage {
        let schema = media_type.at.get("itemSchema").or_else(|| {
            let schema = media_type.schema()?;
            let resolved = self.document.resolve(&schema).ok()?;
            resolved.get("items").or(Some(schema))
        });
        let Some(schema) = schema else {
            return Usage::plain(Type::Text);
        };
        if let Some(events) = self.named_events(&schema) {
            return events;
        }
        match self.described_data(&schema) {
            None => self.usage(&schema),
            Some(data) => self.data(&data),
        }
    }

    fn data(&mut self, data: &Located<'d>) -> Usage {
        match data.get("contentSchema") {
            Some(content) => self.usage(&content),
            None if is_json_text(data) => Usage::any(),
            None => self.usage(data),
        }
    }

    /// The data of alternatives that are events, each with names of its own; of one without any it
    /// is that of events that say no name.
    fn named_events(&mut self, schema: &Located<'d>) -> Option<Usage> {
        let mut events = Vec::new();
        self.alternative_events(schema, &mut events, 0)?;
        let mut known = BTreeSet::new();
        let names = events.iter().flat_map(|event| &event.names);
        let all_differ = names.clone().all(|name| known.insert(name.as_str()));
        if !all_differ || known.iter().all(|name| *name == UNNAMED) {
            return None;
        }
        let variants = events.into_iter().map(|event| Variant {
            word: event.names.first().cloned().unwrap_or_default(),
            usage: event
                .data
                .map_or_else(|| Usage::plain(Type::Text), |data| self.data(&data)),
            tags: event.names,
            kind: JsonKind::Any,
        });
        let variants = variants.collect();
        let mut words = context::words(self.document, &schema.pointer);
        words.pop();
        words.push("Event".to_owned());
        let shape = Shape::Events(Union {
            overlap: crate::ir::Overlap::Apart,
            variants,
            tag: None,
        });
        Some(self.define_body(words, docs::of(schema.node), shape))
    }

    /// Collects the alternatives of a schema; `None` when one of them is not an event.
    fn alternative_events(
        &self,
        schema: &Located<'d>,
        events: &mut Vec<Named<'d>>,
        depth: usize,
    ) -> Option<()> {
        let schema = self.document.resolve(schema).ok()?;
        let shared = self.described_data(&schema);
        let alternatives = schema.get("oneOf").or_else(|| schema.get("anyOf"))?;
        for branch in alternatives.items() {
            let branch = self.document.resolve(&branch).ok()?;
            let is_nested = branch.get("oneOf").or_else(|| branch.get("anyOf"));
            if is_nested.is_some() && depth < DEEPEST {
                self.alternative_events(&branch, events, depth + 1)?;
                continue;
            }
            let properties = branch.get("properties")?;
            let known = |key: &str| FIELDS.contains(&key);
            if !properties.entries().all(|(entry, _)| known(&entry.key)) {
                return None;
            }
            let event = properties.get("event");
            let event = event.and_then(|event| self.document.resolve(&event).ok());
            let data = properties.get("data");
            let data = data.and_then(|data| self.document.resolve(&data).ok());
            events.push(Named {
                names: event.map_or_else(|| vec![UNNAMED.to_owned()], |event| names(event.node)),
                data: data.or_else(|| shared.clone()),
            });
        }
        (!events.is_empty() && events.iter().all(|event| !event.names.is_empty())).then_some(())
    }

    /// The schema of `data` where a schema describes the fields of an event.
    fn described_data(&self, schema: &Located<'d>) -> Option<Located<'d>> {
        let schema = self.document.resolve(schema).ok()?;
        let properties = schema.get("properties")?;
        let known = |key: &str| FIELDS.contains(&key);
        if !properties.entries().all(|(entry, _)| known(&entry.key)) {
            return None;
        }
        self.document.resolve(&properties.get("data")?).ok()
    }
}

/// The texts that a schema allows, where it lists them.
fn names(schema: &Node) -> Vec<String> {
    let constant = schema.get("const").into_iter();
    let listed = schema.get("enum").into_iter().flat_map(Node::items);
    let texts = constant.chain(listed).filter_map(Node::as_str);
    let texts: BTreeSet<&str> = texts.collect();
    texts.into_iter().map(str::to_owned).collect()
}

/// Whether the text of the data is JSON of any kind.
fn is_json_text(data: &Located<'_>) -> bool {
    let media_type = data.node.get("contentMediaType").and_then(Node::as_str);
    media_type.is_some_and(openapi_document::view::is_json)
}
