//! Compares the findings with a validator: a change of the valid values must be found.

use openapi_diff::{Change, Direction, Level};
use openapi_document::schema::Schemas;
use openapi_document::{Document, Pointer, json};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngSeed};
use serde_json::{Map, Value};

use super::documents::{changes, listed, load};
use super::random::{
    REQUEST, RESPONSE, count, document, edits, replace, rewritings, schemas, values,
};

/// A rewriting: the index of the schema, and the kind.
type Rewriting = (Index, usize);

fn rewriting() -> impl Strategy<Value = Rewriting> {
    (any::<Index>(), 0..rewritings::KINDS)
}

/// A schema after some rewritings, and the components that they added.
fn rewritten(schema: &Value, all: &[Rewriting]) -> (Value, Value) {
    let mut components = Map::new();
    let mut schema = schema.clone();
    for (at, kind) in all {
        let at = at.index(count(&schema));
        schema = replace(&schema, at, |one| {
            rewritings::rewrite(one, *kind, &mut components)
        });
    }
    (schema, components.into())
}

/// A schema after one edit of a schema in it.
fn edited(schema: &Value, at: Index, edit: Index) -> Value {
    replace(schema, at.index(count(schema)), |one| {
        let mut all = edits::edits(one);
        if all.is_empty() {
            one.clone()
        } else {
            all.swap_remove(edit.index(all.len()))
        }
    })
}

fn no_component() -> Value {
    Value::Object(Map::new())
}

/// Whether a value is valid against the schema at a pointer.
fn fits(document: &Document, schemas: &Schemas, pointer: &str, value: &Value) -> bool {
    let schema = document.lookup(&Pointer::parse(pointer).unwrap()).unwrap();
    let value = json::read_text(&value.to_string()).unwrap();
    schemas.validate(&schema, &value).unwrap().is_empty()
}

fn weighs(found: &[Change], direction: Direction) -> bool {
    found
        .iter()
        .any(|change| change.rule.direction == direction && change.level > Level::Info)
}

/// Checks the findings for two schemas against a validator. Returns the number of values whose
/// validity differs.
fn judge(old: &Value, old_text: &str, new: &Value, new_text: &str) -> Result<usize, TestCaseError> {
    let (base, revision) = (load("base.json", old_text), load("revision.json", new_text));
    let found = changes(&base, &revision);
    let (before, after) = (Schemas::new(&base), Schemas::new(&revision));
    let mut apart = 0;
    for value in values::values(old) {
        if fits(&base, &before, REQUEST, &value) && !fits(&revision, &after, REQUEST, &value) {
            apart += 1;
            let is_found = weighs(&found, Direction::Request);
            prop_assert!(
                is_found,
                "{value} was valid\n{old_text}\n{new_text}\n{}",
                listed(&found)
            );
        }
    }
    for value in values::values(new) {
        if fits(&revision, &after, RESPONSE, &value) && !fits(&base, &before, RESPONSE, &value) {
            apart += 1;
            let is_found = weighs(&found, Direction::Response);
            prop_assert!(
                is_found,
                "{value} is new\n{old_text}\n{new_text}\n{}",
                listed(&found)
            );
        }
    }
    Ok(apart)
}

fn config() -> Config {
    Config {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2026),
        cases: 512,
        ..Config::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn equivalent_rewritings_are_never_a_change(
        schema in schemas::schema(),
        before in prop::collection::vec(rewriting(), 0..3),
        after in prop::collection::vec(rewriting(), 1..5),
    ) {
        let (old, old_components) = rewritten(&schema, &before);
        let (new, new_components) = rewritten(&schema, &after);
        let old = load("base.json", &document(&old, &old_components));
        let new = load("revision.json", &document(&new, &new_components));
        let found = changes(&old, &new);
        prop_assert!(found.is_empty(), "{}", listed(&found));
    }

    #[test]
    fn newly_refused_requests_and_new_responses_are_never_missed(
        schema in schemas::schema(),
        at in any::<Index>(),
        edit in any::<Index>(),
        again in prop::option::of((any::<Index>(), any::<Index>())),
        after in prop::collection::vec(rewriting(), 0..3),
    ) {
        let mut new = edited(&schema, at, edit);
        if let Some((at, edit)) = again {
            new = edited(&new, at, edit);
        }
        let (written, components) = rewritten(&new, &after);
        let old_text = document(&schema, &no_component());
        judge(&schema, &old_text, &new, &document(&written, &components))?;
    }
}

#[test]
fn enough_edits_change_the_validity_of_values() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::new(config());
    let (mut distinguished, mut all) = (0, 0);
    for _ in 0..40 {
        let schema = schemas::schema().new_tree(&mut runner).unwrap().current();
        for edit in edits::edits(&schema) {
            let (old, new) = (
                document(&schema, &no_component()),
                document(&edit, &no_component()),
            );
            all += 1;
            distinguished += usize::from(
                judge(&schema, &old, &edit, &new).unwrap_or_else(|error| panic!("{error}")) > 0,
            );
        }
    }
    assert!(
        distinguished * 2 > all,
        "values distinguish {distinguished} of {all} edits"
    );
}
