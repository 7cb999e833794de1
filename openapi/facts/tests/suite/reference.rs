//! Checks that the reference page has a valid example of each kind of fact.

use std::collections::BTreeSet;

use openapi_document::loader;
use openapi_facts::{Rule, read};

const PAGE: &str = include_str!("../../../../docs/facts.md");

/// A document with everything that the examples name.
const DOCUMENT: &str = include_str!("shop.yaml");

#[test]
fn the_page_has_an_example_of_each_kind() {
    let document = loader::load_text("api.yaml", DOCUMENT).unwrap();
    let (_, block) = PAGE.split_once("```yaml\n").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    let behaviour = openapi_document::behaviour::load_text("behaviour.yaml", block).unwrap();
    let facts = read(&document, Some(&behaviour));
    let problems = facts.problems.render(&behaviour.sources, false);
    assert!(facts.problems.is_empty(), "{problems}");
    assert_eq!(facts.entries.len(), behaviour.facts.len());
    let kinds: BTreeSet<&str> = facts
        .entries
        .iter()
        .map(|entry| entry.rule.kind())
        .collect();
    assert_eq!(kinds, Rule::KINDS.into_iter().collect());
    assert_eq!(facts.rejected.len(), 1);
}
