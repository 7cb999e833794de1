//! What depends on formats, which rules do not know: without them, `not` would refuse more.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::pointer::Pointer;
use serde_json::{Map, Value, json};

use super::subschemas::subschemas;

/// Schemas that other schemas of a rule refer to, by their names in the rule.
type Definitions = BTreeMap<String, (Pointer, Value)>;

/// Which definitions have a format in them, or lead to one that has.
pub(super) struct Formats {
    definitions: BTreeSet<String>,
    any: bool,
}

impl Formats {
    pub(super) fn of(schemas: &[(Pointer, Value)], definitions: &Definitions) -> Self {
        let mut users: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut open = Vec::new();
        for (name, (_, schema)) in definitions {
            let mut uses = Uses::default();
            uses.read(schema);
            for used in uses.references {
                users.entry(used).or_default().push(name);
            }
            open.extend(uses.format.then_some(name.as_str()));
        }
        let mut found = BTreeSet::new();
        while let Some(name) = open.pop() {
            if found.insert(name.to_owned()) {
                open.extend(users.get(name).into_iter().flatten());
            }
        }
        let has_format = |(_, schema): &(Pointer, Value)| {
            let mut uses = Uses::default();
            uses.read(schema);
            uses.format
        };
        Self {
            any: !found.is_empty() || schemas.iter().any(has_format),
            definitions: found,
        }
    }

    /// Takes out formats, and what would refuse more without them; gives the places of the latter.
    pub(super) fn take_out(
        &self,
        schemas: &mut [(Pointer, Value)],
        definitions: &mut Definitions,
    ) -> Vec<Pointer> {
        let mut lost = Vec::new();
        if self.any {
            for (pointer, schema) in schemas.iter_mut().chain(definitions.values_mut()) {
                self.widen(schema, pointer, &mut lost);
            }
        }
        lost
    }

    fn widen(&self, schema: &mut Value, at: &Pointer, lost: &mut Vec<Pointer>) {
        let Value::Object(fields) = schema else {
            return;
        };
        fields.remove("format");
        for (condition, keywords) in [
            ("not", &["not"] as &[&str]),
            ("if", &["if", "then", "else"]),
            ("contains", &["maxContains"]),
        ] {
            let depends = fields.get(condition).is_some_and(|own| self.has(own));
            if depends && fields.contains_key(keywords[0]) {
                fields.retain(|key, _| !keywords.contains(&key.as_str()));
                lost.push(at.join(keywords[0]));
            }
        }
        let overlaps = fields.get("oneOf").is_some_and(|own| self.has(own));
        for (segments, schema) in subschemas(fields) {
            let mut inner = at.clone();
            for segment in &segments {
                inner.push(segment);
            }
            self.widen(schema, &inner, lost);
        }
        if overlaps && let Some(alternatives) = fields.remove("oneOf") {
            lost.push(at.join("oneOf"));
            let known = fields.entry("allOf").or_insert_with(|| json!([]));
            if let Some(known) = known.as_array_mut() {
                known.push(json!({ "anyOf": alternatives }));
            }
        }
    }

    /// Whether a schema, or one of a list, leads to a format.
    fn has(&self, schema: &Value) -> bool {
        let mut uses = Uses::default();
        uses.read(schema);
        let mut references = uses.references.iter();
        uses.format || references.any(|name| self.definitions.contains(*name))
    }
}

/// What a schema has in it.
#[derive(Default)]
struct Uses<'v> {
    format: bool,
    references: Vec<&'v str>,
}

impl<'v> Uses<'v> {
    fn read(&mut self, schema: &'v Value) {
        match schema {
            Value::Array(items) => items.iter().for_each(|item| self.read(item)),
            Value::Object(fields) => {
                for (key, value) in fields {
                    match (key.as_str(), value) {
                        ("const" | "enum" | "required", _) => {}
                        ("properties" | "patternProperties" | "dependentSchemas", map) => {
                            let all = map.as_object().into_iter();
                            all.flat_map(Map::values).for_each(|own| self.read(own));
                        }
                        ("format", Value::String(_)) => self.format = true,
                        ("$ref", Value::String(to)) => {
                            self.references.extend(to.strip_prefix("#/$defs/"));
                        }
                        (_, value) => self.read(value),
                    }
                }
            }
            _ => {}
        }
    }
}
