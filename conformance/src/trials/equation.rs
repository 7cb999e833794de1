//! Equations: a computed amount in an answer must equal the result of its equation.

use openapi_document::Node;
use openapi_document::view::MediaType;
use openapi_facts::rule::Equation;
use openapi_facts::{Fact, Rule, parts};

use crate::answered::describe;
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
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    facts: &[(&Fact, &Equation)],
    draft: &mut Draft,
) -> Tried {
    let body = answer(scene, call).await;
    for (fact, rule) in facts {
        let shown = body.as_ref().map_err(String::clone);
        draft.account_for(fact, &shown.map(|body| is_shown(scene, call, rule, body)));
    }
    body.map(|_| true)
}

/// The body of a successful answer.
async fn answer<'d>(scene: &mut Scene<'_, 'd>, call: &Call<'d>) -> Result<Node, String> {
    let ready = scene.ready(call, "balance").await?;
    let done = scene.call(&ready, "balance").await?;
    let body = done.outcome.as_ref().ok().filter(|item| item.is_success());
    let body = body.and_then(|answer| answer.json());
    body.cloned()
        .ok_or_else(|| format!("the call did not succeed: {}", describe(&done)))
}

/// Whether a record in a body has all properties of an equation.
fn is_shown<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, rule: &Equation, body: &Node) -> bool {
    let media = call.success.as_ref().and_then(|item| item.media.as_ref());
    let Some(schema) = media.and_then(MediaType::schema) else {
        return false;
    };
    let label = call.operation.label();
    let parts = parts(scene.model.document, &schema, body);
    let mut parts = parts.iter();
    parts.any(|part| part.is_of(&rule.subject.owner, &label) && rule.sides(part.node).is_some())
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
        let (part, (due, observed)) =
            records.find_map(|part| Some((part, rule.mistake(part.node)?)))?;
        let names = rule.subject.name.as_deref().unwrap_or_default().split('.');
        Some(Breach {
            check: &checks::SUM_DIFFERS,
            basis: Basis::Fact(because(model, fact)),
            pointer: names.fold(part.at.clone(), |at, name| at.join(name)),
            expected: format!("{due}: {rule}"),
            actual: observed.to_string(),
        })
    })
}
