//! The page of all rules is that of the registry and its cases.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use openapi_diff::{Rule, rules};

use super::cases;

/// Set to `write`, the page is written instead of compared.
const VARIABLE: &str = "DIFF_RULES_PAGE";

const HEAD: &str = "<!-- Made from the registry and its cases by a test; do not edit by hand. -->\n
# Rules of the comparison

What `contract diff` finds between two documents. A rule that oasdiff has keeps its id and weighs no less than there; the
column *oasdiff* has its level there. Each rule is tested by the case of its name in a file under `openapi/diff/tests/suite/cases/`: it is found
at its lines in both documents, and so is what undoes it.

Of the rules that oasdiff has for 3.1 those about `const` and about lists of types have no row: a constant is compared as the one value
of a list, a list of types as the types it names. An alternative of `anyOf` that takes less than another one adds nothing to it, and is
told all the same.

A change to a part whose provenance is *proposed* weighs a warning at most, one of an operation whose stability is draft or alpha is
for information. A property that is added to, or removed from, an object that takes no others weighs as an error where a reader or
the service refuses it. In callbacks and webhooks the directions are turned round: what the service sends is received.

The area *Behaviour* compares [facts](facts.md): what the documents and their behaviour files say about the service. The level of the
table is that of a stated fact. A fact that is read from a sentence, or shown by an example only, weighs one level less. What keywords state and
parameters' names suggest is left to the rules on these. A fact that was rejected on one side, or only moved to another place, is no change.

What other properties an object may hold is judged where `additionalProperties` says so; without it a property that nobody named
is nobody's business.
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
    for (title, rules) in [("Rules that oasdiff has", known), ("Rules of ours", ours)] {
        write!(out, "\n## {title}: {}\n\n", rules.len()).unwrap();
        out.push_str("| rule | level | oasdiff | axes | found when | test |\n|-|-|-|-|-|-|\n");
        for rule in rules {
            row(&mut out, rule, &tests);
        }
    }
    out
}

#[test]
fn the_page_is_that_of_the_registry() {
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
