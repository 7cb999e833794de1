//! Tests that pathological documents neither run forever nor cause a panic.

use std::fmt::Write;
use std::time::{Duration, Instant};

use super::documents::{changes, load};

/// The time limit for such a comparison; without bounds in the code it would take hours.
const SOON: Duration = Duration::from_mins(1);

fn document(schemas: &str, entry: &str) -> String {
    format!(
        r##"{{"openapi": "3.0.4", "info": {{"title": "t", "version": "1"}},
        "paths": {{"/x": {{"get": {{"responses": {{"200": {{"description": "d", "content":
        {{"application/json": {{"schema": {{"$ref": "#/components/schemas/{entry}"}}}}}}}}}}}}}}}},
        "components": {{"schemas": {{{schemas}}}}}}}"##
    )
}

fn reference(name: impl std::fmt::Display) -> String {
    format!(r##"{{"$ref": "#/components/schemas/{name}"}}"##)
}

/// A chain of schemas, each built from its number and a reference to the next; the last one limits
/// the length of a text.
fn chain(length: usize, last: usize, schema: impl Fn(String) -> String) -> String {
    let mut schemas = String::new();
    for number in 0..length {
        let next = reference(format!("S{}", number + 1));
        write!(schemas, r#""S{number}": {},"#, schema(next)).unwrap();
    }
    write!(
        schemas,
        r#""S{length}": {{"type": "string", "maxLength": {last}}}"#
    )
    .unwrap();
    document(&schemas, "S0")
}

/// The rule ids of the changes, found within the time limit.
#[track_caller]
fn soon(base: &str, revision: &str) -> Vec<&'static str> {
    let (base, revision) = (load("base.json", base), load("revision.json", revision));
    let start = Instant::now();
    let found = changes(&base, &revision);
    assert!(start.elapsed() < SOON, "took {:?}", start.elapsed());
    let mut ids: Vec<_> = found.iter().map(|change| change.rule.id).collect();
    ids.sort_unstable();
    ids
}

/// A linked list that ends in a cycle, with a text in each link.
fn ring(length: usize) -> String {
    let mut schemas = String::new();
    for number in 0..length {
        let next = reference(format!("S{}", (number + 1) % length));
        let comma = if number == 0 { "" } else { "," };
        write!(
            schemas,
            r#"{comma}"S{number}": {{"type": "object", "properties": {{"next": {next}}}}}"#
        )
        .unwrap();
    }
    document(&schemas, "S0")
}

#[test]
fn a_change_at_the_end_of_a_long_chain_is_found() {
    let property = |next: String| format!(r#"{{"properties": {{"next": {next}}}}}"#);
    let found = soon(&chain(5000, 3, property), &chain(5000, 9, property));
    assert_eq!(
        found,
        [
            "api-version-not-bumped",
            "response-property-max-length-increased"
        ]
    );
}

#[test]
fn doubled_paths_are_followed_once() {
    let all_of = |next: String| format!(r#"{{"allOf": [{next}, {next}]}}"#);
    let found = soon(&chain(100, 3, all_of), &chain(100, 9, all_of));
    assert_eq!(
        found,
        [
            "api-version-not-bumped",
            "response-body-max-length-increased"
        ]
    );
    let properties = |next: String| format!(r#"{{"properties": {{"a": {next}, "b": {next}}}}}"#);
    let found = soon(&chain(1000, 3, properties), &chain(1000, 9, properties));
    assert_eq!(
        found,
        [
            "api-version-not-bumped",
            "response-property-max-length-increased"
        ]
    );
    let one_of = |next: String| format!(r#"{{"oneOf": [{next}, {{"type": "null"}}, {next}]}}"#);
    soon(&chain(300, 3, one_of), &chain(300, 9, one_of));
}

#[test]
fn comparison_of_recursive_schemas_ends() {
    for schema in [
        r##""S0": {"$ref": "#/components/schemas/S0"}"##,
        r##""S0": {"allOf": [{"$ref": "#/components/schemas/S0"}, {"type": "object"}]}"##,
        r##""S0": {"oneOf": [{"$ref": "#/components/schemas/S0"}, {"type": "string"}]}"##,
        r##""S0": {"not": {"$ref": "#/components/schemas/S0"}}"##,
        r##""S0": {"items": {"$ref": "#/components/schemas/S0"}, "type": "array"}"##,
        r##""S0": {"additionalProperties": {"$ref": "#/components/schemas/S0"}}"##,
        r##""S0": {"$ref": "#/nowhere"}"##,
    ] {
        let base = document(schema, "S0");
        assert_eq!(soon(&base, &base), [] as [&str; 0], "{schema}");
        soon(&base, &document(r#""S0": {"type": "integer"}"#, "S0"));
        soon(&document(r#""S0": {"type": "integer"}"#, "S0"), &base);
    }
}

#[test]
fn cycles_of_different_lengths_are_equal() {
    assert_eq!(soon(&ring(2), &ring(3)), [] as [&str; 0]);
}

#[test]
fn too_many_pairs_stop_the_comparison_with_a_finding() {
    // Coprime lengths pair each link with each.
    let found = soon(&ring(449), &ring(457));
    assert_eq!(found, ["api-version-not-bumped", "comparison-incomplete"]);
}

#[test]
fn comparison_of_long_enums_and_alternatives_ends() {
    let values = |from: usize| {
        let all: Vec<String> = (from..from + 50_000).map(|n| format!("\"v{n}\"")).collect();
        document(&format!(r#""S0": {{"enum": [{}]}}"#, all.join(",")), "S0")
    };
    assert_eq!(soon(&values(0), &values(1)).len(), 3);
    let alternatives = |word: &str| {
        let all: Vec<String> = (0..3000)
            .map(|n| format!(r#"{{"type": "object", "properties": {{"{word}{n}": {{}}}}}}"#))
            .collect();
        document(&format!(r#""S0": {{"oneOf": [{}]}}"#, all.join(",")), "S0")
    };
    soon(&alternatives("a"), &alternatives("b"));
}
