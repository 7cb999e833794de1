//! Fact: a rule, and where it was read.

use openapi_document::view::{MediaType, Method, Operation, Response, Status};

use crate::evidence::Evidence;
use crate::fact_id::FactId;
use crate::part::answers;
use crate::rule::Rule;
use crate::source::Source;

/// A statement about the service.
#[derive(Debug, Clone)]
pub struct Fact {
    /// Its id.
    pub id: FactId,
    /// What it says.
    pub rule: Rule,
    /// Where it was read.
    pub because: Vec<Source>,
}

impl Fact {
    /// A fact that was read at one place.
    pub(crate) fn new(rule: Rule, source: Source) -> Self {
        Self {
            id: FactId::of(&rule),
            rule,
            because: vec![source],
        }
    }

    /// Whether it is about an operation: about itself, about the component that its body is, or, where values are unique, do not
    /// change or follow from each other, about the component of the record that it makes or changes. What is computed is about
    /// each operation that answers it, and a counter about those that move it.
    pub fn is_about(&self, operation: &Operation<'_>) -> bool {
        let owner = self.rule.owner();
        if operation.label() == owner {
            return true;
        }
        match &self.rule {
            Rule::Counter(rule) => return rule.step(&operation.label()).is_some(),
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

    /// The strongest evidence of its sources.
    pub fn evidence(&self) -> Evidence {
        let all = self.because.iter().map(Source::evidence);
        all.max().unwrap_or(Evidence::Read)
    }
}
