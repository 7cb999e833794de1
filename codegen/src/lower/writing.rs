//! Schemas on their way into one rule.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use openapi_document::pointer::Pointer;
use serde_json::{Map, Value, json};

use super::formats::Formats;
use super::subschemas::subschemas;
use super::{Lowering, limits};
use crate::matching;

/// A rule, and what it does not say.
pub(super) struct Written {
    /// The rule.
    pub(super) rule: Value,
    /// The places of keywords that were removed because they depend on a format.
    pub(super) lost: Vec<Pointer>,
}

/// Why a rule is left out that has no end, or nearly so.
pub(super) const TOO_LARGE: &str = "is too large to be checked";

/// The size of a schema that others refer to, in bytes, and the schemas that it refers to.
struct Weight {
    bytes: usize,
    references: Vec<Pointer>,
}

/// The weights that are known. The unions of a large document lead to the same schemas.
#[derive(Default)]
pub(super) struct Weights(HashMap<Pointer, Weight>);

/// Schemas on their way into one text.
pub(super) struct Writing<'l, 'd> {
    lowering: &'l mut Lowering<'d>,
    names: BTreeMap<Pointer, String>,
    open: VecDeque<Pointer>,
    size: usize,
}

impl<'l, 'd> Writing<'l, 'd> {
    pub(super) fn new(lowering: &'l mut Lowering<'d>) -> Self {
        Self {
            lowering,
            names: BTreeMap::new(),
            open: VecDeque::new(),
            size: 0,
        }
    }

    /// One schema of all, with what they refer to.
    pub(super) fn write(
        mut self,
        mut schemas: Vec<(Pointer, Value)>,
    ) -> Result<Written, &'static str> {
        for (_, schema) in &mut schemas {
            // The order of keys says nothing.
            schema.sort_all_objects();
            self.schema(schema)?;
        }
        self.weigh()?;
        let mut definitions = BTreeMap::new();
        while let Some(pointer) = self.open.pop_front() {
            let document = self.lowering.document;
            let target = document.lookup(&pointer).ok_or("leads nowhere")?;
            let mut schema = openapi_document::schema_in_2020_12(target.node, self.lowering.is_30);
            schema.sort_all_objects();
            self.schema(&mut schema)?;
            definitions.insert(self.names[&pointer].clone(), (pointer, schema));
        }
        let lost = Formats::of(&schemas, &definitions).take_out(&mut schemas, &mut definitions);
        let mut schemas: Vec<Value> = schemas.into_iter().map(|(_, schema)| schema).collect();
        let mut rule = match schemas.as_mut_slice() {
            [only] if only.is_object() => only.take(),
            _ => json!({ "allOf": schemas }),
        };
        if !definitions.is_empty() {
            let all = definitions.into_iter();
            let all = all.map(|(name, (_, schema))| (name, schema));
            rule["$defs"] = all.collect::<Map<String, Value>>().into();
        }
        Ok(Written { rule, lost })
    }

    /// Fails before anything is written when what the schemas lead to is far too large. What only
    /// formats make too large is decided on the text.
    fn weigh(&mut self) -> Result<(), &'static str> {
        let mut open: Vec<Pointer> = self.open.iter().cloned().collect();
        let (mut known, mut bytes) = (BTreeSet::new(), 0);
        while let Some(pointer) = open.pop() {
            if known.contains(&pointer) {
                continue;
            }
            let weight = self.lowering.weight(&pointer).ok_or("leads nowhere")?;
            bytes += weight.bytes;
            if bytes > 2 * limits::RULE {
                return Err(TOO_LARGE);
            }
            open.extend(weight.references.iter().cloned());
            known.insert(pointer);
        }
        Ok(())
    }

    fn schema(&mut self, schema: &mut Value) -> Result<(), &'static str> {
        self.size += 1;
        if self.size > limits::RULE {
            return Err(TOO_LARGE);
        }
        let Value::Object(fields) = schema else {
            return Ok(());
        };
        if fields.contains_key("$dynamicRef") {
            return Err("with a `$dynamicRef` is not checked");
        }
        without_definitions(fields);
        if let Some(Value::String(reference)) = fields.get_mut("$ref") {
            let pointer = reference
                .strip_prefix('#')
                .and_then(Pointer::parse_fragment);
            *reference = format!("#/$defs/{}", self.name(pointer.ok_or("leads nowhere")?));
        }
        if let Some(Value::String(source)) = fields.get("pattern") {
            pattern(source)?;
        }
        let patterned = fields.get("patternProperties").and_then(Value::as_object);
        for source in patterned.into_iter().flat_map(Map::keys) {
            pattern(source)?;
        }
        for (_, schema) in subschemas(fields) {
            self.schema(schema)?;
        }
        Ok(())
    }

    fn name(&mut self, pointer: Pointer) -> String {
        let next = self.names.len().to_string();
        if let Some(name) = self.names.get(&pointer) {
            return name.clone();
        }
        self.names.insert(pointer.clone(), next.clone());
        self.open.push_back(pointer);
        next
    }
}

impl Lowering<'_> {
    /// The weight of the schema at a pointer; `None` where there is none.
    fn weight(&mut self, pointer: &Pointer) -> Option<&Weight> {
        if !self.weights.0.contains_key(pointer) {
            let node = self.document.lookup(pointer)?.node;
            let mut schema = openapi_document::schema_in_2020_12(node, self.is_30);
            let mut references = Vec::new();
            targets(&mut schema, &mut references);
            let bytes = schema.to_string().len();
            let weight = Weight { bytes, references };
            self.weights.0.insert(pointer.clone(), weight);
        }
        self.weights.0.get(pointer)
    }
}

fn without_definitions(fields: &mut Map<String, Value>) {
    fields.retain(|key, _| !key.starts_with('$') || key == "$ref");
    fields.remove("definitions");
}

/// The schemas that a schema refers to.
fn targets(schema: &mut Value, found: &mut Vec<Pointer>) {
    let Value::Object(fields) = schema else {
        return;
    };
    without_definitions(fields);
    if let Some(Value::String(reference)) = fields.get("$ref") {
        let pointer = reference.strip_prefix('#');
        found.extend(pointer.and_then(Pointer::parse_fragment));
    }
    for (_, schema) in subschemas(fields) {
        targets(schema, found);
    }
}

fn pattern(source: &str) -> Result<(), &'static str> {
    let supported = matching::is_supported(source);
    supported
        .then_some(())
        .ok_or("has a pattern that cannot be expressed")
}
