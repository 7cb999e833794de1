//! Tests the fixes: they remove the finding, keep comments and layout, and cause no new finding.

use openapi_document::loader::load_text;
use openapi_lint::{fix, lint};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

/// A document without findings, with comments in many places.
const CLEAN: &str = r"# The whole.
openapi: 3.0.4
info: {title: t, version: '1', description: d, license: {name: MIT, url: u}} # beside
servers:
  - url: https://things.test # an address
tags: [{name: t, description: d}]
security: [{key: []}]
paths:
  /things/{id}:
    get:
      operationId: getThing # a name
      summary: s
      tags: [t]
      parameters:
        - name: id # of the thing
          in: path
          required: true
          schema: {type: string}
          example: x
      responses:
        '200':
          description: d
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Thing'}
              example: {size: small}
        '404': {description: d}
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: k}
  schemas:
    Thing:
      type: object
      required: [size]
      properties:
        size:
          type: string # a word
          enum:
            - small # is small
            - large
            # the last one
            - '10'
        secret: {x-sensitive: true, type: string}
        shade: {type: string, nullable: true, enum: [light, dark, null]}
        parts: # in order
          type: array
          items: {type: string}
";

/// Rule, original text, broken text, and the text after the fix.
const CASES: &[(&str, &str, &str, &str)] = &[
    (
        "server-url-trailing-slash",
        "things.test #",
        "things.test/ #",
        "things.test #",
    ),
    (
        "server-url-trailing-slash",
        "url: https://things.test",
        "url: 'https://things.test//'",
        "url: 'https://things.test'",
    ),
    (
        "unknown-key",
        "operationId: getThing",
        "operationID: getThing",
        "operationId: getThing",
    ),
    (
        "unknown-key",
        "required: [size]",
        "\"requird\": [size]",
        "\"required\": [size]",
    ),
    (
        "unknown-key",
        "type: array\n",
        "tpye: array\n",
        "type: array\n",
    ),
    (
        "path-parameter-unused",
        "          required: true\n",
        "          required: false\n",
        "          required: true\n",
    ),
    (
        "path-parameter-unused",
        "- name: id # of the thing\n          in: path\n          required: true\n",
        "- name: id # of the thing\n          in: path\n",
        "- required: true\n          name: id # of the thing\n          in: path\n",
    ),
    (
        "unknown-type",
        "type: string # a word",
        "type: String # a word",
        "type: string # a word",
    ),
    (
        "unknown-type",
        "{x-sensitive: true, type: string}",
        "{x-sensitive: true, type: 'STRING'}",
        "{x-sensitive: true, type: 'string'}",
    ),
    (
        "duplicate-enum-value",
        "            # the last one\n",
        "            # the last one\n            - small # again\n",
        "            # the last one\n",
    ),
    (
        "duplicate-enum-value",
        "[light, dark, null]",
        "[light, dark, null, light]",
        "[light, dark, null]",
    ),
    ("enum-type-mismatch", "- '10'", "- 10", "- \"10\""),
    (
        "nullable-enum-without-null",
        "[light, dark, null]",
        "[light, dark]",
        "[light, dark, null]",
    ),
    (
        "nullable-enum-without-null",
        "type: string # a word",
        "nullable: true\n          type: string # a word",
        "nullable: true\n          type: string # a word",
    ),
    (
        "nullable-without-type",
        "shade: {type: string, nullable",
        "shade: {nullable",
        "shade: {type: string, nullable",
    ),
    (
        "array-without-items",
        "          type: array\n          items: {type: string}\n",
        "          type: array\n",
        "          items: {}\n          type: array\n",
    ),
    (
        "unmarked-secret",
        "x-sensitive: true, type: string}",
        "x-sensitive: true, type: string}\n        token: {type: string}",
        "x-sensitive: true, type: string}\n        token: {x-sensitive: true, type: string}",
    ),
    (
        "unmarked-secret",
        "x-sensitive: true, type: string}",
        "x-sensitive: true, type: string}\n        token: # of whom\n          type: string",
        "x-sensitive: true, type: string}\n        token: # of whom\n          x-sensitive: true\n          type: string",
    ),
];

