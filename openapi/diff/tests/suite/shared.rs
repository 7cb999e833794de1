//! Tests that a change of a shared part is one finding that names the operations.

use openapi_diff::{Change, Level};

use super::documents::{between, listed};

/// A document whose paths share a card schema with this maximum length.
fn document(paths: &[&str], length: u32) -> String {
    use std::fmt::Write;
    let mut text = "openapi: 3.0.4\ninfo: {title: t, version: '1'}\npaths:\n".to_owned();
    for path in paths {
        let stability = if *path == "/draft" { "draft" } else { "stable" };
        write!(
            text,
            "  {path}:\n    post:\n      x-stability-level: {stability}\n      requestBody:\n        \
             content: {{application/json: {{schema: {{$ref: '#/components/schemas/Card'}}}}}}\n      \
             responses: {{'200': {{description: d}}}}\n"
        )
        .unwrap();
    }
    write!(
        text,
        "components:\n  schemas:\n    Card:\n      type: object\n      properties:\n        \
         number: {{type: string, maxLength: {length}}}\n"
    )
    .unwrap();
    text
}

#[track_caller]
fn only(paths: &[&str]) -> Change {
    let found = between(&document(paths, 19), &document(paths, 16));
    let mut found = found.into_iter();
    let is = |one: &Change| one.rule.id == "request-property-max-length-decreased";
    let change = found.find(is).unwrap();
    let rest: Vec<Change> = found.filter(is).collect();
    assert!(rest.is_empty(), "{}", listed(&rest));
    change
}

#[test]
fn a_change_of_a_shared_part_is_one_finding() {
    let many = only(&["/a", "/b", "/c", "/d", "/e"]);
    let names: Vec<_> = many
        .reach
        .iter()
        .filter_map(|one| one.operation.as_deref())
        .collect();
    assert_eq!(
        names,
        ["POST /a", "POST /b", "POST /c", "POST /d", "POST /e"]
    );
    assert_eq!(many.operation, None);
    assert_eq!(many.subject, "schema Card /number");
    assert_eq!(
        many.title,
        "`/number` of the schema `Card` has a maximum length of 16 instead of 19 \
         (5 operations: `POST /a`, `POST /b`, `POST /c` and 2 more)"
    );
}

#[test]
fn a_shared_part_keeps_its_identity_however_many_operations_use_it() {
    let one = only(&["/a"]);
    assert_eq!(one.operation.as_deref(), Some("POST /a"));
    assert!(
        one.title.starts_with("`/number` of the request body"),
        "{}",
        one.title
    );
    let two = only(&["/0", "/a"]);
    assert_eq!(one.shared, two.shared);
    assert_eq!(one.shared.as_deref(), Some("schema Card /number"));
    assert_eq!((one.reach.len(), two.reach.len()), (1, 2));
}

#[test]
fn the_most_stable_operation_decides_the_level() {
    assert_eq!(only(&["/draft"]).level, Level::Info);
    let both = only(&["/draft", "/a"]);
    assert_eq!(both.level, Level::Error);
    assert!(both.help.is_some());
}
