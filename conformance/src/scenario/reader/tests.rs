//! Tests of the reader.

use std::time::Duration;

use super::*;

const HEAD: &str = "arazzo: 1.0.1\nworkflows:\n  - workflowId: w\n    steps:\n";

fn errors(steps: &str) -> String {
    let errors = read_texts(&[("w.arazzo.yaml", &format!("{HEAD}{steps}"))]).unwrap_err();
    errors.diagnostics.render(&errors.sources, false)
}

#[test]
fn reads_a_step_with_everything() {
    let steps = "      - stepId: a
        operationId: $sourceDescriptions.payments.create
        x-example: ok
        x-final: true
        requestBody: {replacements: [{target: /a/b, value: $inputs.x}]}
        successCriteria: [{condition: $statusCode == 201}]
        outputs: {id: $response.body#/id}
      - stepId: b
        operationId: read
        parameters: [{name: id, in: path, value: $steps.a.outputs.id}]
        x-until: {deadline: PT5S, interval: PT0.1S, criteria: [{condition: $response.body#/s == 'A'}]}
        x-parallel: {count: 16, atMost: {condition: $statusCode == 201, count: 1}, exactly: true}
        x-rejection: true
        x-provenance: {level: inferred}
";
    let scenarios = read_texts(&[("w.arazzo.yaml", &format!("{HEAD}{steps}"))])
        .unwrap()
        .list;
    let [a, b] = &scenarios[0].steps[..] else {
        panic!("two steps")
    };
    assert_eq!(
        (a.operation_id.as_str(), a.example.as_deref()),
        ("create", Some("ok"))
    );
    assert!(a.is_final && !a.rejection && b.rejection);
    assert_eq!(b.needs(), ["a"]);
    assert_eq!(
        b.until.as_ref().unwrap().interval,
        Duration::from_millis(100)
    );
    let parallel = b.parallel.as_ref().unwrap();
    assert_eq!((parallel.count, parallel.key_names), (16, true));
    assert!(parallel.limit.as_ref().unwrap().exactly);
    assert_eq!(b.spot.line, 12);
}

#[test]
fn every_mistake_is_reported_with_its_place() {
    let text = errors(
        "      - stepId: a
        operationId: create
        onFailure: []
        successCriteria: [{condition: $statusCode = 201}]
        x-until: {deadline: soon, interval: PT1S}
      - stepId: a
        operationId: read
        parameters: [{name: id, value: $steps.z.outputs.id}]
",
    );
    for part in [
        "`onFailure` of a step is not supported",
        "is not a condition",
        "a duration such as",
        "two steps are called `a`",
        "there is no step `z` before `a`",
        "w.arazzo.yaml:7:",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn other_documents_are_refused() {
    for text in [
        "arazzo: 2.0.0\nworkflows: []\n",
        "openapi: 3.0.0\n",
        "a: [",
        "- 1\n",
    ] {
        assert!(read_texts(&[("w.arazzo.yaml", text)]).is_err(), "{text}");
    }
}

#[test]
fn workflows_have_steps_and_unique_names() {
    let twice =
        "arazzo: 1.0.1\nworkflows:\n  - {workflowId: w, steps: {a: 1}}\n  - {workflowId: w}\n";
    let errors = read_texts(&[("w.arazzo.yaml", twice)]).unwrap_err();
    let text = errors.diagnostics.render(&errors.sources, false);
    for expected in [
        "a list of steps is expected",
        "two workflows are called `w`",
        "`steps` is missing",
        "w.arazzo.yaml:4:",
    ] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
}
