//! Magic value: a documented test value must have its documented outcome.

use openapi_document::{Node, Pointer};
use openapi_facts::rule::MagicValue;
use openapi_facts::{Assignment, Fact};

use crate::answered::{describe, record_of, status};
use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Model};
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::place::Place;
use crate::scene::unchanged::Unchanged;
use crate::value;

/// Operations whose request can have the value.
pub(super) fn applies(rule: &MagicValue, model: &Model<'_>, call: &Call<'_>) -> bool {
    let name = rule.subject.name.as_deref();
    name.is_some_and(|name| Place::of(model.document, call, name).is_some())
}

/// Sends each value instead of the usual one.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule): (&Fact, &MagicValue),
    draft: &mut Draft,
) -> Tried {
    let document = scene.model.document;
    let name = rule.subject.name.as_deref().unwrap_or_default();
    let place = Place::of(document, call, name).ok_or("the request has no such value")?;
    let tag = format!("magic-{}", rule.value);
    let ready = scene.ready(call, &tag).await?;
    let shape = place.shape(document, call);
    let wanted = value::of_type(&rule.value, shape.type_name());
    let wanted =
        wanted.ok_or_else(|| format!("{} is not a valid value of `{name}`", rule.value))?;
    let sent = scene.altered(call, (&ready, &tag), &[(&place, wanted)]);
    let sent = sent.ok_or_else(|| format!("its schema forbids {}", rule.value))?;
    let before = Unchanged::by(scene, call, (&ready, sent.clone())).await;
    let exchange = scene.send(sent).await;
    if let Some(before) = before {
        before.check(scene, call, &exchange, draft).await;
    }
    let code = status(&exchange).ok_or_else(|| describe(&exchange))?;
    let at = place.pointer();
    if let Some(due) = rule.status.filter(|due| *due != code) {
        // Authentication and rate limits are checked before the value.
        if matches!(code, 401 | 403 | 429) {
            return Err(describe(&exchange));
        }
        let expected = format!("status {due}: {rule}");
        let claim = Claim::new(
            &checks::STATUS_CODE,
            scene.basis(fact),
            expected,
            describe(&exchange),
        );
        scene.differ(draft, call, claim.at(at), &exchange);
        return Ok(true);
    }
    scene.judge_cause(draft, call, fact, &exchange);
    scene.judge_seen(draft, call, &exchange, |code| (400..500).contains(code));
    if let Some(sets) = &rule.sets {
        compare(scene, call, (fact, rule, sets), &exchange, draft);
    }
    Ok(true)
}

/// Compares the property that the value sets, if the answer shows it and the record is not in transition.
fn compare<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule, sets): (&Fact, &MagicValue, &Assignment),
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let body = exchange
        .outcome
        .as_ref()
        .ok()
        .and_then(|answer| answer.json());
    let answered = record_of(call, exchange).or(body);
    let Some(answered) = answered.filter(|node| !scene.model.is_moving(node)) else {
        return;
    };
    let Some(now) = answered.get(&sets.name) else {
        return;
    };
    if value::plain(now) != sets.value {
        let at = Pointer::root().join(sets.name.as_str());
        let actual = scene.shown(call, &at, Some::<&Node>(now));
        let expected = format!("{}: {rule}", sets.value);
        let claim = Claim::new(&checks::FINAL_VALUE, scene.basis(fact), expected, actual);
        scene.differ(draft, call, claim.at(at), exchange);
    }
}
