//! Checks a value against a schema, keyword by keyword.

use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};

use regex::Regex;
use serde_json::{Map, Value};

use super::super::canonical;
use super::scalar;
use super::seen::Seen;

/// Schemas nested deeper than this allow every value.
const DEEPEST: usize = 256;
/// After this many evaluated schemas, all others allow every value.
const STEPS: usize = 1_000_000;

/// `Err` with the first keyword that the value breaks.
type Verdict = Result<(), &'static str>;

/// The state of one evaluation of a schema.
pub(super) struct Evaluation<'s> {
    root: &'s Value,
    patterns: &'s BTreeMap<String, Option<Regex>>,
    depth: Cell<usize>,
    steps: Cell<usize>,
}

impl<'s> Evaluation<'s> {
    pub(super) fn of(root: &'s Value, patterns: &'s BTreeMap<String, Option<Regex>>) -> Self {
        Self {
            root,
            patterns,
            depth: Cell::new(0),
            steps: Cell::new(0),
        }
    }

    pub(super) fn check(&self, value: &Value) -> Verdict {
        self.schema(self.root, value, &mut Seen::default())
    }

    fn holds(&self, schema: &Value, value: &Value) -> bool {
        self.schema(schema, value, &mut Seen::default()).is_ok()
    }

    fn schema(&self, schema: &Value, value: &Value, seen: &mut Seen) -> Verdict {
        let fields = match schema {
            Value::Bool(false) => return Err("false"),
            Value::Object(fields) => fields,
            _ => return Ok(()),
        };
        self.steps.set(self.steps.get() + 1);
        if self.depth.get() >= DEEPEST || self.steps.get() > STEPS {
            return Ok(());
        }
        self.depth.set(self.depth.get() + 1);
        let verdict = self.keywords(fields, value, seen);
        self.depth.set(self.depth.get() - 1);
        verdict
    }

    /// Evaluates a subschema for the same value. The parent schema counts what the subschema has
    /// evaluated as seen; the subschema does not count what its parent has seen.
    fn inner(&self, schema: &Value, value: &Value, seen: &mut Seen) -> Verdict {
        let mut own = Seen::default();
        self.schema(schema, value, &mut own)?;
        seen.add(own);
        Ok(())
    }

    fn keywords(&self, fields: &Map<String, Value>, value: &Value, seen: &mut Seen) -> Verdict {
        whole(fields, value)?;
        match value {
            Value::String(text) => self.text(fields, text)?,
            Value::Number(number) => {
                scalar::number(|key| fields.get(key)?.as_number().cloned(), number)?;
            }
            _ => {}
        }
        self.applied(fields, value, seen)?;
        self.conditions(fields, value, seen)?;
        match value {
            Value::Array(items) => self.items(fields, items, seen),
            Value::Object(members) => self.members(fields, value, members, seen),
            _ => Ok(()),
        }
    }

    fn text(&self, fields: &Map<String, Value>, text: &str) -> Verdict {
        let length = text.chars().count();
        between(fields, length, "minLength", "maxLength")?;
        let pattern = fields.get("pattern").and_then(Value::as_str);
        keeps(
            "pattern",
            pattern.is_none_or(|source| self.matches(source, text)),
        )
    }

    fn matches(&self, source: &str, text: &str) -> bool {
        let compiled = self.patterns.get(source).and_then(Option::as_ref);
        compiled.is_none_or(|regex| regex.is_match(text))
    }

    /// Evaluates the subschemas that apply to the same value.
    fn applied(&self, fields: &Map<String, Value>, value: &Value, seen: &mut Seen) -> Verdict {
        if let Some(reference) = fields.get("$ref").and_then(Value::as_str)
            && let Some(pointer) = reference.strip_prefix('#')
            && let Some(target) = self.root.pointer(pointer)
        {
            self.inner(target, value, seen)?;
        }
        for member in list(fields, "allOf") {
            self.inner(member, value, seen)?;
        }
        for (keyword, exactly_one) in [("anyOf", false), ("oneOf", true)] {
            if !fields.contains_key(keyword) {
                continue;
            }
            let mut count = 0;
            for member in list(fields, keyword) {
                count += usize::from(self.inner(member, value, seen).is_ok());
            }
            let good = if exactly_one { count == 1 } else { count > 0 };
            keeps(keyword, good)?;
        }
        let not = fields.get("not");
        keeps("not", not.is_none_or(|not| !self.holds(not, value)))
    }

    fn conditions(&self, fields: &Map<String, Value>, value: &Value, seen: &mut Seen) -> Verdict {
        if let Some(condition) = fields.get("if") {
            let branch = if self.inner(condition, value, seen).is_ok() {
                "then"
            } else {
                "else"
            };
            if let Some(branch) = fields.get(branch) {
                self.inner(branch, value, seen).map_err(|_| "if")?;
            }
        }
        let Some(members) = value.as_object() else {
            return Ok(());
        };
        for (name, schema) in map(fields, "dependentSchemas") {
            if members.contains_key(name) {
                self.inner(schema, value, seen)
                    .map_err(|_| "dependentSchemas")?;
            }
        }
        for (name, needed) in map(fields, "dependentRequired") {
            let mut needed = needed.as_array().into_iter().flatten();
            let is_there = |name: &Value| name.as_str().is_none_or(|it| members.contains_key(it));
            keeps(
                "dependentRequired",
                !members.contains_key(name) || needed.all(is_there),
            )?;
        }
        Ok(())
    }

