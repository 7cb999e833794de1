//! Checks that each rule finds its wrong example, at the expected place, and nothing in its right
//! example.

use openapi_document::loader::load_text;
use openapi_lint::{Level, Levels, RULES, Rule, lint_with};

/// The places of the findings in the wrong example of each rule.
const PLACES: &[(&str, &[&str])] = &[
    ("ambiguous-paths", &["3:3"]),
    ("array-without-items", &["3:20"]),
    ("body-without-meaning", &["4:20"]),
    ("callback-in-callback", &["6:59"]),
    ("component-without-description", &["3:12"]),
    ("cyclic-reference", &["3:15"]),
    ("discriminator-not-required", &["5:37"]),
    ("document-without-servers", &["1:10"]),
    ("document-without-tags", &["2:10"]),
    ("duplicate-enum-value", &["3:47"]),
    ("duplicate-key", &["3:3"]),
    ("duplicate-operation-id", &["3:27"]),
    ("duplicate-parameter", &["6:11"]),
    ("duplicate-tag", &["1:45"]),
    ("empty-server-url", &["1:17"]),
    ("enum-type-mismatch", &["3:40"]),
    ("error-without-problem-schema", &["9:39"]),
    ("eval-in-markdown", &["1:50"]),
    ("example-and-examples", &["4:59"]),
    ("example-server", &["1:17"]),
    ("example-with-two-values", &["3:38"]),
    ("example-without-pair", &["5:56"]),
    ("identical-paths", &["3:3"]),
    ("ignored-header-parameter", &["6:18"]),
    ("impossible-schema", &["3:43"]),
    ("incomplete-contact", &["1:46", "1:46"]),
    ("info-without-contact", &["1:7"]),
    ("info-without-description", &["1:7"]),
    ("info-without-license", &["1:7"]),
    ("insecure-server", &["1:17"]),
    ("invalid-component-name", &["3:5"]),
    ("invalid-example", &["3:36"]),
    ("invalid-pattern", &["3:35"]),
    ("invalid-structure", &["3:37"]),
    ("keyword-of-other-type", &["3:27"]),
    ("license-without-url", &["1:46"]),
    ("malformed-runtime-expression", &["6:16"]),
    ("money-as-number", &["7:24"]),
    ("nullable-enum-without-null", &["3:48"]),
    ("nullable-without-type", &["3:22"]),
    ("operation-id-not-url-safe", &["2:32"]),
    ("operation-with-several-tags", &["2:34"]),
    ("operation-without-description", &["2:18"]),
    ("operation-without-error", &["2:30"]),
    ("operation-without-example", &["4:7"]),
    ("operation-without-id", &["2:18"]),
    ("operation-without-provenance", &["3:13"]),
    ("operation-without-security", &["2:18"]),
    ("operation-without-success", &["2:30"]),
    ("operation-without-summary", &["2:18"]),
    ("operation-without-tag", &["2:18"]),
    ("overlapping-alternatives", &["3:69"]),
    ("parameter-without-description", &["4:20"]),
    ("parameter-without-schema", &["6:18"]),
    ("path-not-kebab-case", &["2:3"]),
    ("path-parameter-undeclared", &["2:23"]),
    ("path-parameter-unused", &["4:20"]),
    ("path-trailing-slash", &["2:3"]),
    ("path-with-query", &["2:3"]),
    ("redundant-bound", &["4:57"]),
    ("reference-siblings", &["3:41"]),
    ("refused-by-openapiv3", &["5:35"]),
    ("repeated-alternative", &["3:36"]),
    ("repeated-path-parameter", &["2:3"]),
    ("response-without-example", &["5:9"]),
    ("script-in-markdown", &["1:50"]),
    ("server-in-webhook", &["3:26"]),
    ("server-url-trailing-slash", &["1:17"]),
    ("server-variable-outside-enum", &["3:33"]),
    ("tag-without-description", &["1:8"]),
    ("undefined-required-property", &["3:38"]),
    ("undefined-scope", &["1:21"]),
    ("undefined-security-scheme", &["1:13"]),
    ("undefined-server-variable", &["2:10"]),
    ("undefined-tag", &["3:26"]),
    ("unknown-key", &["2:19"]),
    ("unknown-link-parameter", &["9:64"]),
    ("unknown-type", &["3:18"]),
    ("unmarked-secret", &["7:9"]),
    ("unnamed-path-parameter", &["2:3"]),
    ("unreadable-provenance", &["2:36"]),
    ("unresolved-discriminator-mapping", &["5:58"]),
    ("unresolved-link", &["9:39"]),
    ("unresolved-reference", &["3:19"]),
    ("unsigned-webhook", &["9:15"]),
    ("unsorted-tags", &["1:43"]),
    ("unused-component", &["6:5"]),
    ("unused-server-variable", &["3:17"]),
    ("verb-in-path", &["2:3"]),
];

/// The places of a rule's findings in a part of a document.
fn places(rule: &Rule, part: &str) -> Vec<String> {
    let mut text = format!("{}\n", part.trim_end());
    for (key, whole) in [
        ("openapi", "openapi: 3.0.4"),
        ("info", "info: {title: t, version: '1'}"),
        ("paths", "paths: {}"),
    ] {
        if !text
            .lines()
            .any(|line| line.starts_with(&format!("{key}:")))
        {
            text.push_str(whole);
            text.push('\n');
        }
    }
    let document = load_text("t.yaml", &text);
    let document = document.map_err(|error| format!("{}: {}", rule.id, error.render(false)));
    let document = document.unwrap();
    let mut levels = Levels::default();
    levels.set(rule.id, Level::Error).unwrap();
    let found = lint_with(&document, &levels);
    let matching = found.iter().filter(|finding| finding.rule == rule.id);
    matching
        .map(|finding| {
            let (span, _) = finding.primary.as_ref().unwrap();
            let place = document.place(*span);
            format!("{}:{}", place.line, place.column)
        })
        .collect()
}

#[test]
fn the_wrong_example_is_found_and_the_right_one_is_not() {
    let mut surprises = Vec::new();
    for rule in RULES {
        let expected = PLACES.iter().find(|(id, _)| *id == rule.id);
        let found = places(rule, rule.wrong);
        if expected.is_none_or(|(_, places)| found != *places) || found.is_empty() {
            surprises.push(format!("(\"{}\", &{found:?}),", rule.id));
        }
        let found = places(rule, rule.right);
        if !found.is_empty() {
            surprises.push(format!(
                "{} finds its right example wrong at {found:?}",
                rule.id
            ));
        }
    }
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
    assert_eq!(
        PLACES.len(),
        RULES.len(),
        "this list has a rule that does not exist"
    );
}
