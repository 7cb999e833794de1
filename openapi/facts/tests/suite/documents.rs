//! Edge cases of the reader: large documents, contradictions, other languages and many sentence
//! forms.

use openapi_document::{Document, loader};
use openapi_facts::{Evidence, Facts, Rule, read};

fn document(parts: &str) -> Document {
    let head = "openapi: 3.0.4\ninfo: {title: t, version: '1'}\n";
    loader::load_text("t.yaml", &format!("{head}{parts}")).unwrap()
}

fn ids(facts: &Facts) -> Vec<String> {
    facts.list.iter().map(|fact| fact.id.to_string()).collect()
}

const LIST: &str = "
paths:
  /parcels:
    get:
      operationId: listParcels
      parameters:
        - {name: size, in: query, schema: {type: integer}, description: DESCRIPTION}
      responses: {'200': {description: d}}
";

#[test]
fn a_document_in_another_language_has_no_facts_from_prose_and_says_so_once() {
    let german = "Die Anzahl der Pakete, die auf einer Seite stehen. ".repeat(20);
    let text = LIST.replace("DESCRIPTION", &format!("'{german} Defaults to 20.'"));
    let facts = read(&document(&text), None);
    assert_eq!(ids(&facts), Vec::<String>::new());
    assert_eq!(facts.notes.len(), 1);
    assert!(
        facts.notes[0].contains("not in English"),
        "{:?}",
        facts.notes
    );
}

#[test]
fn ten_thousand_sentences_and_cycles_are_read_within_bounds() {
    let sentences = "The parcel is packed by hand. ".repeat(10_000);
    let text = LIST.replace("DESCRIPTION", &format!("'Defaults to 20. {sentences}'"));
    let text = format!(
        "{text}
  /parcels/{{id}}:
    post:
      operationId: sendParcel
      description: Only open parcels can be sent.
      responses:
        '200': {{description: d, content: {{application/json: {{schema: {{$ref: '#/components/schemas/A'}}}}}}}}
components:
  schemas:
    A: {{allOf: [{{$ref: '#/components/schemas/A'}}, {{$ref: '#/components/schemas/B'}}]}}
    B: {{type: array, items: {{$ref: '#/components/schemas/B'}}, properties: {{status: {{enum: [open, sent]}}}}}}
"
    );
    let facts = read(&document(&text), None);
    assert_eq!(
        ids(&facts),
        ["default/listParcels/size", "barred/sendParcel/not-open"]
    );
}

#[test]
fn contradicting_sentences_make_no_fact() {
    let disputed = LIST.replace("DESCRIPTION", "Defaults to 20. Defaults to 30.");
    assert_eq!(ids(&read(&document(&disputed), None)), Vec::<String>::new());
    let repeated = LIST.replace("DESCRIPTION", "Defaults to 20. Defaults to 20.");
    let facts = read(&document(&repeated), None);
    assert_eq!(ids(&facts), ["default/listParcels/size"]);
    assert_eq!(facts.list[0].because.len(), 2);
}

/// A document with placeholders for sentences.
const PLACES: &str = "
paths:
  /parcels:
    get:
      operationId: listParcels
      description: LIST
      parameters:
        - {name: size, in: query, schema: {type: integer}, description: QUERY}
        - {name: depot, in: query, schema: {type: string}}
      responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Parcel'}}}}}}
  /parcels/{id}/send:
    post:
      operationId: sendParcel
      description: STEP
      responses:
        '200': {description: DONE, content: {application/json: {schema: {$ref: '#/components/schemas/Parcel'}}}}
        '409': {description: REFUSAL}
components:
  schemas:
    Parcel:
      type: object
      properties:
        status: {type: string, enum: [open, sent, lost]}
        weight: {type: integer}
        wrapping: {type: integer}
        total: {type: integer, description: NUMBER}
        packedAt: {type: string, format: date-time}
        sentAt: {type: string, format: date-time, description: TIME}
        label: {type: string, description: PROPERTY}
";

