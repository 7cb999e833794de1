//! Plan: lists the trials that the facts lead to, before any request.

use std::collections::BTreeMap;

use openapi_document::view::{Location, Method};
use openapi_facts::{Evidence, Fact, Facts, Rule, Source};

use super::{TESTED, invariant, law_of};
use crate::model::{Call, Model, Role};
use crate::scene::Scene;
use crate::shape::Shape;

/// The kinds of facts that laws test without a trial file.
const IN_LAWS: [(&str, &str); 7] = [
    ("barred", "barred"),
    ("unique", "clashes"),
    ("default", "paging"),
    ("filter", "filters"),
    ("paging", "paging"),
    ("order", "paging"),
    ("idempotency", "repetition"),
];

/// A fact with the case that tests it.
#[derive(Debug)]
pub(crate) struct Trial<'f> {
    /// The fact.
    pub(crate) fact: &'f Fact,
    /// The law that reports the findings.
    pub(crate) law: &'static str,
    /// The label of the tested operation.
    pub(crate) operation: String,
}

impl Trial<'_> {
    /// The id of the case: `laws/<law>/<operation>`.
    pub(crate) fn case(&self) -> String {
        format!("laws/{}/{}", self.law, self.operation)
    }
}

/// The trials of all facts, in the order of the facts. Negated facts have none.
pub(crate) fn plan<'f>(facts: &'f Facts, model: &Model<'_>) -> Vec<Trial<'f>> {
    let holding = facts.list.iter().filter(|fact| fact.rule.holds());
    holding.flat_map(|fact| trials_of(fact, model)).collect()
}

/// The facts of the behaviour file that no case tests.
pub(crate) fn untestable<'f>(facts: &'f Facts, model: &Model<'_>) -> Vec<&'f Fact> {
    let entries = facts.list.iter().filter(|fact| is_entry(fact));
    entries
        .filter(|fact| trials_of(fact, model).is_empty())
        .collect()
}

/// Whether a behaviour file states a fact.
pub(crate) fn is_entry(fact: &Fact) -> bool {
    let is_of_file = |source: &Source| matches!(source, Source::Behaviour(_));
    let is_stated = fact.evidence() == Evidence::Stated && fact.rule.holds();
    is_stated && fact.because.iter().any(is_of_file)
}

/// The strongest evidence of the facts that each case tests.
pub(crate) fn evidence(facts: &Facts, model: &Model<'_>) -> BTreeMap<String, Evidence> {
    let mut strongest = BTreeMap::new();
    for trial in plan(facts, model) {
        let known = strongest.entry(trial.case()).or_insert(Evidence::Read);
        *known = trial.fact.evidence().max(*known);
    }
    strongest
}

/// The kinds of facts that the cases of a law test.
pub(crate) fn tested_by(law: &str) -> Vec<&'static str> {
    let in_answers = invariant::KINDS.map(|kind| (kind, invariant::LAW));
    let tested = TESTED.iter().chain(&IN_LAWS).chain(&in_answers);
    let tested = tested.filter(|(_, name)| *name == law);
    tested.map(|(kind, _)| *kind).collect()
}

/// The facts about an operation that a law tests itself.
pub(crate) fn tested_in_law<'w, 'd>(
    law: &str,
    scene: &Scene<'w, 'd>,
    call: &Call<'d>,
) -> Vec<&'w Fact> {
    let facts = scene.facts_about(call);
    let facts = facts.filter(|fact| {
        let rule = &fact.rule;
        let is_tried = rule.holds() && law_of(rule, scene.model, call).is_none();
        is_tried && in_laws(fact, scene.model, call) == Some(law)
    });
    facts.collect()
}

/// The trials of a fact.
fn trials_of<'f>(fact: &'f Fact, model: &Model<'_>) -> Vec<Trial<'f>> {
    let calls = model.calls.iter();
    let trials = calls.filter_map(|call| {
        let of_operation =
            || law_of(&fact.rule, model, call).or_else(|| in_laws(fact, model, call));
        let law = (fact.is_about(&call.operation).then(of_operation).flatten())
            .or_else(|| in_answers(fact, call))?;
        let operation = call.operation.label();
        Some(Trial {
            fact,
            law,
            operation,
        })
    });
    trials.collect()
}

/// The law that checks a fact in each answer of an operation.
fn in_answers(fact: &Fact, call: &Call<'_>) -> Option<&'static str> {
    let is_of_answers = invariant::KINDS.contains(&fact.rule.kind());
    let is_bound = call.success.is_some() && fact.binds_answers_of(&call.operation);
    (is_of_answers && is_bound).then_some(invariant::LAW)
}

/// The law that tests a fact on an operation without a trial file.
fn in_laws(fact: &Fact, model: &Model<'_>, call: &Call<'_>) -> Option<&'static str> {
    let mut known = { IN_LAWS.iter() }.filter(|(kind, _)| *kind == fact.rule.kind());
    let (_, law) = known.find(|(_, law)| tries(law, fact, (model, call)))?;
    Some(law)
}

/// Whether a law tests a fact on an operation.
fn tries(law: &str, fact: &Fact, (model, call): (&Model<'_>, &Call<'_>)) -> bool {
    let rule = &fact.rule;
    let name = rule.subject().and_then(|subject| subject.name.as_deref());
    let parameters = call.operation.parameters();
    let parameter = parameters
        .iter()
        .find(|parameter| Some(parameter.name) == name);
    match (law, rule) {
        ("clashes", _) => {
            let record = call.record().map(|record| &record.schema);
            let answered = Shape::of(model.document, record).property_names();
            let has_key = call.record().is_some_and(|record| record.key.is_some());
            let is_answered = fact.evidence() == Evidence::Stated && has_key
                || name.is_some_and(|name| answered.contains(&name));
            let sent = Shape::of(model.document, call.body.as_ref()).property_names();
            let is_sent = name.is_some_and(|name| sent.contains(&name));
            let takes_body = parameter.is_none() && call.body.is_some();
            let creates = call.role == Role::Create && call.operation.method == Method::Post;
            let is_stated = fact.evidence() == Evidence::Stated;
            let changes = call.role == Role::Change && is_stated && is_sent;
            is_answered && takes_body && (creates || changes)
        }
        ("paging", Rule::Default(_)) => {
            let is_requested =
                parameter.is_some_and(|parameter| parameter.location == Location::Query);
            is_requested && call.role == Role::List
        }
        ("paging" | "filters", _) => call.role == Role::List,
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
            // The entry is the last fact; the name of a parameter may suggest another one.
            let last = facts.list.last().map(|fact| &fact.id);
            let found = plan(&facts, &model).into_iter();
            let found = found.filter(|trial| Some(&trial.fact.id) == last);
            let found: Vec<String> = found.map(|trial| trial.case()).collect();
            let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
            assert_eq!(found, expected, "{entry}");
        }
    }
}
