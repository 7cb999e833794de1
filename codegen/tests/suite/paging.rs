//! Which operations give a list in pages: those whose document leaves no doubt.

use std::path::Path;

use codegen::{Options, generate};

/// Whether a list with these query parameters, and this beside them, is a stream; and what is found.
fn streamed(parameters: &[&str], mark: &str, properties: &str) -> (bool, Vec<String>) {
    streamed_beside(parameters, mark, properties, "")
}

/// The same beside a behaviour file with these facts.
fn streamed_beside(
    parameters: &[&str],
    mark: &str,
    properties: &str,
    facts: &str,
) -> (bool, Vec<String>) {
    let parameters: Vec<String> = parameters
        .iter()
        .map(|one| {
            format!("        - {{name: {one}, in: query, schema: {{type: integer, minimum: 1}}}}\n")
        })
        .collect();
    let parameters = parameters.concat();
    let text = format!(
        "openapi: 3.0.4\ninfo: {{title: t, version: '1'}}\npaths:\n  /a:\n    get:\n      operationId: \
         list\n{mark}      parameters:\n{parameters}      responses:\n        '200':\n          description: \
         d\n          content: {{application/json: {{schema: {{type: object, properties: {{{properties}}}}}}}}}\n"
    );
    let document = openapi_document::loader::load_text("a.yaml", &text).unwrap();
    let beside = format!("behaviour: 2.0.0\nfacts: [{facts}]\n");
    let beside = openapi_document::behaviour::load_text("behaviour.yaml", &beside);
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
    let path = Path::new("src/client/default.rs");
    let file = output.files.iter().find(|file| file.path == path).unwrap();
    let found = output.diagnostics.iter().map(|one| {
        let line = document.sources.place(one.primary.as_ref().unwrap().0).line;
        format!("{} {line}", one.rule)
    });
    (
        file.text.contains("impl Paginated for List"),
        found.collect(),
    )
}

const BOTH: &str = "data: {type: array, items: {type: integer}}, total: {type: integer}, \
                    next_cursor: {type: string}";

#[test]
fn two_conventions_are_none() {
    assert_eq!(streamed(&["page"], "", BOTH), (true, vec![]));
    assert_eq!(streamed(&["cursor"], "", BOTH), (true, vec![]));
    assert_eq!(streamed(&["page", "cursor"], "", BOTH), (false, vec![]));
    assert_eq!(streamed(&["page", "offset"], "", BOTH), (false, vec![]));
    let told = "      x-pagination: {items: /data, page: page}\n";
    assert_eq!(streamed(&["page", "cursor"], told, BOTH), (true, vec![]));
    let never = "      x-pagination: false\n";
    assert_eq!(streamed(&["page"], never, BOTH), (false, vec![]));
}

#[test]
fn pages_that_the_document_describes_wrongly_are_found() {
    for mark in [
        "{items: /nothing, page: page}",
        "{items: /data, page: number}",
        "{items: /data, cursor: page}",
        "{items: /data}",
        "{page: page}",
        "true",
    ] {
        let mark = format!("      x-pagination: {mark}\n");
        let found = vec!["pagination-not-understood 7".to_owned()];
        assert_eq!(streamed(&["page"], &mark, BOTH), (false, found), "{mark}");
    }
}

#[test]
fn facts_say_what_a_parameter_is_for() {
    let is_stream = |parameter: &str, facts: &str| streamed_beside(&[parameter], "", BOTH, facts).0;
    let role = |name: &str, role: &str, rest: &str| {
        format!("{{paging: {{subject: {{of: list, name: {name}}}, role: {role}}}{rest}}}")
    };
    assert!(!is_stream("number", ""));
    assert!(is_stream("number", &role("number", "page", "")));
    assert!(is_stream("page", ""));
    assert!(!is_stream(
        "page",
        &role("page", "page", ", rejected: true")
    ));
    assert!(!is_stream("page", &role("page", "size", "")));
    assert!(!is_stream("cursor", &role("cursor", "size", "")));
    assert!(!is_stream(
        "page",
        "{paging: {subject: {of: list}, role: none}}"
    ));
    let described = "number, description: Page number of the results to fetch.";
    assert!(streamed(&[described], "", BOTH).0);
}