/// Placeholder, sentence, and the id of the fact that it states; empty if it states none.
const SENTENCES: &[(&str, &str, &str)] = &[
    ("QUERY", "Defaults to 20.", "default/listParcels/size"),
    (
        "QUERY",
        "The default is **20.**",
        "default/listParcels/size",
    ),
    (
        "NUMBER",
        "Computed as `weight` minus the `wrapping`.",
        "equation/Parcel/total",
    ),
    (
        "NUMBER",
        "The sum of `weight` and `wrapping`.",
        "equation/Parcel/total",
    ),
    (
        "NUMBER",
        "What counts, which is the weight times wrapping.",
        "equation/Parcel/total",
    ),
    (
        "NUMBER",
        "The tax on the sum of `weight` and `wrapping`.",
        "",
    ),
    (
        "NUMBER",
        "Computed as `weight` minus `wrapping`, rounded up.",
        "",
    ),
    (
        "NUMBER",
        "Computed as `weight` minus `wrapping` unless it is lost.",
        "",
    ),
    ("NUMBER", "Computed as `weight` minus the fee.", ""),
    ("NUMBER", "Calculated from `weight` minus `wrapping`.", ""),
    ("TIME", "Must be in the future.", "range/Parcel/sentAt"),
    ("PROPERTY", "Must be in the future.", ""),
    (
        "TIME",
        "Must be later than `packedAt`.",
        "relation/Parcel/sentAt/packedAt",
    ),
    (
        "TIME",
        "It must be after `packedAt`; otherwise the answer is `422`.",
        "relation/Parcel/sentAt/packedAt",
    ),
    (
        "TIME",
        "It must be after `packedAt`, otherwise it stays open.",
        "",
    ),
    ("STEP", "Opens can be sent.", ""),
    (
        "STEP",
        "A parcel that is `lost` cannot be sent.",
        "barred/sendParcel/lost",
    ),
    ("STEP", "A parcel that is `lost` cannot be weighed.", ""),
    (
        "STEP",
        "The parcel becomes `sent`, and the truck leaves.",
        "effect/sendParcel/sent",
    ),
    (
        "STEP",
        "As soon as the truck leaves, the parcel becomes `sent`.",
        "",
    ),
    ("QUERY", "Defaults to 20 days before today.", ""),
    (
        "QUERY",
        "If omitted, the size is 20.",
        "default/listParcels/size",
    ),
    (
        "QUERY",
        "If this parameter is not specified, the size is `20`.",
        "default/listParcels/size",
    ),
    ("QUERY", "If omitted, the depot is 20.", ""),
    ("QUERY", "Does not default to 20.", ""),
    ("QUERY", "Usually defaults to 20.", ""),
    ("QUERY", "Defaults to 20 if `depot` is given.", ""),
    (
        "QUERY",
        "The number of parcels per page.",
        "paging/listParcels/size",
    ),
    ("QUERY", "The number of parcels per truck.", ""),
    (
        "QUERY",
        "Only return parcels of this size.",
        "filter/listParcels/size",
    ),
    ("QUERY", "Only return these fields.", ""),
    (
        "QUERY",
        "Cannot be used with `depot`.",
        "requires/listParcels/size/depot",
    ),
    ("QUERY", "Cannot be used with `truck`.", ""),
    ("QUERY", "Sort parcels by name.", "order/listParcels/size"),
    (
        "LIST",
        "Parcels are returned newest first.",
        "order/listParcels/creation",
    ),
    (
        "LIST",
        "Parcels are sorted by `weight`.",
        "order/listParcels/weight",
    ),
    ("LIST", "Parcels can be sorted by `weight`.", ""),
    ("LIST", "Fragile parcels come first, then newest first.", ""),
    ("LIST", "The portal shows them sorted by `weight`.", ""),
    (
        "LIST",
        "Parcels are sorted by `weight`. Parcels are listed newest first.",
        "",
    ),
    ("STEP", "The export lists parcels sorted by `weight`.", ""),
    ("LIST", "Parcels are sorted by `colour`.", ""),
    (
        "PROPERTY",
        "Must be unique within a depot.",
        "unique/Parcel/label",
    ),
    ("PROPERTY", "Within a depot, each label must be unique.", ""),
    ("PROPERTY", "Need not be unique.", ""),
    (
        "PROPERTY",
        "Does not need to be unique.",
        "unique/Parcel/label",
    ),
    (
        "PROPERTY",
        "Required if `status` is `open`.",
        "requires/Parcel/label/status=open",
    ),
    (
        "PROPERTY",
        "Required if `status` is `open` and it is heavy.",
        "",
    ),
    (
        "STEP",
        "Only open parcels can be sent.",
        "barred/sendParcel/not-open",
    ),
    ("STEP", "Only red parcels can be sent.", ""),
    (
        "STEP",
        "A parcel can only be sent if it is open or lost.",
        "barred/sendParcel/not-open+lost",
    ),
    (
        "STEP",
        "A parcel can only be sent if it is open or red.",
        "",
    ),
    (
        "STEP",
        "Marks the parcel as sent.",
        "effect/sendParcel/sent",
    ),
    ("STEP", "Does not mark the parcel as sent.", ""),
    (
        "REFUSAL",
        "The parcel is not open.",
        "barred/sendParcel/not-open",
    ),
    (
        "REFUSAL",
        "The parcel has already been sent.",
        "barred/sendParcel/sent",
    ),
    ("REFUSAL", "The parcel might already be sent.", ""),
    // Conditions in words, with listed values.
    (
        "PROPERTY",
        "Only used for parcels with status `open`.",
        "requires/Parcel/label/status=open",
    ),
    (
        "PROPERTY",
        "Required for `open` parcels.",
        "requires/Parcel/label/status=open",
    ),
    ("PROPERTY", "Required for `red` parcels.", ""),
    ("PROPERTY", "Required if `status` is `red`.", ""),
    (
        "PROPERTY",
        "Ignored unless `weight` is given.",
        "requires/Parcel/label/weight",
    ),
    (
        "PROPERTY",
        "`weight` is required if `status` is `open`.",
        "",
    ),
    ("PROPERTY", "Required if `weight` is given, or heavy.", ""),
    // The place's name in words, and values of its type.
    (
        "QUERY",
        "The default size is 20.",
        "default/listParcels/size",
    ),
    ("QUERY", "The default depot is 20.", ""),
    ("QUERY", "Defaults to `desc`.", ""),
    (
        "QUERY",
        "If no value is given, it defaults to 20.",
        "default/listParcels/size",
    ),
    ("QUERY", "For most users, defaults to 20.", ""),
    // An example states no rule.
    (
        "QUERY",
        "Filter parcels by weight, for example 20.",
        "filter/listParcels/size",
    ),
    ("QUERY", "For example, filter parcels by weight.", ""),
    (
        "QUERY",
        "The size to filter parcels by.",
        "filter/listParcels/size",
    ),
    (
        "QUERY",
        "If given, only the names of parcels are returned.",
        "",
    ),
    (
        "LIST",
        "To narrow the list of parcels use `depot`.",
        "filter/listParcels/depot",
    ),
    (
        "LIST",
        "Parcels are sorted by their weight, with the most recent parcels first.",
        "order/listParcels/weight",
    ),
    (
        "LIST",
        "Parcels are returned with the most recently updated parcels first.",
        "",
    ),
    (
        "STEP",
        "You can only send a parcel while it is in the OPEN state.",
        "barred/sendParcel/not-open",
    ),
    (
        "STEP",
        "You cannot send a parcel with the `lost` status.",
        "barred/sendParcel/lost",
    ),
    (
        "DONE",
        "The parcel was sent successfully.",
        "effect/sendParcel/sent",
    ),
    ("DONE", "The request was sent successfully.", ""),
    ("PROPERTY", "Cannot be changed.", "immutable/Parcel/label"),
    (
        "PROPERTY",
        "This label may not be modified after creation.",
        "immutable/Parcel/label",
    ),
    (
        "PROPERTY",
        "A unique, immutable identifier of the parcel.",
        "immutable/Parcel/label",
    ),
    (
        "PROPERTY",
        "Cannot be changed while the parcel is open.",
        "",
    ),
    ("PROPERTY", "Can be changed.", ""),
    (
        "STEP",
        "Deletes a depot and all of its parcels.",
        "on-delete/sendParcel/Parcel",
    ),
    ("STEP", "Deletes a depot and all of its lorries.", ""),
    ("STEP", "Deletes a depot and keeps its parcels.", ""),
];

