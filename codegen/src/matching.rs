//! Holds values against patterns and rules, each of which is compiled once.

use std::cell::RefCell;
use std::collections::HashMap;

use openapi_generate_runtime::pattern;
use openapi_generate_runtime::rule::Schema;
use regex::Regex;
use serde_json::Value;

/// How many compiled patterns, or rules, are kept.
const KEPT: usize = 1_000;

thread_local! {
    static PATTERNS: RefCell<HashMap<String, Option<Regex>>> = RefCell::default();
    static RULES: RefCell<HashMap<String, Schema>> = RefCell::default();
}

/// Whether the run-time's expressions can say what a pattern of the document says.
pub(crate) fn is_supported(source: &str) -> bool {
    PATTERNS.with_borrow_mut(|known| kept(known, source, pattern::compile).is_some())
}

/// Whether any part of the text matches a pattern of the document.
pub(crate) fn is_match(source: &str, text: &str) -> bool {
    PATTERNS.with_borrow_mut(|known| {
        let compiled = kept(known, source, pattern::compile);
        compiled.as_ref().is_some_and(|regex| regex.is_match(text))
    })
}

/// Whether a value keeps to a rule; the keyword that it breaks where it does not.
pub(crate) fn check(rule: &str, value: &Value) -> Result<(), &'static str> {
    RULES.with_borrow_mut(|known| kept(known, rule, Schema::read).check(value))
}

fn kept<'k, T>(known: &'k mut HashMap<String, T>, source: &str, compile: fn(&str) -> T) -> &'k T {
    if known.len() >= KEPT && !known.contains_key(source) {
        known.clear();
    }
    let compile = || compile(source);
    known.entry(source.to_owned()).or_insert_with(compile)
}
