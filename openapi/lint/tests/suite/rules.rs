//! Tests that each rule finds its error at the expected place, and nothing in a clean document.

use openapi_document::loader::load_text;
use openapi_lint::lint;

/// A document without findings; `@` marks the lines that a case replaces.
const CLEAN: &str = "openapi: 3.0.4
info: {title: t, version: '1', description: d, license: {name: MIT, url: u}}
security: [{key: []}]
paths:
  /things/{id}:
    get:
      operationId: getThing
      x-provenance: {level: documented, section: Things}
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}, examples: {a: {value: x}}}
      responses:
        '200':
          description: d
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Thing', x-note: n}
              examples: {a: {value: {amount: '1.00'}}}
        '404': {description: d}
      summary: s
      tags: [t]
  /things:
    post:
      operationId: addThing
      x-provenance: {level: proposed, section: Things}
      requestBody:
        content:
          application/json:
            schema: {$ref: '#/components/schemas/Thing'}
            examples: {b: {value: {amount: '1.00'}}}
      responses:
        '200':
          description: d
          content:
            application/json: {schema: {type: object}, examples: {b: {value: {}}}}
        '400': {description: d}
      summary: s
      tags: [t]
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: k}
  schemas:
    Thing:
      type: object
      required: [amount]
      properties:
        amount: {type: string, format: decimal}
servers: [{url: /}]
tags: [{name: t, description: d}]
";

fn findings(text: &str) -> Vec<String> {
    let document = load_text("t.yaml", text).expect("the document loads");
    lint(&document)
        .iter()
        .map(|finding| finding.one_line(&document.sources))
        .collect()
}

#[test]
fn a_clean_document_has_no_finding() {
    assert_eq!(findings(CLEAN), [] as [&str; 0]);
}

#[test]
fn a_callback_may_have_an_extension() {
    let post = "    post:\n      operationId: addThing\n";
    let sent = "      callbacks:\n        sent:\n          x-sent: later\n";
    let found = findings(&CLEAN.replacen(post, &format!("{post}{sent}"), 1));
    let structure = |line: &String| line.contains("invalid-structure");
    assert_eq!(found.into_iter().find(structure), None);
}

/// Rule, replaced text, replacement, and the place of the finding.
const CASES: &[(&str, &str, &str, &str)] = &[
    (
        "duplicate-key",
        "version: '1'",
        "version: '1', title: u",
        "2:32",
    ),
    (
        "unknown-key",
        "operationId: getThing",
        "operationID: getThing",
        "7:7",
    ),
    (
        "unknown-key",
        "required: [amount]",
        "requird: [amount]",
        "44:7",
    ),
    ("unknown-key", "required: [amount]", "const: 1", "44:7"),
    ("unknown-key", "'200':", "2000:", "12:9"),
    (
        "unresolved-reference",
        "'#/components/schemas/Thing', x-note",
        "'#/nope', x-note",
        "16:30",
    ),
    ("reference-siblings", "x-note: n", "description: n", "16:60"),
    (
        "cyclic-reference",
        "    Thing:\n",
        "    Loop: {$ref: '#/components/schemas/Loop'}\n    Thing:\n",
        "42:18",
    ),
    (
        "path-parameter-undeclared",
        "name: id, in: path",
        "name: id, in: query",
        "7:7",
    ),
    (
        "path-parameter-unused",
        "name: id, in: path",
        "name: ix, in: path",
        "10:11",
    ),
    (
        "path-parameter-unused",
        "in: path, required: true",
        "in: path, required: false",
        "10:11",
    ),
    (
        "duplicate-operation-id",
        "operationId: addThing",
        "operationId: getThing",
        "23:20",
    ),
    (
        "invalid-example",
        "amount: {type: string, format: decimal}",
        "amount: {type: string, pattern: '('}",
        "17:37",
    ),
    (
        "invalid-example",
        "examples: {b: {value: {amount: '1.00'}}}",
        "examples: {b: {value: {amount: 1.00}}}",
        "29:44",
    ),
    (
        "invalid-example",
        "examples: {a: {value: {amount: '1.00'}}}",
        "examples: {a: {value: {}}}",
        "17:37",
    ),
    (
        "invalid-example",
        "examples: {a: {value: x}}",
        "examples: {a: {value: 1}}",
        "10:94",
    ),
    (
        "operation-without-example",
        "            examples: {b: {value: {amount: '1.00'}}}\n",
        "",
        "23:20",
    ),
    (
        "response-without-example",
        "              examples: {a: {value: {amount: '1.00'}}}\n",
        "",
        "12:9",
    ),
    (
        "operation-without-provenance",
        "      x-provenance: {level: proposed, section: Things}\n",
        "",
        "23:20",
    ),
    (
        "unreadable-provenance",
        "level: proposed, section",
        "level: guessed, section",
        "24:29",
    ),
    (
        "unreadable-provenance",
        "level: proposed, section: Things",
        "level: proposed",
        "24:21",
    ),
    (
        "money-as-number",
        "amount: {type: string, format: decimal}",
        "amount: {type: number}",
        "46:24",
    ),
    (
        "example-without-pair",
        "examples: {b: {value: {}}}",
        "examples: {c: {value: {}}}",
        "29:27",
    ),
    (
        "undefined-security-scheme",
        "security: [{key: []}]",
        "security: [{kez: []}]",
        "3:13",
    ),
    (
        "invalid-structure",
        "in: header, name: k",
        "in: header",
        "40:10",
    ),
    (
        "invalid-structure",
        "required: [amount]",
        "required: amount",
        "44:17",
    ),
    (
        "invalid-structure",
        "      responses:\n        '200':\n          description: d\n          content:\n            application/json: {schema: {type: object}, examples: {b: {value: {}}}}\n        '400': {description: d}",
        "      responses: 12",
        "30:18",
    ),
];

#[test]
fn each_rule_finds_its_error() {
    let mut missed = Vec::new();
    for (rule, what, by, place) in CASES {
        assert!(CLEAN.contains(what), "{what}");
        let found = findings(&CLEAN.replacen(what, by, 1));
        let expected = format!("t.yaml:{place}: error[{rule}]");
        if !found.iter().any(|line| line.starts_with(&expected)) {
            missed.push(format!("{expected} in {found:#?}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn a_reference_in_a_wrong_place_is_only_an_unknown_key() {
    let text = CLEAN.replacen("info:", "$ref: 'http://elsewhere.example/x'\ninfo:", 1);
    let found = findings(&text);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].starts_with("t.yaml:2:1: error[unknown-key]"),
        "{found:#?}"
    );
}

#[test]
fn all_findings_are_reported_at_once_with_excerpts() {
    let text = CLEAN
        .replace("operationId: getThing", "operationID: getThing")
        .replace("x-note", "note");
    let document = load_text("t.yaml", &text).unwrap();
    let rendered = lint(&document).render(&document.sources, false);
    assert!(
        rendered.contains("error[unknown-key]: `operationID` is not a key of the Operation object")
    );
    assert!(
        rendered.contains("did you mean `operationId`?"),
        "{rendered}"
    );
    assert!(rendered.contains("--> t.yaml:7:7"), "{rendered}");
    assert!(rendered.contains("error[reference-siblings]"), "{rendered}");
}
