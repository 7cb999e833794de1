//! Tests which differences between facts are changes, and their levels.

use openapi_diff::{Area, Change, Contract};
use openapi_document::behaviour;

use super::documents::{changes, listed, load};

/// A service with a list, a step and records; the tests fill `LIST`, `STEP` and the other
/// placeholders.
const DOCUMENT: &str = "openapi: 3.0.4
info: {title: t, version: '1'}
paths:
  /parcels:
    get:
      operationId: listParcels
      parameters: [PARAMETERS]
      responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Parcel'}}}}}}
    post:
      operationId: createParcel
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Draft'}}}}
      responses: {'201': {description: d}}
  /parcels/{id}/send:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    post:
      operationId: sendParcel
      LIFE
      description: STEP
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Parcel'}}}}}
components:
  parameters:
    Extent: {name: extent, in: query, description: EXTENT, schema: {type: integer}}
  schemas:
    Draft: {type: object, properties: {label: {type: string, description: DRAFT}, status: {type: string, enum: [open, sent]}}}
    Parcel: {type: object, properties: {label: {type: string, description: RECORD}, status: {type: string, enum: [open, sent]}}}
";

const PLACES: [(&str, &str); 6] = [
    ("PARAMETERS", "{$ref: '#/components/parameters/Extent'}"),
    ("LIFE", "x-note: n"),
    ("STEP", "x"),
    ("EXTENT", "x"),
    ("DRAFT", "x"),
    ("RECORD", "x"),
];

/// The document with some placeholders filled.
fn document(filled: &[(&str, &str)]) -> String {
    let mut text = DOCUMENT.to_owned();
    for (place, usual) in PLACES {
        let replacement = filled.iter().find(|(name, _)| *name == place);
        text = text.replace(place, replacement.map_or(usual, |(_, words)| words));
    }
    text
}

type Filled<'t> = &'t [(&'t str, &'t str)];

/// The changes between two documents, each with the facts of its behaviour file.
fn between(old: (Filled<'_>, &str), new: (Filled<'_>, &str)) -> Vec<Change> {
    let sides = [old, new].map(|(filled, facts)| {
        let text = format!("behaviour: 2.0.0\n{facts}");
        let file = behaviour::load_text("behaviour.yaml", &text);
        let file = file.unwrap_or_else(|error| panic!("{}", error.render(false)));
        (load("api.yaml", &document(filled)), file)
    });
    let [base, revision] = sides.each_ref().map(|(document, file)| Contract {
        document,
        behaviour: Some(file),
    });
    let mut found = changes(base, revision);
    found.retain(|change| change.rule.id != "api-version-not-bumped");
    found
}

#[track_caller]
fn one(found: &[Change], id: &str, level: &str) {
    let all: Vec<_> = found
        .iter()
        .map(|one| (one.rule.id, one.level.word()))
        .collect();
    assert_eq!(all, [(id, level)], "{}", listed(found));
}

#[track_caller]
fn none(found: &[Change]) {
    assert!(found.is_empty(), "{}", listed(found));
}

const ONLY_OPEN: &str = "Only open parcels can be sent.";
const STATED: &str = "facts: [{barred: {operation: sendParcel, unless: [open]}}]";

#[test]
fn stated_facts_weigh_more_than_read_ones() {
    let sentence = between((&[], ""), (&[("STEP", ONLY_OPEN)], ""));
    one(&sentence, "operation-barred-in-state", "warning");
    let entry = between((&[], ""), (&[], STATED));
    one(&entry, "operation-barred-in-state", "error");
    let accepted = between(
        (&[("STEP", ONLY_OPEN)], ""),
        (&[("STEP", ONLY_OPEN)], STATED),
    );
    none(&accepted);
}

#[test]
fn a_finding_quotes_the_words_and_has_a_place_on_both_sides() {
    let found = between((&[], ""), (&[("STEP", ONLY_OPEN)], ""));
    let revision = found[0].revision.as_ref().unwrap();
    assert_eq!(revision.label, format!("“{ONLY_OPEN}”"));
    let step = "/paths/~1parcels~1{id}~1send/post";
    assert_eq!(revision.pointer.to_string(), format!("{step}/description"));
    assert_eq!(found[0].base.as_ref().unwrap().pointer.to_string(), step);
    assert_eq!(
        found[0].title,
        "sendParcel is refused unless the state is open; the base does not say so"
    );
    let stated = between((&[], STATED), (&[], ""));
    let base = stated[0].base.as_ref().unwrap();
    assert!(base.in_behaviour && base.pointer.to_string() == "/facts/0");
}