#[test]
fn a_list_item_describes_the_parameter_that_it_begins_with() {
    let items = "The parameters:\n\n- size - how many. Defaults to 20.\n- truck: defaults to 3.\n";
    let text = PLACES.replace("LIST", &format!("{items:?}"));
    assert_eq!(
        ids(&read(&document(&text), None)),
        ["default/listParcels/size"]
    );
}

/// Each reader finds rules in sentences of its kind, and none in similar sentences that do not
/// fully refer to the document.
#[test]
fn a_sentence_states_a_rule_only_if_all_its_parts_refer_to_the_document() {
    for (place, sentence, expected) in SENTENCES {
        let mut text = PLACES.to_owned();
        for name in [
            "LIST", "QUERY", "STEP", "DONE", "REFUSAL", "PROPERTY", "NUMBER", "TIME",
        ] {
            let words = if name == *place { sentence } else { "x" };
            text = text.replace(name, &format!("'{words}'"));
        }
        let facts = read(&document(&text), None);
        let read_ones = facts
            .list
            .iter()
            .filter(|fact| fact.evidence() == Evidence::Read);
        let found: Vec<String> = read_ones.map(|fact| fact.id.to_string()).collect();
        let expected: Vec<&str> = Some(*expected)
            .filter(|id| !id.is_empty())
            .into_iter()
            .collect();
        assert_eq!(found, expected, "{place}: {sentence}");
    }
}

