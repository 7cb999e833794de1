//! Equations: a computed amount in an answer must equal the result of its equation.

use openapi_document::Node;
use openapi_facts::rule::Equation;
use openapi_facts::{Fact, Rule, parts};

use crate::answered::{succeeded, told};
use crate::checks;
use crate::model::{Call, Model};
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::draft::{Draft, Tried};
use crate::scene::facts::because;
use crate::scene::watch::Breach;

/// All operations with a documented success.
pub(super) fn applies(_: &Equation, _: &Model<'_>, call: &Call<'_>) -> bool {
    call.success.is_some()
}

/// Calls the operation; the scene checks the equations of each answer.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    facts: &[(&Fact, &Equation)],
    _: &mut Draft,
) -> Tried {
    let ready = scene.ready(call, "balance").await?;
    let done = scene.call(&ready, "balance").await?;
    if !succeeded(&done) {
        return Err(format!("the call did not succeed: {}", told(&done)));
    }
    Ok(!facts.is_empty())
}

/// The first record in an answer that breaks an equation.
pub(crate) fn breach(
    facts: &[&Fact],
    (model, call): (&Model<'_>, &Call<'_>),
    body: &Node,
) -> Option<Breach> {
    let media = call.success.as_ref()?.media.as_ref()?;
    if facts.is_empty() {
        return None;
    }
    let label = call.operation.label();
    let parts = parts(model.document, &media.schema()?, body);
    facts.iter().find_map(|fact| {
        let Rule::Equation(rule) = &fact.rule else {
            return None;
        };
        let mut records = parts
            .iter()
            .filter(|part| part.is_of(&rule.subject.owner, &label));
        let (part, (due, told)) =
            records.find_map(|part| Some((part, rule.mistake(part.node)?)))?;
        let names = rule.subject.name.as_deref().unwrap_or_default().split('.');
        Some(Breach {
            check: &checks::SUM_DIFFERS,
            basis: Basis::Fact(because(model, fact)),
            pointer: names.fold(part.at.clone(), |at, name| at.join(name)),
            expected: format!("{due}: {rule}"),
            actual: told.to_string(),
        })
    })
}
