//! Tests the loader and the rules for behaviour files.

use std::path::Path;

use openapi_document::Behaviour;
use openapi_document::behaviour::contradictions;
use openapi_document::behaviour::{self, Wire};
use openapi_document::loader;
use openapi_lint::{BEHAVIOUR_RULES, lint_behaviour};

/// A document from another domain than payments, because the format is general.
const DOCUMENT: &str = "openapi: 3.0.4
info: {title: t, version: '1'}
paths:
  /gates/{id}/coins:
    post:
      operationId: insertCoin
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Coin'}}}}
      responses: {'200': {description: d}}
  /gates/tips:
    post:
      operationId: tip
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Coin'}}}}
      responses: {'200': {description: d}}
components:
  schemas:
    Coin: {type: object, properties: {amount: {type: string, format: decimal}}}
    Gate:
      allOf:
        - type: object
          properties:
            state: {type: string, x-extensible-enum: [locked, open]}
            kind: {type: string, enum: [BAR]}
";

const CLEAN: &str = "behaviour: 1.0.0
actors: {guest: {summary: Walks.}, timer: {summary: Waits.}}
records:
  gate:
    summary: A gate.
    schema: Gate
    property: state
    distinguishedBy: kind
    states:
      locked: {summary: Nobody passes.}
      open: {summary: Somebody may pass.}
      gone: {summary: It was taken away., wire: null}
    events:
      coin: {summary: A coin falls., done: opened, by: guest, operations: {bar: insertCoin}}
      late: {summary: Nobody came., done: closed, by: timer}
      fail: {summary: It breaks., done: broken, by: guest}
    machines:
      bar:
        summary: A turnstile.
        wire: BAR
        createdBy: insertCoin
        initial: [locked]
        transitions:
          - {from: locked, event: coin, to: open}
          - {from: open, event: late, to: locked}
          - {from: open, event: fail, to: gone, note: rarely}
naturalKeys: [{operation: insertCoin, property: number, collection: coins}, {operation: tip, property: number, collection: coins}]
volatile: [{schema: Gate, property: state, summary: It moves.}]
sums:
  - summary: Kept.
    whole: {machine: bar, property: state, states: [open]}
    parts: {machine: bar, property: state, states: [open], link: kind}
pagination: {items: /data, meta: /meta, parameters: {size: {default: 10, maximum: 100}}}
windows: [{summary: At once., within: PT0S}]
exceptions: [{law: moves, operations: [tip], summary: It is counted at night.}]
";

/// The findings of the loader and of the rules.
fn findings(text: &str) -> Vec<String> {
    let document = loader::load_text("openapi.yaml", DOCUMENT).unwrap();
    let (found, sources) = match behaviour::load_text("b.yaml", text) {
        Ok(behaviour) => (
            lint_behaviour(&document, &behaviour),
            behaviour.sources.clone(),
        ),
        Err(error) => (error.diagnostics, error.sources),
    };
    found
        .iter()
        .map(|finding| finding.one_line(&sources))
        .collect()
}

/// Rule, replaced text, replacement, and the place of the finding.
const CASES: &[(&str, &str, &str, &str)] = &[
    (
        "behaviour-unknown-key",
        "createdBy: insert",
        "createBy: insert",
        "21:9",
    ),
    (
        "behaviour-unknown-key",
        "note: rarely",
        "nota: rarely",
        "26:49",
    ),
    (
        "behaviour-structure",
        "initial: [locked]",
        "initial: locked",
        "22:18",
    ),
    (
        "behaviour-structure",
        "        initial: [locked]\n",
        "",
        "19:9",
    ),
    (
        "behaviour-structure",
        "summary: A gate.",
        "summary: [A gate.]",
        "5:14",
    ),
    (
        "behaviour-structure",
        "maximum: 100",
        "maximum: ten",
        "33:83",
    ),
    ("behaviour-structure", ", to: locked}", "}", "25:13"),
    ("behaviour-structure", "{law: moves, ", "{", "35:14"),
    ("behaviour-unknown-operation", "[tip]", "[tap]", "35:40"),
    (
        "behaviour-unknown-property",
        "schema: Gate\n    property: state\n    distinguishedBy: kind\n",
        "schema: Gat\n",
        "6:13",
    ),
    (
        "unsupported-version",
        "behaviour: 1.0.0",
        "behaviour: 3.0.0",
        "1:12",
    ),
    (
        "duplicate-key",
        "actors: {guest",
        "actors: {timer: {summary: x}, guest",
        "2:57",
    ),
    ("behaviour-unknown-name", "by: timer", "by: tmer", "15:55"),
    (
        "behaviour-unknown-name",
        "{bar: insertCoin}",
        "{bear: insertCoin}",
        "14:76",
    ),
    (
        "behaviour-unknown-name",
        "event: late",
        "event: lat",
        "25:33",
    ),
    (
        "behaviour-unknown-name",
        "initial: [locked]",
        "initial: [loked]",
        "22:19",
    ),
    (
        "behaviour-unknown-name",
        "states: [open], link",
        "states: [opn], link",
        "32:53",
    ),
    (
        "behaviour-unknown-operation",
        "createdBy: insertCoin",
        "createdBy: insertCion",
        "21:20",
    ),
    (
        "behaviour-unknown-operation",
        "{bar: insertCoin}",
        "{bar: takeCoin}",
        "14:81",
    ),
    (
        "behaviour-unknown-operation",
        "operation: insertCoin",
        "operation: pay",
        "27:27",
    ),
    (
        "behaviour-unknown-property",
        "schema: Gate\n",
        "schema: Gat\n",
        "6:13",
    ),
    (
        "behaviour-unknown-property",
        "link: kind",
        "link: mother",
        "32:66",
    ),
    (
        "behaviour-unknown-property",
        "property: state\n",
        "property: sate\n",
        "7:15",
    ),
    (
        "behaviour-unlisted-value",
        "open: {summary",
        "open: {wire: OPEN, summary",
        "11:7",
    ),
    (
        "behaviour-unlisted-value",
        "wire: BAR",
        "wire: BEAR",
        "20:15",
    ),
    (
        "behaviour-unlisted-value",
        "open: {summary",
        "open: {wire: true, summary",
        "11:7",
    ),
    (
        "behaviour-ambiguous-wire",
        "open: {summary",
        "open: {wire: locked, summary",
        "11:7",
    ),
    (
        "behaviour-ambiguous-wire",
        "open: {summary",
        "open: {wire: true, summary",
        "11:7",
    ),
    (
        "behaviour-unreachable-state",
        "initial: [locked]",
        "initial: [gone]",
        "24:20",
    ),
    (
        "behaviour-state-without-machine",
        "      gone:",
        "      lost: {summary: Nobody knows., wire: null}\n      gone:",
        "12:7",
    ),
    (
        "behaviour-event-without-row",
        "          - {from: open, event: fail, to: gone, note: rarely}\n",
        "",
        "16:7",
    ),
    (
        "behaviour-duplicate-row",
        "          - {from: open, event: late, to: locked}\n",
        "          - {from: open, event: late, to: locked}\n          - {from: open, event: late, to: locked}\n",
        "26:13",
    ),
    (
        "behaviour-money-without-key",
        ", {operation: tip, property: number, collection: coins}",
        "",
        "27:27",
    ),
    (
        "behaviour-unmodelled-state",
        "    property: state\n",
        "",
        "26:89",
    ),
    (
        "behaviour-nondeterminism",
        "          - {from: open, event: late, to: locked}\n",
        "          - {from: open, event: late, to: locked}\n          - {from: open, event: late, to: open}\n",
        "26:43",
    ),
];

