//! Said: what the document says about an operation, as `openapi-facts` reads it.

use std::collections::HashMap;

use openapi_document::view::{Document, Operation};
use openapi_document::{Behaviour, Node};
use openapi_facts::{Evidence, Fact, Rule};

/// What the document says about its operations.
#[derive(Debug)]
pub(super) struct Said(HashMap<*const Node, Vec<Fact>>);

/// What the document says about one operation.
#[derive(Debug)]
pub(super) struct SaidOf(Vec<Fact>);

impl Said {
    /// Reads the facts of the document, and of its behaviour file if there is one.
    pub(super) fn read(document: &Document, behaviour: Option<&Behaviour>) -> Self {
        let facts = openapi_facts::read_calls(document, behaviour);
        let about = |operation: &Operation<'_>| facts.of(&operation.label()).cloned().collect();
        let operations = document.operations().into_iter();
        let key = |operation: &Operation<'_>| std::ptr::from_ref(operation.at.node);
        Self(operations.map(|one| (key(&one), about(&one))).collect())
    }

    /// The facts of an operation. For a callback or webhook, only its keywords and names give
    /// facts.
    pub(super) fn of<'d>(&self, document: &'d Document, operation: &Operation<'d>) -> SaidOf {
        let known = self.0.get(&std::ptr::from_ref(operation.at.node));
        let sent = || openapi_facts::read_operation(document, operation);
        SaidOf(known.cloned().unwrap_or_else(sent))
    }
}

impl SaidOf {
    /// The facts, those of the operation itself first.
    pub(super) fn facts(&self) -> &[Fact] {
        &self.0
    }

    /// Whether a repeated request takes effect once without any key; `None` when the document does
    /// not state it. Facts inferred from prose do not count, because a wrong one would make clients
    /// repeat harmful requests.
    pub(super) fn is_idempotent(&self) -> Option<bool> {
        let stated = { self.0.iter() }.filter(|fact| fact.evidence() == Evidence::Stated);
        stated.into_iter().find_map(|fact| match &fact.rule {
            Rule::Idempotency(rule) if rule.key.name.is_none() => Some(rule.holds),
            _ => None,
        })
    }

    /// Whether a header carries a key under which a repeated request takes effect once.
    pub(super) fn is_key(&self, header: &str) -> bool {
        let named = self.0.iter().find_map(|fact| match &fact.rule {
            Rule::Idempotency(rule) => {
                let name = rule.key.name.as_deref()?;
                name.eq_ignore_ascii_case(header).then_some(rule.holds)
            }
            _ => None,
        });
        named == Some(true)
    }
}
