//! Fact: a rule with the places that it was read from.

use openapi_document::view::{MediaType, Method, Operation, Response, Status};

use crate::evidence::Evidence;
use crate::fact_id::FactId;
use crate::part::answers;
use crate::rule::Rule;
use crate::source::Source;

/// A statement about the service.
#[derive(Debug, Clone)]
pub struct Fact {
    /// The id, which stays the same when the words of the document change.
    pub id: FactId,
    /// The statement.
    pub rule: Rule,
    /// The places that it was read from.
    pub because: Vec<Source>,
}

impl Fact {
    /// A fact with one source.
    pub(crate) fn new(rule: Rule, source: Source) -> Self {
        Self {
            id: FactId::of(&rule),
            rule,
            because: vec![source],
        }
    }

    /// Whether the fact concerns an operation. A counter concerns the operations that move it, and
    /// an equation those that return its owner. Other facts concern their owner: the operation, or
    /// the component of its request body. `unique`, `timing` and `immutable` facts also concern an
    /// operation that creates or changes a record and returns the owner.
    pub fn is_about(&self, operation: &Operation<'_>) -> bool {
        let owner = self.rule.owner();
        if operation.label() == owner {
            return true;
        }
        match &self.rule {
            Rule::Counter(rule) => return rule.steps(&operation.label()).next().is_some(),
            Rule::Equation(_) => return answers(operation, owner),
            _ => {}
        }
        let is_owner = |content: Vec<MediaType<'_>>| {
            let mut schemas = content.iter().filter_map(MediaType::schema);
            schemas.any(|schema| {
                let reference = schema.node.reference();
                let name = reference.and_then(|reference| reference.rsplit_once('/'));
                name.is_some_and(|(_, name)| name == owner)
            })
        };
        let body = operation.request_body();
        if body.is_some_and(|body| is_owner(body.content())) {
            return true;
        }
        let answers = match self.rule {
            Rule::Unique(_) | Rule::Timing(_) => operation.method == Method::Post,
            Rule::Immutable(_) => !operation.method.is_safe(),
            _ => false,
        };
        let is_success = |item: &&Response<'_>| matches!(item.status, Status::Code(200..=299));
        let responses = operation.responses();
        let mut successes = responses.iter().filter(is_success);
        answers && successes.any(|response| is_owner(response.content()))
    }

    /// Whether each answer of an operation must show records that keep to the rule: an equation, a
    /// stated rule about the properties of a schema, or a stated effect.
    pub fn binds_answers_of(&self, operation: &Operation<'_>) -> bool {
        match &self.rule {
            Rule::Equation(rule) => {
                (rule.from.is_none() || rule.is_of_list()) && self.is_about(operation)
            }
            Rule::Requires(_) | Rule::Relation(_) | Rule::Range(_) => {
                let is_stated = self.evidence() == Evidence::Stated;
                is_stated && answers(operation, self.rule.owner())
            }
            Rule::Effect(rule) => {
                let is_written = self
                    .because
                    .iter()
                    .any(|source| matches!(source, Source::Behaviour(_)));
                is_written && rule.property.is_some() && operation.label() == rule.operation
            }
            _ => false,
        }
    }

    /// The strongest evidence of its sources.
    pub fn evidence(&self) -> Evidence {
        let all = self.because.iter().map(Source::evidence);
        all.max().unwrap_or(Evidence::Read)
    }
}
