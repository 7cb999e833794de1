//! On delete: deleting a record must delete its children, keep them, or be refused, as a fact says.

use openapi_facts::Fact;
use openapi_facts::rule::{Fate, OnDelete};

use crate::answered::{describe, record_of, status, succeeded};
use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Model};
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::known_record::KnownRecord;

/// All operations that change something, as any of them may delete a record.
pub(super) fn applies(rule: &OnDelete, _: &Model<'_>, call: &Call<'_>) -> bool {
    rule.then != Fate::Refused && !call.operation.method.is_safe()
}

/// Deletes a record that has a child.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule): (&Fact, &OnDelete),
    draft: &mut Draft,
) -> Tried {
    // Without a child the deletion must succeed.
    let alone = scene.ready(call, "on-delete-alone").await?;
    let granted = scene.call(&alone, "on-delete-alone").await?;
    if !succeeded(&granted) {
        return Err(format!(
            "the deletion did not succeed without children: {}",
            describe(&granted)
        ));
    }
    let (child, deleted) = with_child(scene, call, rule).await?;
    if rule.then == Fate::Refused {
        refused(scene, call, (fact, rule), &deleted, draft);
        return Ok(true);
    }
    let child = child.ok_or("the child cannot be read")?;
    if !succeeded(&deleted) || status(&deleted) == Some(202) {
        return Err(format!(
            "the deletion did not succeed at once: {}",
            describe(&deleted)
        ));
    }
    let read = scene.read(child.reader, &child.record, &child.with).await?;
    let is_there = record_of(child.reader, &read).is_some();
    let is_due = rule.then == Fate::Kept;
    let is_stated = is_there || matches!(status(&read), Some(404 | 410));
    if is_stated && is_there != is_due && !(is_there && has_left_a_mark(&child, &read)) {
        let (check, expected) = if is_due {
            (&checks::OTHERS_CHANGED, "as it was")
        } else {
            (&checks::DELETED_FOUND, "gone")
        };
        let by = call.operation.label();
        let expected = format!("the {} is {expected} after `{by}`", rule.children);
        let claim = Claim::new(check, scene.basis(fact), expected, describe(&read));
        scene.differ(draft, call, claim, &read);
    }
    Ok(true)
}

/// Whether the child reads differently than before: a server may mark a deleted record instead of removing it.
fn has_left_a_mark(child: &KnownRecord<'_, '_>, read: &Exchange) -> bool {
    let now = record_of(child.reader, read);
    !now.is_some_and(|now| now.same_value(&child.record))
}

/// Creates a child of a record, then deletes the record.
async fn with_child<'w, 'd>(
    scene: &mut Scene<'w, 'd>,
    call: &Call<'d>,
    rule: &OnDelete,
) -> Result<(Option<KnownRecord<'w, 'd>>, Exchange), String> {
    for creator in scene.creators(&rule.children) {
        let tag = format!("on-delete-{}", creator.operation.label());
        let Ok(ready) = scene.ready(creator, &tag).await else {
            continue;
        };
        let Some(step) = scene.step_on(call, &ready) else {
            continue;
        };
        let created = scene.call(&ready, &tag).await?;
        let child = scene.kept(&created);
        // If children must prevent the deletion, the child need not be readable.
        if !succeeded(&created) || child.is_none() && rule.then != Fate::Refused {
            continue;
        }
        let child = match child {
            Some(child) => {
                let read = scene.read_again(&child).await;
                read.map(|(record, _)| KnownRecord { record, ..child })
            }
            None => None,
        };
        let sent = scene.compose_step(&ready, &step, &tag)?;
        return Ok((child, scene.send(sent).await));
    }
    Err(format!(
        "no {} of the record could be created",
        rule.children
    ))
}

fn refused<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule): (&Fact, &OnDelete),
    exchange: &Exchange,
    draft: &mut Draft,
) {
    if succeeded(exchange) && status(exchange) != Some(202) {
        let expected = format!("a refusal: {rule}");
        let basis = scene.basis(fact);
        let claim = Claim::new(
            &checks::TRANSITION_FORBIDDEN,
            basis,
            expected,
            describe(exchange),
        );
        scene.differ(draft, call, claim, exchange);
    } else {
        scene.judge_seen(draft, call, exchange, |code| {
            matches!(code, 400 | 409 | 422) || Some(*code) == rule.status
        });
    }
}