#[test]
fn facts_of_keywords_and_new_parameters_are_left_to_other_rules() {
    let list = |parameter: &'static str| [("PARAMETERS", parameter)];
    let (twenty, thirty, none) = (
        list("{name: extent, in: query, schema: {type: integer, default: 20}}"),
        list("{name: extent, in: query, schema: {type: integer, default: 30}}"),
        list(""),
    );
    let found = between((&twenty, ""), (&thirty, ""));
    one(&found, "request-parameter-default-value-changed", "error");
    let described =
        list("{name: extent, in: query, description: Defaults to 20., schema: {type: integer}}");
    let found = between((&none, ""), (&described, ""));
    one(&found, "new-optional-request-parameter", "info");
    let named = list("{name: sort, in: query, schema: {type: integer}}");
    let found = between((&named, ""), (&none, ""));
    one(&found, "request-parameter-removed", "warning");
    let plain = list("{name: extent, in: query, schema: {type: integer}}");
    let found = between((&plain, ""), (&twenty, ""));
    one(&found, "request-parameter-default-value-added", "error");
    let paged = "{name: extent, in: query, description: The number of parcels per page., schema: {type: integer}}";
    let in_header = paged.replace("in: query", "in: header");
    let found = between(
        (&[("PARAMETERS", paged)], ""),
        (&[("PARAMETERS", &in_header)], ""),
    );
    let is_about_facts = |one: &&Change| one.rule.area == Area::Behaviour;
    assert_eq!(
        found.iter().find(is_about_facts).map(|one| one.rule.id),
        None
    );
}

#[test]
fn a_moved_fact_is_not_a_change() {
    let inlined =
        "{name: extent, in: query, description: Defaults to 20., schema: {type: integer}}";
    let found = between(
        (&[("EXTENT", "Defaults to 20.")], ""),
        (&[("PARAMETERS", inlined)], ""),
    );
    none(&found);
    let stated = "facts: [{unique: {subject: {of: createParcel, name: label}}}]";
    let found = between((&[("DRAFT", "Must be unique.")], ""), (&[], stated));
    none(&found);
}

#[test]
fn a_rejected_fact_is_not_compared() {
    let rejected = "facts: [{barred: {operation: sendParcel, unless: [open]}, rejected: true}]";
    let said = [("STEP", ONLY_OPEN)];
    none(&between((&said, ""), (&said, rejected)));
    none(&between((&said, rejected), (&said, "")));
    let found = between((&said, rejected), (&said, STATED));
    one(&found, "operation-barred-in-state", "error");
}

#[test]
fn drafts_proposals_and_responses_weigh_less() {
    let draft = [("LIFE", "x-stability-level: draft")];
    let found = between((&draft, ""), (&draft, STATED));
    one(&found, "operation-barred-in-state", "info");
    let proposed = STATED.replace(
        "unless: [open]}",
        "unless: [open]}, x-provenance: {level: proposed}",
    );
    let found = between((&[], ""), (&[], &proposed));
    one(&found, "operation-barred-in-state", "warning");
    let sent = between((&[], ""), (&[("DRAFT", "Must be unique.")], ""));
    one(&sent, "value-became-unique", "warning");
    let answered = between((&[], ""), (&[("RECORD", "Must be unique.")], ""));
    one(&answered, "value-became-unique", "info");
}

#[test]
fn a_renamed_operation_keeps_its_facts() {
    let renamed = document(&[("STEP", ONLY_OPEN)]).replace("sendParcel", "shipParcel");
    let base = load("base.yaml", &document(&[("STEP", ONLY_OPEN)]));
    let mut found = changes(&base, &load("revision.yaml", &renamed));
    found.retain(|change| change.rule.id != "api-version-not-bumped");
    one(&found, "api-operation-id-changed", "warning");
    let silent = document(&[]).replace("sendParcel", "shipParcel");
    let found = changes(&base, &load("revision.yaml", &silent));
    let lifted = { found.iter() }.find(|one| one.rule.id == "operation-allowed-in-state");
    let title = lifted.map(|change| change.title.as_str());
    let expected = "shipParcel is refused unless the state is open; the revision does not say so";
    assert_eq!(title, Some(expected), "{}", listed(&found));
}

/// A machine of parcels, which are sent from the state open, and optionally from further states.
fn machine(name: &str, more: &str) -> String {
    format!(
        "records:
  parcel:
    summary: s
    schema: Parcel
    property: status
    states: {{open: {{summary: s, wire: open}}, sent: {{summary: s, wire: sent}}}}
    events: {{send: {{summary: s, done: sent, by: shop, operations: {{{name}: sendParcel}}}}}}
    machines:
      {name}:
        summary: s
        initial: [open]
        transitions:
          - {{from: open, event: send, to: sent}}
          {more}
actors: {{shop: {{summary: s}}}}
"
    )
}

#[test]
fn a_removed_transition_bars_the_operation_in_its_state() {
    let again = machine("parcel", "- {from: sent, event: send, to: sent}");
    let once = machine("parcel", "");
    let found = between((&[], &again), (&[], &once));
    one(&found, "operation-barred-in-state", "error");
    assert!(
        found[0]
            .title
            .starts_with("sendParcel is refused for a parcel in the state sent")
    );
    one(
        &between((&[], &once), (&[], &again)),
        "operation-allowed-in-state",
        "info",
    );
}

#[test]
fn a_machine_on_only_one_side_is_not_compared() {
    let found = between((&[], &machine("parcel", "")), (&[], &machine("letter", "")));
    none(&found);
}

#[test]
fn a_denied_rule_is_not_a_new_fact() {
    let flagged = |value: &'static str| [("LIFE", value)];
    let (safe, denied) = (
        flagged("x-idempotent: true"),
        flagged("x-idempotent: false"),
    );
    none(&between((&[], ""), (&denied, "")));
    let found = between((&safe, ""), (&denied, ""));
    one(&found, "repetition-no-longer-safe", "error");
}
