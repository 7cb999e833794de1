//! Plan: which trials the facts lead to, before anything is sent.

use openapi_document::view::{Location, Method};
use openapi_facts::rule::Need;
use openapi_facts::{Fact, Facts, Rule};

use crate::model::{Call, Model, Role};
use crate::shape::Shape;

/// A law, and a kind of fact that its cases test.
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

/// A fact, and the case that tests it.
#[derive(Debug)]
pub(crate) struct Trial<'f> {
    /// The fact.
    pub(crate) fact: &'f Fact,
    /// The law whose case reports what is found.
    pub(crate) law: &'static str,
    /// The operation that it is tested on.
    pub(crate) operation: String,
}

impl Trial<'_> {
    /// The case: `laws/<law>/<operation>`.
    pub(crate) fn case(&self) -> String {
        format!("laws/{}/{}", self.law, self.operation)
    }
}

/// The trials of the facts about a service, in the order of the facts; none of a fact that says that something is not so.
pub(crate) fn plan<'f>(facts: &'f Facts, model: &Model<'_>) -> Vec<Trial<'f>> {
    let holding = facts.list.iter().filter(|fact| fact.rule.holds());
    holding.flat_map(|fact| of(fact, model)).collect()
}

/// The kinds of facts that the cases of a law test.
pub(crate) fn tested_by(law: &str) -> Vec<&'static str> {
    let tested = TESTED_BY.iter().filter(|(name, _)| *name == law);
    tested.map(|(_, kind)| *kind).collect()
}

/// The trials of a fact.
fn of<'f>(fact: &'f Fact, model: &Model<'_>) -> Vec<Trial<'f>> {
    let calls = model.calls.iter();
    let trials = calls.filter(|call| fact.is_about(&call.operation));
    let trials = trials.filter_map(|call| {
        let mut kinds = TESTED_BY.iter();
        let (law, _) = kinds.find(|(law, kind)| {
            *kind == fact.rule.kind() && tries(law, &fact.rule, (model, call))
        })?;
        let operation = call.operation.label();
        Some(Trial {
            fact,
            law,
            operation,
        })
    });
    trials.collect()
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
            let last = facts.list.last().map(|fact| &fact.id);
            let found = plan(&facts, &model).into_iter();
            let found = found.filter(|trial| Some(&trial.fact.id) == last);
            let found: Vec<String> = found.map(|trial| trial.case()).collect();
            let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
            assert_eq!(found, expected, "{entry}");
        }
    }
}
