//! Values that a schema allows.

use serde_json::{Map, Value, json};

use super::description::Description;

/// How values are made.
#[derive(Clone, Copy)]
pub(super) struct Sampler<'d> {
    pub(super) description: &'d Description,
    /// With all that is optional, and not only what must be there.
    pub(super) full: bool,
    /// Which of several alternatives is taken; counted anew where there are fewer.
    pub(super) branch: usize,
    /// Only with what a header can carry.
    pub(super) ascii: bool,
}

/// The references that led to a schema.
type Trail = Vec<String>;

impl Sampler<'_> {
    /// A value of a schema; `None` where it has to contain itself.
    pub(super) fn value(&self, schema: &Value) -> Option<Value> {
        self.nested(schema, 0, &Trail::new())
    }

    fn nested(&self, schema: &Value, index: usize, trail: &Trail) -> Option<Value> {
        let mut trail = trail.clone();
        let mut merged = Map::new();
        self.merge(schema, &mut merged, &mut trail)?;
        for word in ["oneOf", "anyOf"] {
            let Some(Value::Array(branches)) = merged.remove(word) else {
                continue;
            };
            return (0..branches.len()).find_map(|offset| {
                let branch = &branches[(self.branch + offset) % branches.len()];
                let (mut merged, mut trail) = (merged.clone(), trail.clone());
                self.merge(branch, &mut merged, &mut trail)?;
                // An alternative with alternatives of its own is told by theirs.
                let plain = !merged.contains_key("oneOf") && !merged.contains_key("anyOf");
                if plain && !self.tag(&mut merged, branch) {
                    return None;
                }
                self.nested(&Value::Object(merged), index, &trail)
            });
        }
        self.plain(&merged, index, &trail)
    }

    /// Adds what a schema says, behind its references and in its `allOf`.
    fn merge(
        &self,
        schema: &Value,
        into: &mut Map<String, Value>,
        trail: &mut Trail,
    ) -> Option<()> {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            if trail.iter().filter(|before| *before == reference).count() > 1 {
                return None;
            }
            trail.push(reference.to_owned());
            self.merge(self.description.at(reference)?, into, trail)?;
        }
        let own = schema.as_object()?;
        for (word, value) in own.iter().filter(|(word, _)| *word != "$ref") {
            match (word.as_str(), value, into.get_mut(word)) {
                ("allOf", Value::Array(parts), _) => {
                    for part in parts {
                        self.merge(part, into, trail)?;
                    }
                }
                ("properties", Value::Object(more), Some(Value::Object(known))) => {
                    for (name, property) in more {
                        known.entry(name).or_insert_with(|| property.clone());
                    }
                }
                ("required", Value::Array(more), Some(Value::Array(known))) => {
                    known.extend(more.iter().cloned());
                }
                (_, _, Some(_)) => {}
                (_, _, None) => {
                    into.insert(word.clone(), value.clone());
                }
            }
        }
        Some(())
    }

    fn plain(&self, schema: &Map<String, Value>, index: usize, trail: &Trail) -> Option<Value> {
        if let Some(value) = schema.get("const") {
            return Some(value.clone());
        }
        if let Some(Value::Array(values)) = schema.get("enum") {
            let values: Vec<&Value> = values.iter().filter(|value| !value.is_null()).collect();
            return values
                .get((self.branch + index) % values.len().max(1))
                .copied()
                .cloned();
        }
        match kind(schema) {
            "object" => self.object(schema, trail),
            "array" => self.array(schema, trail),
            "boolean" => Some(json!(self.full)),
            "integer" => Some(integer(schema, self.full, index)),
            "number" => Some(number(schema, index)),
            _ => Some(json!(self.text(schema, index))),
        }
    }

    fn object(&self, schema: &Map<String, Value>, trail: &Trail) -> Option<Value> {
        let empty = Map::new();
        let properties = schema
            .get("properties")
            .and_then(Value::as_object)
            .unwrap_or(&empty);
        let required: Vec<&str> = schema
            .get("required")
            .and_then(Value::as_array)
            .map(|names| names.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        let mut object = Map::new();
        for (name, property) in properties {
            let must = required.contains(&name.as_str());
            let given_back =
                self.description.resolve(property).get("readOnly") == Some(&json!(true));
            if must || self.full && !given_back {
                match self.nested(property, 0, trail) {
                    Some(value) => {
                        object.insert(name.clone(), value);
                    }
                    None if must => return None,
                    None => {}
                }
            }
        }
        let rest = schema.get("additionalProperties");
        let free = rest.map_or(properties.is_empty(), |rest| *rest != json!(false));
        if self.full && free {
            let values = rest.filter(|rest| rest.is_object()).cloned();
            let values = values.unwrap_or_else(|| json!({"type": "string"}));
            for (index, name) in ["k 1", "k&2"].into_iter().enumerate() {
                let value = self.nested(&values, index, trail);
                object.extend(value.map(|value| (name.to_owned(), value)));
            }
        }
        object.sort_keys();
        Some(Value::Object(object))
    }

    fn array(&self, schema: &Map<String, Value>, trail: &Trail) -> Option<Value> {
        let bound = |word: &str| schema.get(word).and_then(Value::as_u64);
        let wanted = if self.full { 2 } else { 1 };
        let count = wanted
            .max(bound("minItems").unwrap_or(0))
            .min(bound("maxItems").unwrap_or(20));
        let items = schema.get("items").cloned().unwrap_or_else(|| json!({}));
        let items =
            (0..usize::try_from(count).ok()?).map(|index| self.nested(&items, index, trail));
        items.collect::<Option<Vec<_>>>().map(Value::Array)
    }

    /// Sets the property that tells the branches apart; false where the branch itself forbids the
    /// value that the mapping has for it.
    fn tag(&self, merged: &mut Map<String, Value>, branch: &Value) -> bool {
        let (Some(discriminator), Some(reference)) = (
            merged.remove("discriminator"),
            branch.get("$ref").and_then(Value::as_str),
        ) else {
            return true;
        };
        let Some(property) = discriminator.get("propertyName").and_then(Value::as_str) else {
            return true;
        };
        let own = reference.rsplit('/').next().unwrap_or_default();
        let mapping = discriminator.get("mapping").and_then(Value::as_object);
        let mapped = mapping
            .into_iter()
            .flatten()
            .find(|(_, to)| to.as_str().is_some_and(|to| to == reference || to == own));
        let name = mapped.map_or(own, |(name, _)| name);
        let properties = merged.entry("properties").or_insert_with(|| json!({}));
        let known = properties
            .get(property)
            .map(|known| self.description.resolve(known));
        let values = known.and_then(|known| known.get("enum")?.as_array());
        let fixed = values.is_some() || known.is_some_and(|known| known.get("const").is_some());
        match mapped {
            None if fixed => return true,
            Some(_) if values.is_some_and(|values| !values.contains(&json!(name))) => return false,
            _ => {}
        }
        if let Some(properties) = properties.as_object_mut() {
            properties.insert(property.to_owned(), json!({"const": name}));
        }
        let required = merged.entry("required").or_insert_with(|| json!([]));
        if let Some(required) = required.as_array_mut() {
            required.push(json!(property));
        }
        true
    }

    fn text(&self, schema: &Map<String, Value>, index: usize) -> String {
        let format = schema
            .get("format")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let known = match format {
            "date" => "2026-11-20",
            "date-time" => "2026-11-20T10:20:30.120Z",
            "uuid" => "0190163d-8694-739b-aea5-966c26f8ad91",
            "decimal" => "10.10",
            "uri" | "url" => "https://example.com/a?b=c&d=%20e",
            "email" => "a+b@example.com",
            "byte" => "YSBi/w==",
            "ipv4" => "192.0.2.1",
            "ipv6" => "2001:db8::1",
            "hostname" => "example.com",
            _ => "",
        };
        if !known.is_empty() {
            return known.to_owned();
        }
        let example = ["example", "default"]
            .iter()
            .find_map(|word| schema.get(*word)?.as_str());
        if let Some(example) = example.filter(|_| schema.contains_key("pattern")) {
            return example.to_owned();
        }
        let plain = if self.ascii {
            "a b;c"
        } else {
            "a b&c=d/é+100%[]"
        };
        let text = if self.full {
            format!("{index}{plain}")
        } else {
            format!("{index}")
        };
        let bound = |word: &str| schema.get(word).and_then(Value::as_u64);
        let most = bound("maxLength").and_then(|most| usize::try_from(most).ok());
        let least = bound("minLength")
            .and_then(|least| usize::try_from(least).ok())
            .unwrap_or(0);
        let text: String = text.chars().take(most.unwrap_or(usize::MAX)).collect();
        let missing = least.saturating_sub(text.chars().count());
        format!("{text}{}", "x".repeat(missing))
    }
}

