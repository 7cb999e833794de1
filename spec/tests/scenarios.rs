//! The rules on scenarios find what they are named for, at its place.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use spec::lint::{SCENARIO_RULES, lint_scenarios};
use spec::{loader, scenarios};

const DOCUMENT: &str = "openapi: 3.0.4
info: {title: t, version: '1'}
paths:
  /things:
    post:
      operationId: addThing
      responses:
        '200':
          description: d
          content: {application/json: {examples: {a: {value: 1}}}}
";

const CLEAN: &str = "arazzo: 1.0.1
info: {title: t, version: '1'}
sourceDescriptions: [{name: s, url: ../openapi.yaml, type: openapi}]
workflows:
  - workflowId: w
    steps:
      - stepId: one
        operationId: addThing
        x-example: a
        successCriteria: [{condition: $statusCode == 200}]
        outputs: {id: $response.body#/id}
      - stepId: two
        operationId: addThing
        x-until: {deadline: PT1S, criteria: [{condition: $statusCode == 200}]}
        requestBody: {replacements: [{target: /id, value: $steps.one.outputs.id}]}
";

/// Rule, what is replaced, by what, and the place of the finding.
const CASES: &[(&str, &str, &str, &str)] = &[
    ("scenario-unknown-key", "x-example", "x-exampel", "9:9"),
    ("scenario-unknown-key", "{deadline:", "{dedline:", "14:19"),
    (
        "scenario-unknown-operation",
        "operationId: addThing",
        "operationId: adThing",
        "8:22",
    ),
    (
        "scenario-unknown-example",
        "x-example: a",
        "x-example: b",
        "9:20",
    ),
    (
        "scenario-duplicate-step",
        "stepId: two",
        "stepId: one",
        "12:17",
    ),
    (
        "scenario-unknown-step",
        "$steps.one.",
        "$steps.two.",
        "15:59",
    ),
];

fn findings(text: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.arazzo.yaml"), text).unwrap();
    std::fs::write(folder.path().join("other.yaml"), "").unwrap();
    let document = loader::load_text("openapi.yaml", DOCUMENT).unwrap();
    let paths = scenarios::files(folder.path()).unwrap();
    assert_eq!(paths.len(), 1);
    let files = [scenarios::load(&paths[0]).unwrap()];
    let (file, found) = lint_scenarios(&document, &files).remove(0);
    let shown = |line: String| line.replace(&paths[0].display().to_string(), "t");
    found
        .iter()
        .map(|finding| shown(finding.one_line(&file.sources)))
        .collect()
}

#[test]
fn each_rule_finds_what_it_is_named_for() {
    assert_eq!(findings(CLEAN), [] as [&str; 0]);
    for (rule, what, by, place) in CASES {
        let found = findings(&CLEAN.replacen(what, by, 1));
        let expected = format!("t:{place}: error[{rule}]");
        assert!(
            found.iter().any(|line| line.starts_with(&expected)),
            "{expected} in {found:#?}"
        );
    }
    for (rule, _) in SCENARIO_RULES {
        assert!(
            CASES.iter().any(|(id, ..)| id == rule),
            "{rule} has no case"
        );
    }
}
