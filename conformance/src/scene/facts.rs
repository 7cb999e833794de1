//! Facts: gives laws the facts about an operation, from the document and its behaviour file.

use openapi_document::view::Operation;
use openapi_document::{Node, Pointer};
use openapi_facts::rule::PagingRole;
use openapi_facts::{Fact, Rule, Source};

use super::Scene;
use super::basis::Basis;
use crate::because::Because;
use crate::model::{Call, Model};
use crate::shape::Shape;
use crate::value;

impl<'w, 'd> Scene<'w, 'd> {
    /// Whether the behaviour file confirms a law for an operation.
    pub(crate) fn confirms(&self, law: &str, call: &Call<'d>) -> bool {
        self.model.behaviour.confirms(law, &call.operation.label())
    }

    /// The facts about an operation, its body, or the record that it creates.
    pub(crate) fn facts_about(&self, call: &Call<'d>) -> impl Iterator<Item = &'w Fact> {
        let facts = self.facts.list.iter();
        facts.filter(|fact| fact.is_about(&call.operation))
    }

    /// The documented default of a parameter or property, with its fact.
    pub(crate) fn default_of(
        &self,
        call: &Call<'d>,
        name: &str,
        shape: &Shape<'d>,
    ) -> Option<(&'w Fact, Node)> {
        let mut facts = self.facts_about(call);
        facts.find_map(|fact| match &fact.rule {
            Rule::Default(rule) if rule.subject.name.as_deref() == Some(name) => {
                let keyword = shape.keyword("default").cloned();
                let keyword = keyword.filter(|node| value::plain(node) == rule.value);
                let value = keyword.or_else(|| value::of_type(&rule.value, shape.type_name()));
                Some((fact, value?))
            }
            _ => None,
        })
    }

    /// Whether a list is paged.
    pub(crate) fn is_paged(&self, list: &Call<'d>) -> bool {
        let mut facts = self.facts_about(list);
        facts.any(|fact| match &fact.rule {
            Rule::Paging(rule) => rule.role != PagingRole::None,
            _ => false,
        })
    }

    /// The basis of a claim that rests on a fact.
    pub(crate) fn basis(&self, fact: &Fact) -> Basis {
        Basis::Fact(self.because(fact))
    }

    /// The sources of the facts of the given kinds about an operation and the property or parameter at the end of a
    /// pointer.
    pub(crate) fn supporting(
        &self,
        kinds: &[&str],
        operation: &Operation<'d>,
        pointer: &Pointer,
    ) -> Vec<Because> {
        let facts = self.facts.list.iter();
        let facts = facts.filter(|fact| is_tested(fact, kinds, operation, pointer));
        facts.flat_map(|fact| self.because(fact)).collect()
    }

    /// Whether the behaviour file rejects a fact of the given kinds about this place.
    pub(crate) fn is_rejected(
        &self,
        kinds: &[&str],
        operation: &Operation<'d>,
        pointer: &Pointer,
    ) -> bool {
        let mut rejected = self.facts.rejected.iter();
        rejected.any(|fact| is_tested(fact, kinds, operation, pointer))
    }

    /// The sources of a fact, the strongest first.
    pub(crate) fn because(&self, fact: &Fact) -> Vec<Because> {
        because(self.model, fact)
    }
}

/// The sources of a fact, the strongest first.
pub(crate) fn because(model: &Model<'_>, fact: &Fact) -> Vec<Because> {
    let quote = |source: &Source| {
        let sources = match source {
            Source::Behaviour(_) => &model.behaviour.sources,
            _ => &model.document.sources,
        };
        Because::of(sources, source)
    };
    let mut found: Vec<Because> = fact.because.iter().filter_map(quote).collect();
    found.sort_by_key(|because| std::cmp::Reverse(because.evidence));
    found
}

/// Whether a fact has one of these kinds and concerns a place of an operation.
fn is_tested(fact: &Fact, kinds: &[&str], operation: &Operation<'_>, pointer: &Pointer) -> bool {
    let kind = fact.rule.kind();
    // A negated fact supports no claim. A fact about a state is itself the basis of its claims.
    let is_of_law = fact.rule.subject().is_some() && fact.rule.holds() && kinds.contains(&kind);
    if !is_of_law || !fact.is_about(operation) {
        return false;
    }
    let name = fact
        .rule
        .subject()
        .and_then(|subject| subject.name.as_deref());
    // The default of a query parameter says nothing of a property with the same name.
    let is_of_query = pointer.segments().next().as_deref() == Some("query");
    let mut parameters = operation.parameters().into_iter();
    let is_parameter = parameters.any(|parameter| Some(parameter.name) == name);
    if kind == "default" && is_parameter && !is_of_query {
        return false;
    }
    // An idempotency key is sent in a header, but the claim points into the created record.
    kind == "idempotency" || name.is_some_and(|name| pointer.last().as_deref() == Some(name))
}

#[cfg(test)]
mod tests {
    use openapi_document::loader::load_text;

    use super::*;

    #[test]
    fn a_negated_fact_is_no_ground() {
        for (flag, expected) in [("true", true), ("false", false)] {
            let text = format!(
                "openapi: 3.0.4\ninfo: {{title: t, version: '1'}}\npaths:\n  /a:\n    post:\n      operationId: make\n      \
                 x-idempotent: {flag}\n      responses: {{'201': {{description: d}}}}\n"
            );
            let document = load_text("a.yaml", &text).unwrap();
            let facts = openapi_facts::read(&document, None);
            let operation = document.operations().remove(0);
            let is_ground =
                |fact| is_tested(fact, &["idempotency"], &operation, &operation.at.pointer);
            assert_eq!(facts.list.iter().any(is_ground), expected, "{flag}");
        }
    }
}
