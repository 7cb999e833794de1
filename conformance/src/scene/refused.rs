//! Refused: compares the error codes of all refusals of a run with those that facts list.

use openapi_document::{Node, Pointer};
use openapi_facts::rule::Refusal;
use openapi_facts::{Evidence, Fact, Rule};

use super::Scene;
use super::draft::{Claim, Draft};
use crate::answered::status;
use crate::checks;
use crate::exchange::Exchange;
use crate::model::Call;

/// The property with the code if the fact does not name one.
const CODE: &str = "code";

/// Codes are searched to this depth of a body.
const DEEPEST: usize = 3;

impl<'w, 'd> Scene<'w, 'd> {
    /// The facts about the error codes of a status. Empty if one of them allows any code.
    pub(crate) fn codes_of(&self, call: &Call<'d>, status: u16) -> Vec<(&'w Fact, &'w Refusal)> {
        let facts = self.facts_about(call).filter_map(|fact| match &fact.rule {
            Rule::Refusal(rule) if rule.status == status => Some((fact, rule)),
            _ => None,
        });
        let facts: Vec<(&Fact, &Refusal)> = facts.collect();
        let is_open = facts.iter().any(|(_, rule)| rule.values.is_empty());
        if is_open { Vec::new() } else { facts }
    }

    /// Compares the code of a refusal with the facts whose condition names the subject of the fact that caused it.
    pub(crate) fn judge_cause(
        &self,
        draft: &mut Draft,
        call: &Call<'d>,
        cause: &Fact,
        exchange: &Exchange,
    ) -> Option<()> {
        let cause = cause.rule.subject()?.name.as_deref()?;
        let body = exchange.outcome.as_ref().ok()?.json()?;
        let facts = self.codes_of(call, status(exchange)?).into_iter();
        let mut facts = facts.filter(|(fact, rule)| {
            let condition = rule.condition.as_ref();
            fact.evidence() == Evidence::Stated && condition.is_some_and(|one| one.name == cause)
        });
        let (fact, rule) = facts.next()?;
        let name = rule.property.as_deref().unwrap_or(CODE);
        let mut observed = Vec::new();
        codes(body, name.rsplit('.').next()?, DEEPEST, &mut observed);
        let code = *observed.first()?;
        if !rule.values.iter().any(|value| value == code) {
            let expected = rule.values.join(" or ");
            let claim = Claim::new(&checks::FINAL_VALUE, self.basis(fact), expected, code);
            let at = name
                .split('.')
                .fold(Pointer::root(), |at, name| at.join(name));
            self.differ(draft, call, claim.at(at), exchange);
        }
        Some(())
    }

    /// Compares the code of an answer with those that facts list for its status, and stores the result.
    pub(super) fn note_refusal(&self, exchange: &Exchange) -> Option<()> {
        let status = status(exchange).filter(|status| *status >= 400)?;
        let call = self.model.call(&exchange.sent.operation)?;
        let facts = self.codes_of(call, status);
        let (_, first) = facts.first()?;
        let name = first.property.as_deref().unwrap_or(CODE);
        let body = exchange.outcome.as_ref().ok()?.json()?;
        let mut observed = Vec::new();
        codes(body, name.rsplit('.').next()?, DEEPEST, &mut observed);
        let is_known = |code: &&str| {
            let mut values = facts.iter().flat_map(|(_, rule)| &rule.values);
            values.any(|value| value == code)
        };
        let mut refused = self.found.refusals.borrow_mut();
        let seen = refused.entry((call.operation.label(), status)).or_default();
        if observed.iter().any(is_known) {
            seen.is_seen = true;
            return Some(());
        }
        let wrong = (*observed.first()?).to_owned();
        // The first case in alphabetical order counts, so that the report does not depend on timing.
        let is_first =
            { seen.wrong.as_ref() }.is_none_or(|(other, _)| exchange.sent.case < other.sent.case);
        if is_first {
            seen.wrong = Some((exchange.clone(), wrong));
        }
        Some(())
    }
}

/// The texts of a property at any level of a body.
fn codes<'n>(body: &'n Node, name: &str, depth: usize, found: &mut Vec<&'n str>) {
    found.extend(body.get(name).and_then(Node::as_str));
    if depth == 0 {
        return;
    }
    let entries = body.entries().map(|entry| &entry.value);
    for part in entries.chain(body.items()) {
        codes(part, name, depth - 1, found);
    }
}
