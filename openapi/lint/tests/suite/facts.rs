//! Tests the rules that compare a document's facts with its behaviour file.

use openapi_document::behaviour;
use openapi_document::loader::load_text;
use openapi_lint::{FACT_RULES, lint_facts};

/// The places of the findings in the wrong example of each rule.
const PLACES: &[(&str, &[&str])] = &[
    ("fact-without-entry", &["5:20"]),
    ("state-field-without-machine", &["10:16"]),
];

/// The findings in a document with a behaviour file, one per line.
fn found(document: &str, behaviour: &str) -> Vec<String> {
    let text = format!(
        "{}\nopenapi: 3.0.4\ninfo: {{title: t, version: '1'}}\n",
        document.trim_end()
    );
    let document = load_text("t.yaml", &text);
    let document = document.unwrap_or_else(|error| panic!("{}", error.render(false)));
    let behaviour = behaviour::load_text("behaviour.yaml", behaviour);
    let behaviour = behaviour.unwrap_or_else(|error| panic!("{}", error.render(false)));
    let found = lint_facts(&document, &behaviour);
    found
        .iter()
        .map(|one| one.one_line(&document.sources))
        .collect()
}

#[test]
fn each_rule_finds_its_wrong_example_and_not_its_right_one() {
    assert_eq!(PLACES.len(), FACT_RULES.len());
    for rule in FACT_RULES {
        let (_, places) = PLACES.iter().find(|(id, _)| *id == rule.id).unwrap();
        let sides = |part: &'static str| part.split_once("# behaviour.yaml\n").unwrap();
        let (document, behaviour) = sides(rule.wrong);
        let all = found(document, behaviour);
        let matching: Vec<&String> = { all.iter() }
            .filter(|line| line.contains(rule.id))
            .collect();
        assert_eq!(matching.len(), places.len(), "{all:?}");
        for (line, place) in matching.iter().zip(*places) {
            let expected = format!("t.yaml:{place}: info[{}]", rule.id);
            assert!(line.starts_with(&expected), "{expected}: {line}");
        }
        let (document, behaviour) = sides(rule.right);
        assert_eq!(found(document, behaviour), [] as [&str; 0], "{}", rule.id);
    }
}

/// A service with a step; the tests fill SENTENCE and FIELD.
const SERVICE: &str = "
paths:
  /orders:
    get:
      operationId: listOrders
      parameters: [{name: limit, in: query, schema: {type: integer}}]
      responses: {'200': {description: d}}
    post:
      operationId: createOrder
      requestBody: {content: {application/json: {schema: {properties: {reference: {type: string, description: UNIQUE}}}}}}
      responses: {'201': {description: d}}
  /orders/{id}/cancel:
    post:
      operationId: OPERATION
      description: SENTENCE
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}}
components:
  schemas:
    Order: {properties: {FIELD}}
";

const STATUS: &str = "status: {type: string, enum: [open, cancelled]}";
const PHASE: &str = "phase: {type: string, enum: [open, cancelled]}";

fn service(filled: &[(&str, &str)]) -> String {
    let usual = [
        ("UNIQUE", "x"),
        ("OPERATION", "cancelOrder"),
        ("SENTENCE", "x"),
        ("FIELD", STATUS),
    ];
    usual
        .iter()
        .fold(SERVICE.to_owned(), |text, (place, words)| {
            let replacement = filled.iter().find(|(name, _)| name == place);
            text.replace(place, replacement.map_or(words, |(_, words)| words))
        })
}

/// A behaviour file with a machine in which orders are cancelled.
const MACHINE: &str = "behaviour: 2.0.0
actors: {shop: {summary: s}}
records:
  order:
    summary: s
    schema: Order
    property: PROPERTY
    states: {open: {summary: s}, cancelled: {summary: s}}
    events: {cancel: {summary: s, done: d, by: shop, operations: {order: OPERATION}}}
    machines:
      order: {summary: s, initial: [open], transitions: [{from: open, event: cancel, to: cancelled}]}
naturalKeys: [{operation: createOrder, property: reference, collection: orders}]
";

fn machine(property: &str, operation: &str) -> String {
    MACHINE
        .replace("PROPERTY", property)
        .replace("OPERATION", operation)
}

const NONE: &str = "behaviour: 2.0.0";
const ONLY_OPEN: &str = "Only open orders can be cancelled.";

