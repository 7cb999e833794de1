//! Isolation: an operation on one record must not change another one, apart from flags that only one record can have.

use openapi_document::Node;

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role};

use super::siblings::{self, is_among_others};
use crate::answered::{describe, key_name, record_of, succeeded};
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::key::{header, set_key};

/// Tests an operation that changes or deletes a record.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if !matches!(call.role, Role::Change | Role::Delete) {
        return Ok(false);
    }
    test_call(scene, call, draft).await.or(Ok(false))
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let other = scene.ready(call, "isolation-other").await?;
    let with = scene.compose(&other, "isolation-other")?;
    let Some((creator, record)) = scene.record_before(call, &other) else {
        return Ok(false);
    };
    let (creator, record) = (creator.clone(), record.clone());
    let Some(reader) = scene.readers_for(&creator, &record, &with).first().copied() else {
        return Ok(false);
    };
    let before = scene.read(reader, &record, &with).await?;
    let ready = scene.ready(call, "isolation-own").await?;
    let named = scene.record_before(call, &ready);
    if is_one(call, &creator, (&record, named)) {
        return Ok(false);
    }
    let done = scene.call(&ready, "isolation-own").await?;
    let after = scene.read(reader, &record, &with).await?;
    let Some(known) =
        record_of(reader, &before).filter(|node| !scene.model.is_moving(node) && succeeded(&done))
    else {
        return Ok(false);
    };
    check(scene, (call, reader), (known, &after), draft);
    if draft.is_clean() {
        siblings::check(scene, call, draft).await;
    }
    if draft.is_clean() {
        twin(scene, call, draft).await;
    }
    Ok(true)
}

/// The same test with a record that an identical request created, if two can exist.
async fn twin<'d>(scene: &mut Scene<'_, 'd>, call: &Call<'d>, draft: &mut Draft) -> Option<()> {
    let tag = "isolation-twin";
    let ready = scene.ready(call, tag).await.ok()?;
    let (creator, record) = scene.record_before(call, &ready)?;
    let (creator, record) = (creator.clone(), record.clone());
    let label = creator.operation.label();
    let kept = ready.state.kept.iter().flatten().rev();
    let created = kept
        .into_iter()
        .find(|exchange| exchange.sent.operation == label)?;
    let mut again = created.sent.clone();
    if let Some(header) = header(scene, &creator) {
        set_key(&mut again, header, ready.state.fresh.fork(tag).uuid());
    }
    let twin = scene.send(again).await;
    let other = record_of(&creator, &twin)
        .filter(|_| succeeded(&twin))?
        .clone();
    if is_one(call, &creator, (&other, Some((&creator, &record)))) {
        return None;
    }
    let readers = scene.readers_for(&creator, &other, &twin.sent);
    let reader = readers.first().copied()?;
    let before = scene.read(reader, &other, &twin.sent).await.ok()?;
    let known = record_of(reader, &before).filter(|node| !scene.model.is_moving(node))?;
    let done = scene.call(&ready, tag).await.ok()?;
    succeeded(&done).then_some(())?;
    let after = scene.read(reader, &other, &twin.sent).await.ok()?;
    check(scene, (call, reader), (known, &after), draft);
    Some(())
}

/// Whether both are the same record, or the keys are unknown.
fn is_one<'d>(
    call: &Call<'d>,
    creator: &Call<'d>,
    (record, item): (&Node, Option<(&Call<'d>, &Node)>),
) -> bool {
    let key = key_name(creator).or_else(|| key_name(call));
    let pair = key
        .zip(item)
        .and_then(|(key, (_, node))| Some((node.get(key)?, record.get(key)?)));
    pair.is_none_or(|(one, other)| one.same_value(other))
}

fn check<'d>(
    scene: &Scene<'_, 'd>,
    (call, reader): (&Call<'d>, &Call<'d>),
    (known, after): (&Node, &Exchange),
    draft: &mut Draft,
) {
    let what = call.operation.label();
    let Some(now) = record_of(reader, after) else {
        let claim = Claim::new(
            &checks::OTHERS_CHANGED,
            Basis::Names,
            format!("the unchanged record: `{what}` was about another one"),
            describe(after),
        );
        scene.differ(draft, call, claim, after);
        return;
    };
    let mut found = scene.mismatches(call, known, now);
    // Only one record is the default or the first, so the others may change.
    found.retain(|difference| {
        !difference
            .pointer
            .segments()
            .any(|name| is_among_others(&name))
    });
    for difference in found {
        let claim = Claim::new(
            &checks::OTHERS_CHANGED,
            Basis::Names,
            format!(
                "{}: `{what}` was about another record",
                scene.shown(reader, &difference.pointer, Some(&difference.one))
            ),
            scene.shown(reader, &difference.pointer, difference.other.as_ref()),
        )
        .at(difference.pointer);
        scene.differ(draft, call, claim, after);
    }
}
