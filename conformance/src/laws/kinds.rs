//! Kinds: which laws test which kinds of facts, and on which operations.

use openapi_document::view::{Location, Method};
use openapi_facts::rule::Need;
use openapi_facts::{Fact, Rule};

use crate::model::{Call, Model, Role};
use crate::shape::Shape;

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

/// The cases that test a fact: `laws/<law>/<operation>`; none of one that says that something is not so.
pub(crate) fn cases(fact: &Fact, model: &Model<'_>) -> Vec<String> {
    let tested = model
        .calls
        .iter()
        .filter(|own| fact.is_about(&own.operation));
    let case = |own: &Call<'_>| {
        let mut known = TESTED_BY.iter().filter(|_| fact.rule.holds());
        let is_tried = |law: &str| tries(law, &fact.rule, (model, own));
        let (law, _) = known.find(|(law, kind)| *kind == fact.rule.kind() && is_tried(law))?;
        Some(format!("laws/{law}/{}", own.operation.label()))
    };
    tested.filter_map(case).collect()
}

/// Whether a law tries a rule of its kind on an operation.
fn tries(law: &str, rule: &Rule, (model, call): (&Model<'_>, &Call<'_>)) -> bool {
    let method = call.operation.method;
    let name = rule.subject().and_then(|own| own.name.as_deref());
    let parameters = call.operation.parameters();
    let parameter = parameters.iter().find(|own| Some(own.name) == name);
    let takes_body = parameter.is_none() && call.body.is_some();
    let makes = call.role == Role::Create;
    match (law, rule) {
        ("clashes", _) => {
            let record = call.record().map(|own| &own.schema);
            let told = Shape::of(model.document, record).property_names();
            let is_told = name.is_some_and(|own| told.contains(&own));
            is_told && takes_body && makes && method == Method::Post
        }
        ("defaults", _) => takes_body && (makes || method == Method::Post),
        ("paging", Rule::Default(_)) => {
            let is_asked = parameter.is_some_and(|own| own.location == Location::Query);
            is_asked && call.role == Role::List
        }
        ("paging" | "filters", _) => call.role == Role::List,
        (_, Rule::Requires(rule)) => {
            let is_tried = !matches!(rule.need, Need::OnlyThen | Need::Null);
            is_tried && takes_body && method != Method::Patch
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use openapi_document::behaviour;
    use openapi_document::loader::load_text;

    use super::*;

    #[test]
    fn facts_lead_to_the_cases_that_test_them() {
        let text = "\
openapi: 3.0.4
info: {title: t, version: '1'}
paths:
  /a:
    get:
      operationId: listAs
      parameters: [{name: size, in: query, schema: {type: integer}}]
      responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/A'}}}}}}
    post:
      operationId: makeA
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/NewA'}}}}
      responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}
components:
  schemas:
    NewA: {type: object, properties: {name: {type: string}, kind: {type: string}}}
    A: {type: object, properties: {id: {type: string}, name: {type: string}}}
";
        for (entry, expected) in [
            (
                "unique: {subject: {of: A, name: name}}",
                Some("laws/clashes/makeA"),
            ),
            ("unique: {subject: {of: A, name: name}, holds: false}", None),
            (
                "default: {subject: {of: NewA, name: kind}, value: x}",
                Some("laws/defaults/makeA"),
            ),
            ("default: {subject: {of: A, name: name}, value: x}", None),
            (
                "default: {subject: {of: listAs, name: size}, value: '5'}",
                Some("laws/paging/listAs"),
            ),
            (
                "requires: {subject: {of: NewA, name: name}, need: absent, condition: {name: kind}}",
                Some("laws/constraints/makeA"),
            ),
            (
                "requires: {subject: {of: NewA, name: name}, need: 'null', condition: {name: kind}}",
                None,
            ),
            (
                "effect: {operation: makeA, value: x}",
                Some("laws/effects/makeA"),
            ),
            (
                "idempotency: {key: {of: makeA}}",
                Some("laws/repetition/makeA"),
            ),
            (
                "order: {subject: {of: listAs}, by: name}",
                Some("laws/paging/listAs"),
            ),
        ] {
            let document = load_text("a.yaml", text).unwrap();
            let entries = format!("behaviour: 2.0.0\nfacts:\n  - {entry}\n");
            let behaviour = behaviour::load_text("b.yaml", &entries).unwrap();
            let facts = openapi_facts::read(&document, Some(&behaviour));
            let model = Model::new(&document, behaviour);
            // The entry is the last fact; the name of a parameter suggests one, too.
            let found = facts.list.last().map(|own| cases(own, &model));
            let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
            assert_eq!(found, Some(expected), "{entry}");
        }
    }
}
