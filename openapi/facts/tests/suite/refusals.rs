//! Tests sentences about the states in which an operation is refused.

use openapi_document::loader::load_text;
use openapi_facts::{Rule, read};

/// Operations that close a parcel and add labels to it. The response that reads a parcel has an
/// envelope.
const PARCELS: &str = "
openapi: 3.0.4
info: {title: Parcels, version: '1'}
paths:
  /parcels/{id}:
    get:
      operationId: readParcel
      responses: {'200': {description: It, content: {application/json: {schema: {type: object, properties: {parcel: {$ref: '#/components/schemas/Parcel'}}}}}}}
  /parcels/{id}/close:
    post:
      operationId: closeParcel
      description: \"CLOSE\"
      responses:
        '200': {description: It, content: {application/json: {schema: {$ref: '#/components/schemas/Parcel'}}}}
        '409': {description: \"CONFLICT\"}
  /parcels/{id}/labels:
    post:
      operationId: addLabel
      description: \"LABEL\"
      responses:
        '201': {description: It, content: {application/json: {schema: {$ref: '#/components/schemas/Label'}}}}
components:
  schemas:
    Parcel: {type: object, properties: {id: {type: string}, status: {type: string, enum: [open, closed, partly_sent, sent]}}}
    Label: {type: object, properties: {id: {type: string}, status: {type: string, enum: [open, printed]}}}
";

/// The `barred` facts that are read from the descriptions of the close, its 409 and the labels.
fn barred(close: &str, conflict: &str, label: &str) -> Vec<String> {
    let text = PARCELS
        .replace("CLOSE", close)
        .replace("CONFLICT", conflict);
    let document = load_text("parcels.yaml", &text.replace("LABEL", label)).unwrap();
    let facts = read(&document, None);
    let barred = facts
        .list
        .iter()
        .filter(|fact| matches!(fact.rule, Rule::Barred(_)));
    barred.map(|fact| fact.rule.to_string()).collect()
}

#[test]
fn sentences_bar_states_of_their_record() {
    for (close, conflict, label, expected) in [
        (
            "Only an open parcel can be closed.",
            "",
            "",
            "closeParcel is refused unless the state is open",
        ),
        ("", "The parcel has not been sent.", "", ""),
        (
            "",
            "The parcel has not been `sent`.",
            "",
            "closeParcel is refused with 409 unless the state is sent",
        ),
        (
            "",
            "It is closed already.",
            "",
            "closeParcel is refused with 409 in the state closed",
        ),
        (
            "A closed parcel can no longer be closed.",
            "",
            "",
            "closeParcel is refused in the state closed",
        ),
        // The participle names another operation.
        ("A closed parcel can no longer be moved.", "", "", ""),
        // Other states may allow another way of closing.
        (
            "Only `open` parcels can be closed free of charge.",
            "",
            "",
            "",
        ),
        (
            "An `open` parcel cannot be closed within ten days.",
            "",
            "",
            "",
        ),
        (
            "Only parcels that are `open` can be closed.",
            "",
            "",
            "closeParcel is refused unless the state is open",
        ),
        // The states belong to the record that the sentence names.
        (
            "",
            "",
            "Only an open parcel can be labelled.",
            "addLabel is refused unless the state is open",
        ),
        (
            "",
            "",
            "Only a closed parcel can be labelled.",
            "addLabel is refused unless the state is closed",
        ),
        // A "partly sent" parcel may also count as sent.
        ("Only sent parcels can be closed.", "", "", ""),
        // "Any other state" means all except those in the previous sentence.
        (
            "Closes an `open` parcel. In any other state it is refused.",
            "",
            "",
            "closeParcel is refused unless the state is open",
        ),
        (
            "Turns an `open` parcel to `sent`, or a `sent` one to `closed`. Any other state is refused.",
            "",
            "",
            "",
        ),
        (
            "Closes a parcel. In any other state it is refused.",
            "",
            "",
            "",
        ),
        (
            "Closes an `open` parcel. Any other parcel is kept.",
            "",
            "",
            "",
        ),
        // A list with an unknown item is known only in part.
        ("Only `open`, `torn` parcels can be closed.", "", "", ""),
        ("Usually only open parcels can be closed.", "", "", ""),
    ] {
        let expected: Vec<&str> = Some(expected)
            .filter(|text| !text.is_empty())
            .into_iter()
            .collect();
        assert_eq!(
            barred(close, conflict, label),
            expected,
            "{close} {conflict} {label}"
        );
    }
}

#[test]
fn a_sentence_without_the_status_states_the_same_fact() {
    let both = barred(
        "Only an open parcel can be closed.",
        "The parcel is not open.",
        "",
    );
    assert_eq!(
        both,
        ["closeParcel is refused with 409 unless the state is open"]
    );
}
