//! Kinds: which laws test which kinds of facts, and on which operations.

use openapi_document::view::{Location, Method, Operation};
use openapi_facts::Fact;

/// A law, and a kind of fact that it tests.
const TESTED_BY: [(&str, &str); 10] = [
    ("barred", "barred"),
    ("effects", "effect"),
    ("clashes", "unique"),
    ("defaults", "default"),
    ("paging", "default"),
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

/// The cases that test a fact: `laws/<law>/<operation>`.
pub(crate) fn cases(fact: &Fact, operations: &[Operation<'_>]) -> Vec<String> {
    let tested = operations.iter().filter(|own| fact.is_about(own));
    let case = |own: &Operation<'_>| {
        let mut known = TESTED_BY.iter();
        let (law, _) =
            known.find(|(law, kind)| *kind == fact.rule.kind() && tries(law, fact, own))?;
        Some(format!("laws/{law}/{}", own.label()))
    };
    tested.filter_map(case).collect()
}

/// Whether a law tries a fact of its kind on an operation.
fn tries(law: &str, fact: &Fact, operation: &Operation<'_>) -> bool {
    let name = fact.rule.subject().and_then(|own| own.name.as_deref());
    let parameters = operation.parameters();
    let mut query = parameters
        .iter()
        .filter(|own| own.location == Location::Query);
    let is_asked = query.any(|own| Some(own.name) == name);
    match law {
        "clashes" => operation.method == Method::Post,
        "defaults" | "constraints" => !is_asked && operation.request_body().is_some(),
        "paging" if fact.rule.kind() == "default" => is_asked && operation.method == Method::Get,
        _ => true,
    }
}
