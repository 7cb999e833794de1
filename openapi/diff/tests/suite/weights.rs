//! Tests that levels depend on provenance, stability and direction.

use super::documents::{between, listed};

/// A document with one operation, with a line before its responses.
fn document(life: &str, property: &str) -> String {
    format!(
        "openapi: 3.0.4
info: {{title: t, version: '1'}}
paths:
  /things:
    post:
      {life}
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                p: {property}
      responses: {{'200': {{description: d}}}}
"
    )
}

/// The level of the single change between two schemas of a property.
#[track_caller]
fn weight(life: &str, from: &str, to: &str) -> String {
    let found = between(&document(life, from), &document(life, to));
    let mut levels = found.iter().filter(|change| change.operation.is_some());
    let level = levels
        .next()
        .unwrap_or_else(|| panic!("nothing found"))
        .level;
    assert!(levels.next().is_none(), "{}", listed(&found));
    level.to_string()
}

#[test]
fn provenance_and_stability_decide_how_much_a_break_weighs() {
    const NONE: &str = "x-note: n";
    let plain = ("{type: string}", "{type: integer}");
    let with = |level: &str| {
        let provenance = format!("x-provenance: {{level: {level}, section: s}}");
        let typed = |name: &str| format!("{{type: {name}, {provenance}}}");
        (provenance.clone(), typed("string"), typed("integer"))
    };
    assert_eq!(weight(NONE, plain.0, plain.1), "error");
    for (level, expected) in [
        ("documented", "error"),
        ("inferred", "error"),
        ("proposed", "warning"),
    ] {
        let (life, from, to) = with(level);
        assert_eq!(
            weight(&life, plain.0, plain.1),
            expected,
            "{level} operation"
        );
        assert_eq!(weight(NONE, &from, &to), expected, "{level} property");
    }
    let (proposed, from, to) = (
        with("proposed").0,
        with("documented").1,
        with("documented").2,
    );
    assert_eq!(
        weight(&proposed, &from, &to),
        "error",
        "a documented part in a proposed one"
    );
    for (stability, expected) in [
        ("draft", "info"),
        ("alpha", "info"),
        ("beta", "error"),
        ("stable", "error"),
    ] {
        let life = format!("x-stability-level: {stability}");
        assert_eq!(weight(&life, plain.0, plain.1), expected, "{stability}");
    }
}

#[test]
fn callbacks_have_the_reverse_direction() {
    let callback = |schema: &str, answer: &str| {
        format!(
            "callbacks: {{done: {{'{{$request.body#/url}}': {{post: {{requestBody: {{content: \
             {{application/json: {{schema: {schema}}}}}}}, responses: {{'200': {{description: d, \
             content: {{application/json: {{schema: {answer}}}}}}}}}}}}}}}}}"
        )
    };
    let (open, closed) = ("{type: string}", "{type: string, maxLength: 5}");
    let rules = |from: (&str, &str), to: (&str, &str)| {
        let text = |(schema, answer)| document(&callback(schema, answer), "{}");
        let found = between(&text(from), &text(to));
        let mut ids: Vec<_> = found.iter().map(|change| change.rule.id).collect();
        ids.retain(|id| *id != "api-version-not-bumped");
        ids
    };
    assert_eq!(
        rules((closed, open), (open, open)),
        ["response-body-max-length-unset"]
    );
    assert_eq!(
        rules((open, open), (closed, open)),
        ["response-max-length-set"]
    );
    assert_eq!(
        rules((open, open), (open, closed)),
        ["request-body-max-length-set"]
    );
    assert_eq!(
        rules((open, closed), (open, open)),
        ["request-max-length-unset"]
    );
}

#[test]
fn read_only_behind_a_reference_hides_a_property() {
    let text = |properties: &str, required: &str| {
        document("x-note: n", "{}").replace(
            "                p: {}",
            &format!("                {properties}\n              required: [{required}]"),
        ) + "components: {schemas: {Id: {type: string, readOnly: true}}}\n"
    };
    let found = between(
        &text("a: {type: string}", "a"),
        &text(
            "{a: {type: string}, b: {$ref: '#/components/schemas/Id'}}",
            "a, b",
        ),
    );
    let found: Vec<_> = found
        .iter()
        .filter(|change| change.operation.is_some())
        .collect();
    assert!(found.is_empty(), "{found:?}");
}
