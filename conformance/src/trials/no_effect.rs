//! No effect: a successful operation must leave a record, or one property of it, unchanged.

use openapi_document::Pointer;
use openapi_facts::rule::NoEffect;
use openapi_facts::{Fact, Rule};

use super::taking::taking;
use crate::answered::{describe, status, succeeded};
use crate::checks;
use crate::model::{Call, Model};
use crate::scene::Scene;
use crate::scene::another_body::wholly_other;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::known_record::answers;
use crate::scene::whole::Whole;

/// All operations.
pub(super) fn applies(_: &NoEffect, _: &Model<'_>, _: &Call<'_>) -> bool {
    true
}

/// Reads a record before and after the operation.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule): (&Fact, &NoEffect),
    draft: &mut Draft,
) -> Tried {
    let component = &rule.keeps.owner;
    let unread = || format!("there is no {component} that can be read");
    let tag = format!("no-effect-{component}");
    if scene.model.call(component).is_some() {
        return of_list(scene, call, (fact, component, &tag), draft).await;
    }
    let (ready, step, kept) = scene.stage(call, (component, &tag)).await?;
    // A number that is zero could not be seen to be reset.
    for step in raising(scene, rule) {
        if let Some(step) = scene.step_on(step, &ready) {
            let sent = scene.compose_step(&ready, &step, &tag)?;
            scene.send(sent).await;
        }
    }
    let (before, _) = scene.read_again(&kept).await.ok_or_else(unread)?;
    // A part leaves other amounts than the whole.
    let part = taking(scene, call, &ready)
        .await
        .filter(|_| ready.call.id == step.id);
    let part = part.and_then(|taking| taking.request(scene, &ready, (taking.half(), &tag)).ok());
    let sent = part.map_or_else(|| scene.compose_step(&ready, &step, &tag), Ok)?;
    let mut sent = sent;
    if let Some(other) = sent
        .json
        .as_ref()
        .and_then(|body| wholly_other(scene, call, body))
        && !answers(call, component)
    {
        scene.put_json(&mut sent, &step, other);
    }
    let done = scene.send(sent).await;
    if !succeeded(&done) {
        return Err(format!("the call did not succeed: {}", describe(&done)));
    }
    let (after, read) = scene.read_again(&kept).await.ok_or_else(unread)?;
    if scene.model.is_moving(&before) || status(&done) == Some(202) {
        return Err("the record changes by itself".to_owned());
    }
    let check = if answers(call, component) {
        &checks::PATCH_CHANGED_MORE
    } else {
        &checks::OTHERS_CHANGED
    };
    let mut found = scene.mismatches(kept.reader, &before, &after);
    if let Some(name) = &rule.keeps.name {
        found.retain(|apart| apart.pointer.segments().next().as_deref() == Some(name));
    }
    for apart in found {
        let expected = scene.shown(kept.reader, &apart.pointer, Some(&apart.one));
        let expected = format!("{expected}, as before `{}`", call.operation.label());
        let actual = scene.shown(kept.reader, &apart.pointer, apart.other.as_ref());
        let claim = Claim::new(check, scene.basis(fact), expected, actual);
        scene.differ(draft, kept.reader, claim.at(apart.pointer), &read);
    }
    Ok(true)
}

/// The operations that raise the kept number, by facts.
fn raising<'w, 'd>(scene: &Scene<'w, 'd>, rule: &NoEffect) -> Vec<&'w Call<'d>> {
    let facts = scene.facts.list.iter();
    let counters = facts.filter_map(|fact| match &fact.rule {
        Rule::Counter(counter) if counter.subject == rule.keeps => Some(counter),
        _ => None,
    });
    let steps = counters.flat_map(|counter| &counter.raised_by);
    steps
        .filter_map(|step| scene.model.call(&step.operation))
        .collect()
}

/// Reads a list before and after the operation.
async fn of_list<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, list, tag): (&Fact, &str, &str),
    draft: &mut Draft,
) -> Tried {
    let unread = || format!("{list} was not answered");
    let (ready, whole) = Whole::ready(scene, call, (list, tag)).await?;
    let before = whole.read(scene).await.ok_or_else(unread)?;
    let done = scene.call(&ready, tag).await?;
    if !succeeded(&done) {
        return Err(format!("the call did not succeed: {}", describe(&done)));
    }
    let after = whole.read(scene).await.ok_or_else(unread)?;
    if !before.same_value(&after) {
        let expected = format!("the list as before `{}`", call.operation.label());
        let basis = scene.basis(fact);
        let claim = Claim::new(&checks::OTHERS_CHANGED, basis, expected, "another list");
        scene.differ(draft, call, claim.at(Pointer::root()), &done);
    }
    Ok(true)
}
