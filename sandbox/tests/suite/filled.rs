//! Checks which properties of the contract's answers the sandbox ever returns.
//!
//! The certification replays every documented answer, and a property that an example has but the
//! answer lacks is a difference. So a property without an example was never tested:
//! `tests/unfilled.json` lists exactly these, with reasons.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

const CONTRACT: &str = include_str!("../../../generated/openapi.json");
const UNFILLED: &str = include_str!("../unfilled.json");

/// The properties in the schemas of answers, and those in examples.
struct Properties<'a> {
    contract: &'a Value,
    known: BTreeSet<String>,
    shown: BTreeSet<String>,
}

impl<'a> Properties<'a> {
    fn of(contract: &'a Value) -> Self {
        let mut found = Self {
            contract,
            known: BTreeSet::new(),
            shown: BTreeSet::new(),
        };
        for operation in members(&contract["paths"]).flat_map(|(_, item)| members(item)) {
            let (_, operation) = operation;
            for (_, response) in members(&operation["responses"]) {
                for (_, media) in members(&found.followed(response)["content"]) {
                    found.read(media, &operation["operationId"]);
                }
            }
        }
        found
    }

    fn read(&mut self, media: &'a Value, operation: &Value) {
        let name = operation.as_str().unwrap();
        self.know(&media["schema"], name, &mut BTreeSet::new());
        for (_, example) in members(&media["examples"]) {
            self.show(&self.followed(example)["value"], &media["schema"], name);
        }
    }

    fn followed(&self, mut node: &'a Value) -> &'a Value {
        while let Some(pointer) = node["$ref"].as_str() {
            node = self.contract.pointer(&pointer[1..]).unwrap();
        }
        node
    }

    fn know(&mut self, schema: &'a Value, name: &str, seen: &mut BTreeSet<String>) {
        let name = named(schema, name);
        if schema["$ref"].is_string() && !seen.insert(name.clone()) {
            return;
        }
        let schema = self.followed(schema);
        for (property, inner) in members(&schema["properties"]) {
            self.known.insert(format!("{name}.{property}"));
            self.know(inner, &format!("{name}.{property}"), seen);
        }
        for part in parts(schema) {
            self.know(part, &name, seen);
        }
        if schema["items"].is_object() {
            self.know(&schema["items"], &name, seen);
        }
    }

    fn show(&mut self, value: &Value, schema: &'a Value, name: &str) {
        let name = named(schema, name);
        let schema = self.followed(schema);
        for (property, inner) in members(&schema["properties"]) {
            let value = &value[property.as_str()];
            if !value.is_null() {
                self.shown.insert(format!("{name}.{property}"));
                self.show(value, inner, &format!("{name}.{property}"));
            }
        }
        for part in parts(schema) {
            self.show(value, part, &name);
        }
        for item in value.as_array().into_iter().flatten() {
            self.show(item, &schema["items"], &name);
        }
    }
}

/// The name of a schema, or the place where it is used.
fn named(schema: &Value, name: &str) -> String {
    let pointer = schema["$ref"].as_str();
    let last = pointer.and_then(|pointer| pointer.rsplit('/').next());
    last.unwrap_or(name).to_owned()
}

fn parts(schema: &Value) -> impl Iterator<Item = &Value> {
    let words = ["allOf", "oneOf", "anyOf"].into_iter();
    words.flat_map(|word| schema[word].as_array().into_iter().flatten())
}

fn members(node: &Value) -> impl Iterator<Item = (&String, &Value)> {
    node.as_object().into_iter().flatten()
}

#[test]
fn every_unfilled_property_has_a_reason() {
    let contract: Value = serde_json::from_str(CONTRACT).unwrap();
    let properties = Properties::of(&contract);
    assert!(properties.known.len() > 400, "{}", properties.known.len());
    let reasons: BTreeMap<String, String> = serde_json::from_str(UNFILLED).unwrap();
    let excused: BTreeSet<String> = reasons.keys().cloned().collect();
    let never: BTreeSet<_> = properties.known.difference(&properties.shown).collect();
    let without_reason: Vec<_> = never
        .iter()
        .filter(|one| !excused.contains(**one))
        .collect();
    assert!(
        without_reason.is_empty(),
        "no answer shows {without_reason:?}"
    );
    let seen: Vec<_> = excused.iter().filter(|one| !never.contains(one)).collect();
    assert!(
        seen.is_empty(),
        "an answer shows {seen:?}, or nothing has it"
    );
    for (property, reason) in reasons {
        assert!(reason.len() > 20, "{property}: {reason}");
    }
}
