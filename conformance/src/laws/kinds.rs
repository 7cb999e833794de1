//! Kinds: which laws test which kinds of facts.

use openapi_facts::Fact;

/// A law, and a kind of fact that it tests.
const TESTED_BY: [(&str, &str); 8] = [
    ("barred", "barred"),
    ("clashes", "unique"),
    ("defaults", "default"),
    ("filters", "filter"),
    ("paging", "paging"),
    ("paging", "order"),
    ("constraints", "requires"),
    ("repetition", "idempotency"),
];

/// Whether a law tests a kind of fact.
pub(crate) fn tests(law: &str, kind: &str) -> bool {
    TESTED_BY.contains(&(law, kind))
}

/// The kinds of facts that a law tests.
pub(crate) fn tested_by(law: &str) -> Vec<&'static str> {
    let tested = TESTED_BY.iter().filter(|(own, _)| *own == law);
    tested.map(|(_, kind)| *kind).collect()
}

/// The case that tests a fact, where there is one: `laws/<law>/<operation>`.
pub(crate) fn case(fact: &Fact) -> Option<String> {
    let mut known = TESTED_BY.iter();
    let (law, _) = known.find(|(_, kind)| *kind == fact.rule.kind())?;
    Some(format!("laws/{law}/{}", fact.rule.owner()))
}