#[test]
fn each_rule_finds_its_error() {
    assert_eq!(findings(CLEAN), [] as [&str; 0]);
    let mut missed = Vec::new();
    for (rule, what, by, place) in CASES {
        assert!(CLEAN.contains(what), "{what}");
        let found = findings(&CLEAN.replacen(what, by, 1));
        let expected = format!("b.yaml:{place}: error[{rule}]");
        if !found.iter().any(|line| line.starts_with(&expected)) {
            missed.push(format!("{expected} in {found:#?}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    for rule in BEHAVIOUR_RULES {
        assert!(
            CASES.iter().any(|(id, ..)| *id == rule.id),
            "{} has no case",
            rule.id
        );
    }
}

#[test]
fn all_errors_are_reported_at_once() {
    let text = CLEAN
        .replacen("done: opened, ", "", 1)
        .replacen("done: closed", "don: closed", 1)
        .replacen("initial: [locked]", "initial: 1", 1);
    let expected = [
        "b.yaml:14:13: error[behaviour-structure]: this event has no `done`",
        "b.yaml:15:13: error[behaviour-structure]: this event has no `done`",
        "b.yaml:15:37: error[behaviour-unknown-key]: `don` is not a key of an event",
        "b.yaml:22:18: error[behaviour-structure]: `initial` has to be an array",
    ];
    assert_eq!(findings(&text), expected);
}

#[test]
fn the_parsed_file_has_what_was_written() {
    let behaviour = behaviour::load_text("b.yaml", CLEAN).unwrap();
    let (record, bar) = behaviour.machine("bar").unwrap();
    assert_eq!(record.state("gone").unwrap().wire, None);
    let open = Some(Wire::Text("open".to_owned()));
    assert_eq!(record.state("open").unwrap().wire, open);
    assert_eq!(
        record.event("coin").unwrap().operations[0].1.text,
        "insertCoin"
    );
    let row = &bar.transitions[2];
    assert_eq!(
        (row.to.text.as_str(), row.note.as_deref()),
        ("gone", Some("rarely"))
    );
    assert_eq!(behaviour.sources.place(row.span).line, 26);
    assert!(behaviour::load_text("b.yaml", "[]").is_err());
    assert!(behaviour::load_text("b.yaml", "a: [").is_err());
    assert!(behaviour::load(Path::new("/nowhere/behaviour.yaml")).is_err());
    assert_eq!(behaviour::beside(Path::new("/nowhere/openapi.yaml")), None);
}

#[test]
fn an_empty_behaviour_has_no_findings() {
    let document = loader::load_text("openapi.yaml", DOCUMENT).unwrap();
    let nothing = Behaviour::default();
    let found = lint_behaviour(&document, &nothing);
    assert_eq!(found.render(&nothing.sources, false), "");
}

#[test]
fn only_missing_names_are_contradictions() {
    let document = loader::load_text("openapi.yaml", DOCUMENT).unwrap();
    let found = |what: &str, by: &str| {
        let behaviour = behaviour::load_text("b.yaml", &CLEAN.replacen(what, by, 1)).unwrap();
        contradictions::check(&document, &behaviour).render(&behaviour.sources, false)
    };
    for (what, by, place) in [
        (
            "createdBy: insertCoin",
            "createdBy: insertCoins",
            "b.yaml:21:",
        ),
        ("property: state", "property: status", "b.yaml:7:"),
        ("wire: BAR", "wire: DOOR", "b.yaml:20:"),
        ("to: open", "to: opened", "b.yaml:24:"),
    ] {
        let findings = found(what, by);
        assert!(findings.contains(place), "{by}: {findings}");
    }
    // A missing key is a gap, but no contradiction.
    assert_eq!(
        found(
            "{operation: insertCoin, property: number, collection: coins}, ",
            ""
        ),
        ""
    );
}
