//! Facts: what the document and its behaviour file say about an operation, as laws use it.

use openapi_document::view::Operation;
use openapi_document::{Node, Pointer};
use openapi_facts::rule::PagingRole;
use openapi_facts::{Fact, Rule, Source};

use super::Scene;
use super::ground::Ground;
use crate::because::Because;
use crate::model::{Call, Model};
use crate::shape::Shape;
use crate::value;

impl<'w, 'd> Scene<'w, '_, '_, 'd> {
    /// The facts about an operation, about what its body is or about what it makes.
    pub(crate) fn facts_about(&self, call: &Call<'d>) -> impl Iterator<Item = &'w Fact> {
        let facts = self.facts.list.iter();
        facts.filter(|fact| fact.is_about(&call.operation))
    }

    /// What counts where a parameter or property of a call is left out, with its fact: the keyword, or the owner of the document,
    /// states it, or a sentence says it.
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
                let keyword = keyword.filter(|own| value::plain(own) == rule.value);
                let value = keyword.or_else(|| value::of_type(&rule.value, shape.type_name()));
                Some((fact, value?))
            }
            _ => None,
        })
    }

    /// Whether a list has pages.
    pub(crate) fn is_paged(&self, list: &Call<'d>) -> bool {
        let mut facts = self.facts_about(list);
        facts.any(|fact| match &fact.rule {
            Rule::Paging(rule) => rule.role != PagingRole::None,
            _ => false,
        })
    }

    /// A fact as the ground of a claim.
    pub(crate) fn ground(&self, fact: &Fact) -> Ground {
        Ground::Fact(self.because(fact))
    }

    /// What the facts that a law tests say about a place of an operation: of the parameter or property at which a pointer
    /// ends, or of the operation as a whole.
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

    /// Whether the owner of the document has rejected what a law tests at a place of an operation.
    pub(crate) fn is_rejected(
        &self,
        kinds: &[&str],
        operation: &Operation<'d>,
        pointer: &Pointer,
    ) -> bool {
        let mut rejected = self.facts.rejected.iter();
        rejected.any(|fact| is_tested(fact, kinds, operation, pointer))
    }

    /// The places that a fact was read from, the strongest first.
    pub(crate) fn because(&self, fact: &Fact) -> Vec<Because> {
        because(self.model, fact)
    }
}

/// The places that a fact was read from, the strongest first.
pub(crate) fn because(model: &Model<'_>, fact: &Fact) -> Vec<Because> {
    let of = |source: &Source| {
        let sources = match source {
            Source::Behaviour(_) => &model.behaviour.sources,
            _ => &model.document.sources,
        };
        Because::of(sources, source)
    };
    let mut found: Vec<Because> = fact.because.iter().filter_map(of).collect();
    found.sort_by_key(|because| std::cmp::Reverse(because.evidence));
    found
}

/// Whether a fact of one of these kinds is about a place of an operation.
fn is_tested(fact: &Fact, kinds: &[&str], operation: &Operation<'_>, pointer: &Pointer) -> bool {
    let kind = fact.rule.kind();
    // What says that something is not so is no reason to expect it; what is about a state is the ground of its claims itself.
    let is_of_law = fact.rule.subject().is_some() && fact.rule.holds() && kinds.contains(&kind);
    if !is_of_law || !fact.is_about(operation) {
        return false;
    }
    let name = fact
        .rule
        .subject()
        .and_then(|subject| subject.name.as_deref());
    // A key is sent in a header, and found in the record that it makes.
    kind == "idempotency" || name.is_some_and(|name| pointer.last().as_deref() == Some(name))
}

#[cfg(test)]
mod tests {
    use openapi_document::loader::load_text;

    use super::*;

    #[test]
    fn what_is_denied_is_no_ground() {
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
