//! Tests that equivalent rewritings are not changes, in either direction.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde::Deserialize;

use super::documents::{between, fill, listed};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refactoring {
    name: String,
    at: String,
    base: String,
    revision: String,
}

#[test]
fn equivalent_rewritings_are_not_changes() {
    let all: Vec<Refactoring> = serde_yaml::from_str(include_str!("refactorings.yaml")).unwrap();
    let names: BTreeSet<&str> = all.iter().map(|one| one.name.as_str()).collect();
    assert!(names.len() >= 40, "{} kinds of rewriting", names.len());
    let mut found = String::new();
    for one in &all {
        let text = |part: &str| fill(&one.at, part, "1.0.0").0;
        let (base, revision) = (text(&one.base), text(&one.revision));
        for (from, to, way) in [(&base, &revision, "forth"), (&revision, &base, "back")] {
            let changes = between(from, to);
            // An unused component does not matter to operations.
            let counts = changes.iter().any(|change| {
                change.rule.id != "api-schema-removed" && change.rule.id != "api-version-not-bumped"
            });
            if counts {
                writeln!(
                    found,
                    "{} at {} {way}:\n{}",
                    one.name,
                    one.at,
                    listed(&changes)
                )
                .unwrap();
            }
        }
    }
    assert!(found.is_empty(), "{found}");
}
