//! Checks that the page about the rules matches the registry and the cases.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use openapi_diff::{Rule, rules};

use super::cases;

/// With the value `write`, the test writes the page instead of comparing it.
const VARIABLE: &str = "DIFF_RULES_PAGE";

const HEAD: &str = "<!-- Made from the registry and its cases by a test; do not edit by hand. -->\n
# Diff rules

`contract diff` applies these rules to two revisions of a document. A rule that oasdiff also has keeps its id and weighs no less;
the column *oasdiff* has the level there. The column *test* names a file under `openapi/diff/tests/suite/cases/` with a case
for the rule. The case checks the lines in both revisions, and that the reverse change is found too.

- Some rules of oasdiff for 3.1 have no row. A `const` is compared as an `enum` with one value, a list of types as its types. A new
  `anyOf` alternative that accepts less than an existing one is reported, although it adds nothing.
- A change to a part with the provenance *proposed* weighs a warning at most. A change to an operation with the stability draft or
  alpha is for information.
- A property added to or removed from an object that forbids others is an error when a client or the service refuses it.
- In callbacks and webhooks the directions are exchanged.
- The area *Behaviour* compares [facts](facts.md). The level of the table is for stated facts; a fact that is read or shown weighs one
  level less. A rejected fact is not compared, nor is one that only moved.
- Undeclared properties are compared only where `additionalProperties` is present.
";

fn row(out: &mut String, rule: &Rule, tests: &BTreeMap<String, &'static str>) {
    let reference = rule.reference.map_or("–", |level| level.word());
    let test = tests.get(rule.id).copied().unwrap_or("limits");
    let axes = format!(
        "{} {} {} {}",
        rule.direction, rule.area, rule.kind, rule.action
    );
    let (id, level, summary) = (rule.id, rule.level, rule.summary);
    writeln!(
        out,
        "| `{id}` | {level} | {reference} | {axes} | {summary} | {test} |"
    )
    .unwrap();
}

fn page() -> String {
    let mut tests = BTreeMap::new();
    for (file, case) in cases::all() {
        for id in case.rule.into_iter().chain(case.reverse) {
            tests.entry(id).or_insert(file);
        }
    }
    let mut out = HEAD.to_owned();
    let (known, ours): (Vec<_>, Vec<_>) = rules().iter().partition(|rule| rule.reference.is_some());
    for (title, rules) in [
        ("Rules that oasdiff has", known),
        ("Rules that only this project has", ours),
    ] {
        write!(out, "\n## {title}: {}\n\n", rules.len()).unwrap();
        out.push_str("| rule | level | oasdiff | axes | found when | test |\n|-|-|-|-|-|-|\n");
        for rule in rules {
            row(&mut out, rule, &tests);
        }
    }
    out
}

#[test]
fn the_page_matches_the_registry() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diff-rules.md");
    let page = page();
    if env::var(VARIABLE).is_ok_and(|word| word == "write") {
        fs::write(&path, &page).unwrap();
    }
    let current = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        current == page,
        "docs/diff-rules.md differs; run `{VARIABLE}=write cargo test -p openapi-diff page`"
    );
}