/// The first type that is not `null`, explicit or implied.
pub(super) fn kind(schema: &Map<String, Value>) -> &str {
    match schema.get("type") {
        Some(Value::String(kind)) => kind,
        Some(Value::Array(kinds)) => {
            let kinds = kinds.iter().filter_map(Value::as_str);
            kinds
                .into_iter()
                .find(|kind| *kind != "null")
                .unwrap_or("null")
        }
        _ if schema.contains_key("properties") || schema.contains_key("additionalProperties") => {
            "object"
        }
        _ if schema.contains_key("items") => "array",
        _ => "string",
    }
}

fn integer(schema: &Map<String, Value>, full: bool, index: usize) -> Value {
    let bound = |word: &str| schema.get(word).and_then(Value::as_i64);
    let large = full && schema.get("format").is_none_or(|format| format == "int64");
    let wanted = if large { 9_007_199_254_740_993 } else { 7 };
    let step = bound("multipleOf").unwrap_or(1).max(1);
    let wanted = wanted / step * step + step * i64::try_from(index).unwrap_or(0);
    json!(
        wanted
            .max(bound("minimum").unwrap_or(i64::MIN))
            .min(bound("maximum").unwrap_or(i64::MAX))
    )
}

fn number(schema: &Map<String, Value>, index: usize) -> Value {
    let bound = |word: &str| schema.get(word).and_then(Value::as_f64);
    let wanted = [10.25, 11.5][index % 2];
    let value: f64 = wanted;
    json!(
        value
            .max(bound("minimum").unwrap_or(f64::MIN))
            .min(bound("maximum").unwrap_or(f64::MAX))
    )
}