#[test]
fn keywords_and_names_are_evidence() {
    let text = "
paths:
  /parcels:
    post:
      operationId: createParcel
      parameters:
        - {name: Idempotency-Key, in: header, schema: {type: string}}
        - {name: X-Key, in: header, x-idempotency-key: true, schema: {type: string}}
      requestBody:
        content:
          application/json:
            schema: {properties: {label: {type: string, x-natural-key: true}, size: {type: integer, default: 3}}}
      responses: {'201': {description: d}}
";
    let facts = read(&document(text), None);
    let found: Vec<(String, &str)> = { facts.list.iter() }
        .map(|fact| (fact.id.to_string(), fact.evidence().as_str()))
        .collect();
    let expected = [
        ("idempotency/createParcel/X-Key", "stated"),
        ("unique/createParcel/label", "stated"),
        ("default/createParcel/size", "stated"),
        ("idempotency/createParcel/Idempotency-Key", "read"),
    ];
    assert_eq!(
        found,
        expected.map(|(id, evidence)| (id.to_owned(), evidence))
    );
    assert!(
        facts
            .list
            .iter()
            .all(|fact| Rule::KINDS.contains(&fact.rule.kind()))
    );
}

#[test]
fn a_denied_rule_is_a_fact_with_holds_false() {
    let text = "
paths:
  /parcels:
    get:
      operationId: listParcels
      x-pagination: false
      responses: {'200': {description: d}}
    post:
      operationId: createParcel
      x-idempotent: false
      parameters: [{name: Idempotency-Key, in: header, x-idempotency-key: false, schema: {type: string}}]
      responses: {'201': {description: d}}
";
    let facts = read(&document(text), None);
    let expected = [
        "paging/listParcels",
        "idempotency/createParcel/Idempotency-Key",
        "idempotency/createParcel",
    ];
    assert_eq!(ids(&facts), expected);
    let holds = |fact: &openapi_facts::Fact| fact.rule.holds();
    assert!(!facts.list.iter().any(holds), "{:?}", facts.list);
    assert!(
        facts
            .list
            .iter()
            .all(|fact| fact.evidence() == Evidence::Stated)
    );
}

#[test]
fn an_operation_that_the_service_sends_is_read_separately() {
    let text = "
paths:
  /parcels:
    post:
      operationId: createParcel
      callbacks:
        sent:
          '{$request.body#/url}':
            post:
              parameters: [{name: Idempotency-Key, in: header, schema: {type: string}}]
              responses: {'204': {description: d}}
      responses: {'201': {description: d}}
";
    let document = document(text);
    assert_eq!(ids(&read(&document, None)), Vec::<String>::new());
    let operation = document.operations().remove(0);
    let sent = operation.callbacks().remove(0).operation;
    let facts = openapi_facts::read_operation(&document, &sent);
    let kinds: Vec<&str> = facts.iter().map(|fact| fact.rule.kind()).collect();
    assert_eq!(kinds, ["idempotency"]);
}
