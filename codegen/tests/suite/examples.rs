//! An example that breaks the schema beside it is a finding with a place, and no test that fails.

use std::path::Path;

use codegen::{Options, generate};

/// What is found in a document with these examples, with its line; and the tests over a socket.
fn tried(parameter: &str, sent: &str, answered: &str) -> (Vec<String>, String) {
    let schema = "{type: object, required: [code], properties: {code: {type: string, pattern: '^[AE][0-9]?$'}, \
                  size: {type: integer, maximum: 9}, tags: {type: array, uniqueItems: true, items: {type: \
                  string, minLength: 1}}}}";
    let text = format!(
        "openapi: 3.0.4\ninfo: {{title: t, version: '1'}}\npaths:\n  /a:\n    post:\n      operationId: \
         it\n      parameters:\n        - name: id\n          in: query\n          schema: {{type: \
         integer, minimum: 5}}\n          example: {parameter}\n      requestBody:\n        \
         required: true\n        content:\n          application/json:\n            schema: \
         {schema}\n            example: {sent}\n      responses:\n        '200':\n          description: \
         d\n          content:\n            application/json:\n              schema: {schema}\n              \
         example: {answered}\n"
    );
    let document = openapi_document::loader::load_text("a.yaml", &text).unwrap();
    let options = Options {
        crate_name: "a".to_owned(),
        complete_crate: true,
        round_trips: true,
        source_label: "a.yaml".to_owned(),
        behaviour: None,
        command: String::new(),
        exact: false,
        ..Options::default()
    };
    let output = generate(&document, &options).unwrap();
    let found = output.diagnostics.iter().map(|one| {
        let place = document.sources.place(one.primary.as_ref().unwrap().0);
        format!("{} {}: {}", one.rule, place.line, one.title)
    });
    let path = Path::new("tests/suite/exchanges.json");
    let file = output.files.iter().find(|file| file.path == path).unwrap();
    (found.collect(), file.text.clone())
}

const GOOD: &str = "{code: E1, size: 9, tags: [a, b]}";

#[test]
fn examples_that_keep_to_their_schema_are_tried() {
    let (found, text) = tried("5", GOOD, GOOD);
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(text.matches(r#""code":"E1""#).count(), 2);
    assert!(text.contains(r#"{"id":5}"#));
}

#[test]
fn a_request_that_a_server_would_refuse_is_a_finding() {
    for (sent, told) in [
        ("{code: F1}", "`/code` must match ^[AE][0-9]?$"),
        ("{code: E2, size: 10}", "`/size` must be at most 9"),
        (
            "{code: E2, tags: [a, a]}",
            "`/tags` must not have the same item twice",
        ),
        (
            "{code: E2, tags: [a, '']}",
            "`/tags/1` must have at least 1 characters",
        ),
    ] {
        let (found, text) = tried("5", sent, GOOD);
        let expected =
            format!("example-breaks-constraint 17: the example `example` gets no test: {told}");
        assert_eq!(found, [expected]);
        assert!(!text.contains("F1") && !text.contains("E2"), "{text}");
    }
}

#[test]
fn an_answer_that_breaks_its_schema_is_a_finding_and_is_read_all_the_same() {
    let (found, text) = tried("5", GOOD, "{code: F1}");
    let told = "the example `example` is not as its schema says: `/code` must match ^[AE][0-9]?$";
    assert_eq!(found, [format!("example-breaks-constraint 24: {told}")]);
    assert!(text.contains("F1"));
}

#[test]
fn a_parameter_that_a_server_would_refuse_is_a_finding() {
    for (value, rule, told) in [
        (
            "4",
            "example-breaks-constraint",
            "`the value` must be at least 5",
        ),
        (
            "five",
            "example-not-held",
            "`the value` is not a whole number that fits",
        ),
    ] {
        let (found, text) = tried(value, GOOD, GOOD);
        assert_eq!(
            found,
            [format!(
                "{rule} 11: the example of `id` gets no test: {told}"
            )]
        );
        assert!(!text.contains(r#""id""#), "{value}");
    }
}