#[test]
fn a_finding_proposes_the_entry_that_resolves_it() {
    let document = service(&[("SENTENCE", ONLY_OPEN)]);
    let all = found(&document, NONE);
    let says = "cancelOrder is refused unless the state is open";
    assert!(all.len() == 1 && all[0].contains(says), "{all:?}");
    let text = load_text(
        "t.yaml",
        &format!("{document}openapi: 3.0.4\ninfo: {{title: t, version: '1'}}\n"),
    );
    let file = behaviour::load_text("b.yaml", NONE).unwrap();
    let findings = lint_facts(&text.unwrap(), &file);
    let finding = findings.iter().next().unwrap();
    assert_eq!(
        finding.primary.as_ref().unwrap().1,
        format!("“{ONLY_OPEN}”")
    );
    let help = finding.help.as_deref().unwrap();
    let (_, rest) = help.split_once('`').unwrap();
    let (entry, rest) = rest.split_once('`').unwrap();
    assert_eq!(entry, "- barred: {operation: cancelOrder, unless: [open]}");
    assert!(rest.contains("conformance facts --write"), "{help}");
    for ruling in ["", "\n    rejected: true", "\n    draft: true"] {
        let settled = format!("{NONE}\nfacts:\n  {entry}{ruling}\n");
        assert_eq!(found(&document, &settled), [] as [&str; 0], "{ruling}");
    }
}

#[test]
fn a_fact_that_another_key_states_needs_no_entry() {
    let filled = [("SENTENCE", ONLY_OPEN), ("UNIQUE", "Must be unique.")];
    assert_eq!(found(&service(&filled), NONE).len(), 2);
    let stated = machine("status", "cancelOrder");
    assert_eq!(found(&service(&filled), &stated), [] as [&str; 0]);
    // The natural key belongs to an operation, but the sentence to a schema; the transition leads
    // to another state than the sentence.
    let lost = "status: {type: string, enum: [open, cancelled, lost]}, reference: {description: Must be unique.}";
    let filled = [("FIELD", lost), ("SENTENCE", "Marks the order as lost.")];
    assert_eq!(found(&service(&filled), NONE).len(), 2);
    assert_eq!(found(&service(&filled), &stated), [] as [&str; 0]);
    let paged = service(&[]).replace(
        "name: limit,",
        "name: limit, description: The number of orders per page.,",
    );
    assert_eq!(found(&paged, NONE).len(), 1);
    let stated = "behaviour: 2.0.0
pagination: {items: /data, meta: /meta, parameters: {limit: {default: 10}}}";
    assert_eq!(found(&paged, stated), [] as [&str; 0]);
}

#[test]
fn a_fact_that_only_a_name_suggests_is_not_proposed() {
    assert_eq!(found(&service(&[]), NONE), [] as [&str; 0]);
}

/// Whether the rule reports that a property has no machine.
fn has_no_machine(filled: &[(&str, &str)], behaviour: &str) -> bool {
    let all = found(&service(filled), behaviour);
    all.iter()
        .any(|line| line.contains("state-field-without-machine"))
}

#[test]
fn a_property_is_reported_if_an_operation_moves_it() {
    const MARKS: &str = "Marks the order as cancelled.";
    let phase = ("FIELD", PHASE);
    assert!(has_no_machine(&[phase], NONE));
    // Neither the path nor the id names a value; a sentence does.
    let other = ("OPERATION", "endOrder");
    let ended = ("FIELD", "phase: {type: string, enum: [open, ended]}");
    assert!(has_no_machine(&[ended, other], NONE));
    let lost = ("FIELD", "phase: {type: string, enum: [open, lost]}");
    assert!(!has_no_machine(&[lost, other], NONE));
    let marks_lost = ("SENTENCE", "Marks the order as lost.");
    assert!(has_no_machine(&[lost, other, marks_lost], NONE));
    // Two values match the name, so it does not decide; a sentence does.
    let two = (
        "FIELD",
        "phase: {type: string, enum: [cancelled, canceled]}",
    );
    assert!(!has_no_machine(&[two], NONE));
    assert!(has_no_machine(&[two, ("SENTENCE", MARKS)], NONE));
}

#[test]
fn a_covered_or_excused_property_is_not_reported() {
    let phase = ("FIELD", PHASE);
    assert!(!has_no_machine(&[phase], &machine("phase", "cancelOrder")));
    assert!(!has_no_machine(&[phase], &machine("phase", "createOrder")));
    assert!(!has_no_machine(&[phase], &machine("status", "cancelOrder")));
    // Another rule reports it.
    assert!(!has_no_machine(&[], NONE));
    let excused = "phase: {type: string, enum: [open, cancelled], x-state: false}";
    assert!(!has_no_machine(&[("FIELD", excused)], NONE));
    let inline = service(&[]).replace(
        "{$ref: '#/components/schemas/Order'}",
        "{properties: {status: {type: string, enum: [open, cancelled]}}}",
    );
    assert_eq!(found(&inline, NONE).len(), 1);
    let created = "paths:
  /orders:
    post:
      operationId: openOrder
      responses: {'201': {description: d, content: {application/json: {schema: {properties: {phase: {enum: [opened, gone]}}}}}}}";
    assert_eq!(found(created, NONE), [] as [&str; 0]);
    assert_eq!(
        found(&created.replace("/orders:", "'/orders/{id}':"), NONE).len(),
        1
    );
    let read = inline.replace(
        "    post:\n      operationId: cancel",
        "    get:\n      operationId: cancel",
    );
    assert_eq!(found(&read, NONE), [] as [&str; 0]);
}
