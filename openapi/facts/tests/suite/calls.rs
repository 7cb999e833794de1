//! The facts about calls are the same, whether all facts are read or only these.

use std::path::Path;

use openapi_document::{Document, loader};
use openapi_facts::{Facts, Rule, read, read_calls};

fn of_calls(facts: &Facts) -> Vec<String> {
    let list = facts.list.iter();
    let of_calls = list.filter(|fact| matches!(fact.rule, Rule::Paging(_) | Rule::Idempotency(_)));
    of_calls.map(|fact| format!("{fact:?}")).collect()
}

fn assert_same(document: &Document) -> usize {
    let all = of_calls(&read(document, None));
    assert_eq!(of_calls(&read_calls(document, None)), all);
    all.len()
}

#[test]
fn every_sentence_about_a_call_is_read() {
    for sentence in [
        "The page number.",
        "Which page to fetch.",
        "How many items to return.",
        "Items per page.",
        "Size of each page.",
        "Limits the number of rows returned.",
        "The index of the first row to return.",
        "The number of rows to skip.",
        "The cursor to use.",
        "A token to get the next page.",
        "Token for the next page.",
        "A pagination token.",
        "The position of the first row to return.",
        "The maximum number of rows to return.",
    ] {
        let text = format!(
            "openapi: 3.0.4\ninfo: {{title: t, version: '1'}}\npaths:\n  /rows:\n    get:\n      \
             operationId: listRows\n      parameters:\n        - {{name: q, in: query, schema: \
             {{type: string}}, description: {sentence}}}\n      responses: {{'200': \
             {{description: The rows.}}}}\n"
        );
        let document = loader::load_text("t.yaml", &text).unwrap();
        assert_eq!(assert_same(&document), 1, "{sentence}");
    }
}

#[test]
fn the_facts_of_the_contract_are_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let document = loader::load(&root.join("spec/openapi.yaml")).unwrap();
    assert!(assert_same(&document) > 10);
}
