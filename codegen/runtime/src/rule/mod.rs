//! Schemas that are held against values, for what types cannot say: `not`, `if`, `dependentRequired`.

mod evaluation;
mod scalar;
mod seen;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use regex::Regex;
use serde::Serialize;
use serde_json::Value;

use super::constraint::Violations;
use super::pattern;
use evaluation::Evaluation;

/// A JSON Schema (2020-12) as text, read when it is first used. References lead to `$defs` in its root.
///
/// A text that is no schema allows everything.
pub struct Rule {
    source: &'static str,
    read: OnceLock<Schema>,
}

/// A schema that was read, with its expressions.
#[doc(hidden)]
#[derive(Debug)]
pub struct Schema {
    root: Value,
    patterns: BTreeMap<String, Option<Regex>>,
}

impl Rule {
    /// A rule with the text of a schema.
    pub const fn new(source: &'static str) -> Self {
        Self {
            source,
            read: OnceLock::new(),
        }
    }

    /// Adds the keyword that a value breaks, where it breaks one.
    pub fn check<T: Serialize + ?Sized>(&self, found: &mut Violations<'_>, value: &T) {
        let schema = self.read.get_or_init(|| Schema::read(self.source));
        let Ok(value) = serde_json::to_value(value) else {
            return;
        };
        if let Err(keyword) = schema.check(&value) {
            found.add(keyword, format_args!("must keep to `{keyword}`"));
        }
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rule").field(&self.source).finish()
    }
}

impl Schema {
    /// Reads the text of a schema.
    pub fn read(source: &str) -> Self {
        let root = serde_json::from_str(source).unwrap_or(Value::Bool(true));
        let mut patterns = BTreeMap::new();
        collect(&root, &mut patterns);
        Self { root, patterns }
    }

    /// Whether a value keeps to it; the keyword that it breaks where it does not.
    ///
    /// # Errors
    /// The value breaks this keyword.
    pub fn check(&self, value: &Value) -> Result<(), &'static str> {
        Evaluation::of(&self.root, &self.patterns).check(value)
    }
}

/// Whether a value keeps to a schema; the keyword that it breaks where it does not.
///
/// # Errors
/// The value breaks this keyword.
pub fn check(source: &str, value: &Value) -> Result<(), &'static str> {
    Schema::read(source).check(value)
}

/// Compiles the expressions of a schema.
fn collect(schema: &Value, patterns: &mut BTreeMap<String, Option<Regex>>) {
    let mut add = |source: &str| {
        let compile = || pattern::compile(source);
        patterns.entry(source.to_owned()).or_insert_with(compile);
    };
    match schema {
        Value::Array(items) => items.iter().for_each(|item| collect(item, patterns)),
        Value::Object(fields) => {
            if let Some(source) = fields.get("pattern").and_then(Value::as_str) {
                add(source);
            }
            let named = fields.get("patternProperties").and_then(Value::as_object);
            named
                .into_iter()
                .flat_map(serde_json::Map::keys)
                .for_each(|source| add(source));
            fields.values().for_each(|field| collect(field, patterns));
        }
        _ => {}
    }
}