fn rules(text: &str) -> Vec<&'static str> {
    let document = load_text("t.yaml", text).unwrap();
    lint(&document).iter().map(|finding| finding.rule).collect()
}

/// The text after repeated fixes, until there is nothing left to fix.
fn fixed(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..CASES.len() {
        let document = load_text("t.yaml", &text).unwrap();
        match fix(&document.sources, &lint(&document)).pop() {
            Some(file) => text = file.text,
            None => break,
        }
    }
    text
}

#[test]
fn each_fix_fixes_its_finding_and_keeps_the_rest() {
    assert_eq!(rules(CLEAN), [] as [&str; 0]);
    assert_eq!(fixed(CLEAN), CLEAN);
    for (rule, what, broken, repaired) in CASES {
        assert!(CLEAN.contains(what), "{what}");
        let text = CLEAN.replacen(what, broken, 1);
        assert!(rules(&text).contains(rule), "{rule}: {:?}", rules(&text));
        let after = fixed(&text);
        let expected = CLEAN.replacen(what, repaired, 1);
        let added = "            - '10'\n            - null\n";
        let expected =
            if *rule == "nullable-enum-without-null" && broken.contains("nullable: true\n") {
                expected.replacen("            - '10'\n", added, 1)
            } else {
                expected
            };
        assert_eq!(after, expected, "{rule}");
        assert_eq!(rules(&after), [] as [&str; 0], "{rule}: {after}");
    }
}

#[test]
fn json_stays_json() {
    let text = r#"{"openapi": "3.0.4", "info": {"title": "t", "version": "1"}, "paths": {},
        "components": {"schemas": {"A": {
            "type": "array"
        }, "B": {"type": "string", "enum": ["a", 1, "a"]}}}}"#;
    let after = fixed(text);
    assert!(
        serde_json::from_str::<serde_json::Value>(&after).is_ok(),
        "{after}"
    );
    assert!(
        after.contains("\"items\": {},\n            \"type\": \"array\""),
        "{after}"
    );
    assert!(after.contains("[\"a\", \"1\"]"), "{after}");
}

#[test]
fn overlapping_fixes_wait_for_the_next_run() {
    let text = CLEAN.replacen(
        "[light, dark, null]",
        "[light, light, light, dark, null]",
        1,
    );
    let document = load_text("t.yaml", &text).unwrap();
    let once = fix(&document.sources, &lint(&document)).pop().unwrap();
    assert_eq!(once.titles, ["remove the second one"]);
    assert_eq!(fixed(&text), CLEAN);
}

proptest! {
    #![proptest_config(Config {
        cases: 48, failure_persistence: None, rng_seed: RngSeed::Fixed(2026), ..Config::default()
    })]

    /// Several errors at once: everything with a fix is fixed, and nothing new is found.
    #[test]
    fn several_errors_are_fixed_together(picked in prop::collection::vec(0..CASES.len(), 1..6)) {
        let mut text = CLEAN.to_owned();
        let mut broken_rules = Vec::new();
        for (rule, what, broken, _) in picked.into_iter().map(|place| CASES[place]) {
            // Two cases of one rule break the same place.
            if broken_rules.contains(&rule) {
                continue;
            }
            broken_rules.push(rule);
            text = text.replacen(what, broken, 1);
        }
        let after = fixed(&text);
        prop_assert_eq!(rules(&after), [] as [&str; 0], "{}", after);
        prop_assert_eq!(fixed(&after), after.clone());
        for comment in CLEAN.lines().filter_map(|line| line.split_once('#').map(|(_, text)| text)) {
            let is_text = comment.starts_with('/');
            prop_assert!(is_text || after.contains(comment), "{} is gone from {}", comment, after);
        }
    }
}
