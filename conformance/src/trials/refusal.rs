//! Refusal: each refusal with a status must have one of the codes that facts list for it.
//!
//! The trial sends nothing; it evaluates the answers to all other requests of the run.

use openapi_document::Pointer;
use openapi_facts::rule::Refusal;
use openapi_facts::{Evidence, Fact};

use crate::checks;
use crate::model::{Call, Model};
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft, Tried};

/// All operations, if the fact lists codes.
pub(super) fn applies(rule: &Refusal, _: &Model<'_>, _: &Call<'_>) -> bool {
    !rule.values.is_empty()
}

/// Evaluates the refusals that other cases received.
#[expect(clippy::unused_async, reason = "every trial may wait for answers")]
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (_, rule): (&Fact, &Refusal),
    draft: &mut Draft,
) -> Tried {
    let status = rule.status;
    match test_answer(scene, call, status, draft) {
        Some(()) => Ok(true),
        None => Err(format!("no request was refused with {status}")),
    }
}

fn test_answer<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    status: u16,
    draft: &mut Draft,
) -> Option<()> {
    let facts = scene.codes_of(call, status);
    let (fact, rule) = *facts.first()?;
    let refusals = scene.found.refusals.borrow();
    let refused = refusals.get(&(call.operation.label(), status))?;
    let is_stated = fact.evidence() == Evidence::Stated;
    // Facts that were only read may list some of the codes, so another refusal must have had one of them.
    let Some((exchange, code)) = refused
        .wrong
        .as_ref()
        .filter(|_| is_stated || refused.is_seen)
    else {
        return refused.is_seen.then_some(());
    };
    let codes: Vec<&str> = { facts.iter() }
        .flat_map(|(_, rule)| rule.values.iter().map(String::as_str))
        .collect();
    let expected = format!("{} in a refusal with {status}", codes.join(" or "));
    let basis = scene.basis(fact);
    let claim = Claim::new(&checks::FINAL_VALUE, basis, expected, code.as_str());
    let name = rule.property.as_deref().unwrap_or("code");
    let path = name
        .split('.')
        .fold(Pointer::root(), |path, name| path.join(name));
    scene.differ(draft, call, claim.at(path), exchange);
    Some(())
}
