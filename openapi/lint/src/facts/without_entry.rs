//! Checks that the behaviour file has an entry for each fact in a sentence.

use openapi_document::diagnostic::Diagnostics;
use openapi_facts::{Evidence, Fact, Rule as Says, Source};

use crate::context::Reading;
use crate::level::Level;
use crate::rule::{Check, Rule};

pub(super) const RULE: Rule = Rule {
    id: "fact-without-entry",
    default: Level::Info,
    summary: "The behaviour file has an entry for each fact that a sentence states",
    why: "The reader may misunderstand a sentence, so a fact that only a sentence states weighs \
          little. An entry accepts the fact, or rejects it as misread. The rule applies only to \
          documents with a behaviour file.",
    remedy: "Add the entry that the finding proposes, with `rejected: true` if the fact does not \
             hold; or run `conformance facts --write`, which drafts all entries.",
    wrong: "\
paths:
  /orders/{id}/cancel:
    post:
      operationId: cancelOrder
      description: Only open orders can be cancelled.
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}}
components:
  schemas:
    Order: {properties: {status: {type: string, enum: [open, cancelled]}}}
# behaviour.yaml
behaviour: 2.0.0",
    right: "\
paths:
  /orders/{id}/cancel:
    post:
      operationId: cancelOrder
      description: Only open orders can be cancelled.
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}}
components:
  schemas:
    Order: {properties: {status: {type: string, enum: [open, cancelled]}}}
# behaviour.yaml
behaviour: 2.0.0
facts:
  - barred: {operation: cancelOrder, unless: [open]}",
    check: Check::Facts(check),
};

fn check(reading: &Reading<'_>, diagnostics: &mut Diagnostics) {
    for fact in &reading.facts.list {
        let has_entry = reading
            .facts
            .entries
            .iter()
            .any(|entry| entry.id == fact.id);
        if has_entry || fact.evidence() > Evidence::Read || is_stated(reading, fact) {
            continue;
        }
        let sentence = fact.because.iter().find_map(|source| match source {
            Source::Sentence { span, text } => Some((*span, text)),
            _ => None,
        });
        let Some((span, text)) = sentence else {
            continue;
        };
        let title = format!(
            "a sentence states a fact that the behaviour file lacks: {}",
            fact.rule
        );
        let finding = RULE.finding(title).at(span, format!("“{text}”"));
        let entry = fact.rule.entry();
        diagnostics.push(finding.help(format!(
            "add `- {entry}` to `facts` in behaviour.yaml, or run `conformance facts --write`"
        )));
    }
}

/// Whether a machine, a natural key or the pagination states the same kind of fact about the same
/// subject.
fn is_stated(reading: &Reading<'_>, fact: &Fact) -> bool {
    if matches!(fact.rule, Says::Paging(_) | Says::Order(_)) {
        let name = fact
            .rule
            .subject()
            .and_then(|subject| subject.name.as_deref());
        let pagination = reading.behaviour.pagination.iter();
        let mut parameters = pagination.flat_map(|pagination| &pagination.parameters);
        return parameters.any(|parameter| Some(parameter.name.text.as_str()) == name);
    }
    let is_same = |one: &Says, other: &Says| match (one, other) {
        (Says::Barred(one), Says::Barred(other)) => one.operation == other.operation,
        (Says::Effect(one), Says::Effect(other)) => one.operation == other.operation,
        (Says::Unique(one), Says::Unique(other)) => one.subject.name == other.subject.name,
        _ => false,
    };
    let stated = { reading.facts.list.iter() }.filter(|one| one.evidence() == Evidence::Stated);
    stated.into_iter().any(|one| is_same(&one.rule, &fact.rule))
}
