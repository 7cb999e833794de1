//! Which requests may be sent again: only those that the document makes harmless.

use std::path::Path;

use codegen::{Options, generate};

/// The generated `repeat` value of an operation in a document with this behaviour file.
fn repeat(method: &str, operation: &str, behaviour: &str) -> String {
    let text = format!(
        "openapi: 3.0.4\ninfo: {{title: t, version: '1'}}\npaths:\n  /a:\n    {method}:\n      operationId: \
         it\n      responses: {{'204': {{description: done}}}}\n{operation}"
    );
    let document = openapi_document::loader::load_text("a.yaml", &text).unwrap();
    let head = "behaviour: 1.0.0\nactors: {}\nrecords: {}\n";
    let beside =
        openapi_document::behaviour::load_text("behaviour.yaml", &format!("{head}{behaviour}"));
    let options = Options {
        crate_name: "a".to_owned(),
        complete_crate: false,
        round_trips: false,
        source_label: "a.yaml".to_owned(),
        behaviour: Some(beside.unwrap()),
        command: String::new(),
        exact: false,
        ..Options::default()
    };
    let output = generate(&document, &options).unwrap();
    let path = Path::new("src/operations/default.rs");
    let file = output.files.iter().find(|file| file.path == path).unwrap();
    let (_, field) = file
        .text
        .split_once(".repeat(")
        .unwrap_or(("", "Repeat::Never);"));
    field.split_once(");").unwrap().0.to_owned()
}

fn header(name: &str, rest: &str) -> String {
    format!("      parameters: [{{name: {name}, in: header, {rest}}}]\n")
}

#[test]
fn methods_decide_unless_the_operation_says_otherwise() {
    for method in ["get", "head", "put", "delete", "options"] {
        assert_eq!(repeat(method, "", ""), "Repeat::Idempotent", "{method}");
    }
    for method in ["post", "patch"] {
        assert_eq!(repeat(method, "", ""), "Repeat::Never", "{method}");
    }
    let marked = |value| format!("      x-idempotent: {value}\n");
    assert_eq!(repeat("post", &marked("true"), ""), "Repeat::Idempotent");
    assert_eq!(repeat("put", &marked("false"), ""), "Repeat::Never");
}

#[test]
fn a_declared_idempotency_key_makes_writing_repeatable() {
    let text = "schema: {type: string}";
    let keyed = "Repeat::Keyed(\"idempotency-key\")";
    assert_eq!(repeat("post", &header("Idempotency-Key", text), ""), keyed);
    assert_eq!(repeat("patch", &header("idempotency-key", text), ""), keyed);
    let marked = format!("{text}, x-idempotency-key: true");
    let own = "Repeat::Keyed(\"once\")";
    assert_eq!(repeat("post", &header("Once", &marked), ""), own);
    for (name, rest) in [
        ("Once", text),
        ("Idempotency-Key", "schema: {type: string, maxLength: 35}"),
        (
            "Idempotency-Key",
            "schema: {type: string, pattern: '^[0-9]+$'}",
        ),
        ("Idempotency-Key", "schema: {type: integer}"),
        (
            "Idempotency-Key",
            "schema: {type: string}, x-idempotency-key: false",
        ),
    ] {
        let repeat = repeat("post", &header(name, rest), "");
        assert_eq!(repeat, "Repeat::Never", "{name}: {rest}");
    }
}

#[test]
fn a_natural_key_makes_writing_repeatable() {
    let key = |operation| {
        format!("naturalKeys: [{{operation: {operation}, property: name, collection: all}}]\n")
    };
    let named = repeat("post", "", &key("it"));
    assert_eq!(named, "Repeat::NaturalKey(\"name\")");
    assert_eq!(repeat("post", "", &key("other")), "Repeat::Never");
}

#[test]
fn entries_of_the_behaviour_file_decide_which_header_is_a_key() {
    let text = "schema: {type: string}";
    let named = header("Idempotency-Key", text);
    let entry = |name: &str, rest: &str| {
        format!("facts:\n  - idempotency: {{key: {{of: it, name: {name}}}}}\n{rest}")
    };
    let rejected = entry("Idempotency-Key", "    rejected: true\n");
    assert_eq!(repeat("post", &named, &rejected), "Repeat::Never");
    let own = header("Once", text);
    assert_eq!(repeat("post", &own, ""), "Repeat::Never");
    assert_eq!(
        repeat("post", &own, &entry("Once", "")),
        "Repeat::Keyed(\"once\")"
    );
}

#[test]
fn a_sentence_alone_makes_no_operation_repeatable() {
    let sentence = "      description: This operation is idempotent.\n";
    assert_eq!(repeat("post", sentence, ""), "Repeat::Never");
    let stated = "facts: [{idempotency: {key: {of: it}}}]\n";
    assert_eq!(repeat("post", "", stated), "Repeat::Idempotent");
}
