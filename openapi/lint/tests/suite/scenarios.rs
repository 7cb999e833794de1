//! Tests that each rule on scenarios finds its error at the expected place.

use openapi_document::{loader, scenarios};
use openapi_lint::{Level, Levels, Rule, SCENARIO_RULES, lint_scenarios_with};

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

/// Rule, replaced text, replacement, and the place of the finding.
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
    findings_with(text, &Levels::default())
}

fn findings_with(text: &str, levels: &Levels) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.arazzo.yaml"), text).unwrap();
    std::fs::write(folder.path().join("other.yaml"), "").unwrap();
    let document = loader::load_text("openapi.yaml", DOCUMENT).unwrap();
    let paths = scenarios::files(folder.path()).unwrap();
    assert_eq!(paths.len(), 1);
    let files = [scenarios::load(&paths[0]).unwrap()];
    let (file, found) = lint_scenarios_with(&document, &files, levels).remove(0);
    let shown = |line: String| line.replace(&paths[0].display().to_string(), "t");
    found
        .iter()
        .map(|finding| shown(finding.one_line(&file.sources)))
        .collect()
}

#[test]
fn each_rule_finds_its_error() {
    assert_eq!(findings(CLEAN), [] as [&str; 0]);
    for (rule, what, by, place) in CASES {
        let found = findings(&CLEAN.replacen(what, by, 1));
        let expected = format!("t:{place}: error[{rule}]");
        assert!(
            found.iter().any(|line| line.starts_with(&expected)),
            "{expected} in {found:#?}"
        );
    }
}

/// The places of the findings in the wrong example of each rule.
const PLACES: &[(&str, &[&str])] = &[
    ("scenario-duplicate-action", &["4:92"]),
    ("scenario-duplicate-criterion", &["4:111"]),
    ("scenario-duplicate-parameter", &["4:100"]),
    ("scenario-duplicate-replacement", &["4:110"]),
    ("scenario-duplicate-source", &["1:68"]),
    ("scenario-duplicate-step", &["5:18"]),
    ("scenario-duplicate-workflow", &["3:18"]),
    ("scenario-invalid-criterion", &["4:66"]),
    ("scenario-invalid-name", &["4:58"]),
    ("scenario-invalid-output", &["4:62"]),
    ("scenario-missing-key", &["4:9"]),
    ("scenario-operation-path", &["4:40"]),
    ("scenario-script-in-markdown", &["1:45"]),
    ("scenario-step-target", &["4:60"]),
    ("scenario-unknown-dependency", &["2:33"]),
    ("scenario-unknown-example", &["5:60"]),
    ("scenario-unknown-goto", &["4:91"]),
    ("scenario-unknown-key", &["5:26"]),
    ("scenario-unknown-operation", &["5:39"]),
    ("scenario-unknown-output", &["5:63"]),
    ("scenario-unknown-source-type", &["1:57"]),
    ("scenario-unknown-step", &["5:63"]),
    ("scenario-without-description", &["1:7"]),
    ("scenario-without-source", &["1:21"]),
];

/// The places of a rule's findings in a part of a scenario file.
fn places(rule: &Rule, part: &str) -> Vec<String> {
    let mut text = format!("{}\n", part.trim_end());
    for line in CLEAN.lines().take(3) {
        let key = line.split_inclusive(':').next().unwrap();
        if !text.lines().any(|line| line.starts_with(key)) {
            text.push_str(line);
            text.push('\n');
        }
    }
    let mut levels = Levels::default();
    levels.set(rule.id, Level::Error).unwrap();
    let end = format!(": error[{}]", rule.id);
    let found = findings_with(&text, &levels);
    let matching = found
        .iter()
        .filter_map(|line| Some(line.split_once(&end)?.0[2..].to_owned()));
    matching.collect()
}

#[test]
fn the_wrong_example_is_found_and_the_right_one_is_not() {
    let mut surprises = Vec::new();
    for rule in SCENARIO_RULES {
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
}