    fn items(&self, fields: &Map<String, Value>, items: &[Value], seen: &mut Seen) -> Verdict {
        between(fields, items.len(), "minItems", "maxItems")?;
        if fields.get("uniqueItems") == Some(&Value::Bool(true)) {
            let mut texts = HashSet::new();
            let mut all = items.iter();
            keeps(
                "uniqueItems",
                all.all(|item| texts.insert(canonical::text(item))),
            )?;
        }
        let first: Vec<&Value> = list(fields, "prefixItems").collect();
        for (index, (schema, item)) in first.iter().zip(items).enumerate() {
            self.schema(schema, item, &mut Seen::default())
                .map_err(|_| "prefixItems")?;
            seen.item(index);
        }
        if let Some(schema) = fields.get("items") {
            for (index, item) in items.iter().enumerate().skip(first.len()) {
                self.schema(schema, item, &mut Seen::default())
                    .map_err(|_| "items")?;
                seen.item(index);
            }
        }
        self.contained(fields, items, seen)?;
        if let Some(schema) = fields.get("unevaluatedItems") {
            for (index, item) in items.iter().enumerate() {
                if !seen.has_item(index) {
                    keeps("unevaluatedItems", self.holds(schema, item))?;
                    seen.item(index);
                }
            }
        }
        Ok(())
    }

    fn contained(&self, fields: &Map<String, Value>, items: &[Value], seen: &mut Seen) -> Verdict {
        let Some(schema) = fields.get("contains") else {
            return Ok(());
        };
        let mut count = 0;
        for (index, item) in items.iter().enumerate() {
            if self.holds(schema, item) {
                count += 1;
                seen.item(index);
            }
        }
        if !fields.contains_key("minContains") {
            keeps("contains", count > 0)?;
        }
        between(fields, count, "minContains", "maxContains")
    }

    fn members(
        &self,
        fields: &Map<String, Value>,
        value: &Value,
        members: &Map<String, Value>,
        seen: &mut Seen,
    ) -> Verdict {
        between(fields, members.len(), "minProperties", "maxProperties")?;
        let mut required = list(fields, "required").filter_map(Value::as_str);
        keeps("required", required.all(|name| members.contains_key(name)))?;
        for (name, member) in members {
            self.member(fields, name, member, seen)?;
        }
        if let Some(schema) = fields.get("unevaluatedProperties") {
            for (name, member) in value.as_object().into_iter().flatten() {
                if !seen.has_property(name) {
                    keeps("unevaluatedProperties", self.holds(schema, member))?;
                    seen.property(name);
                }
            }
        }
        Ok(())
    }

    fn member(
        &self,
        fields: &Map<String, Value>,
        name: &str,
        member: &Value,
        seen: &mut Seen,
    ) -> Verdict {
        if let Some(schema) = fields.get("propertyNames") {
            keeps("propertyNames", self.holds(schema, &name.into()))?;
        }
        let mut is_named = false;
        if let Some(schema) = fields.get("properties").and_then(|all| all.get(name)) {
            self.schema(schema, member, &mut Seen::default())
                .map_err(|_| "properties")?;
            is_named = true;
        }
        for (source, schema) in map(fields, "patternProperties") {
            if self.matches(source, name) {
                self.schema(schema, member, &mut Seen::default())
                    .map_err(|_| "patternProperties")?;
                is_named = true;
            }
        }
        if let (false, Some(schema)) = (is_named, fields.get("additionalProperties")) {
            keeps("additionalProperties", self.holds(schema, member))?;
            is_named = true;
        }
        if is_named {
            seen.property(name);
        }
        Ok(())
    }
}

/// Keywords that ask for one type or one of several values.
fn whole(fields: &Map<String, Value>, value: &Value) -> Verdict {
    let kind = fields.get("type");
    keeps(
        "type",
        kind.is_none_or(|kind| scalar::is_of_type(value, kind)),
    )?;
    let constant = fields.get("const");
    keeps(
        "const",
        constant.is_none_or(|one| scalar::equal(one, value)),
    )?;
    let mut values = list(fields, "enum");
    keeps(
        "enum",
        !fields.contains_key("enum") || values.any(|one| scalar::equal(one, value)),
    )
}

fn keeps(keyword: &'static str, good: bool) -> Verdict {
    if good { Ok(()) } else { Err(keyword) }
}

/// Whether a count lies between two keywords. A bound may be written `2.0`.
fn between(
    fields: &Map<String, Value>,
    count: usize,
    least: &'static str,
    most: &'static str,
) -> Verdict {
    #[allow(clippy::cast_precision_loss, reason = "no count is that large")]
    let count = count as f64;
    let bound = |keyword: &str| fields.get(keyword).and_then(Value::as_f64);
    keeps(least, bound(least).is_none_or(|least| count >= least))?;
    keeps(most, bound(most).is_none_or(|most| count <= most))
}

fn list<'v>(
    fields: &'v Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = &'v Value> + use<'v> {
    fields
        .get(key)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

fn map<'v>(
    fields: &'v Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = (&'v String, &'v Value)> + use<'v> {
    fields
        .get(key)
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
}
