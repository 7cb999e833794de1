//! What is taken from a record never exceeds it: not at once, not in parts, not at the same time. All of it
//! can be taken, what was taken is counted, and what was refused is not.

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{self, Call, Role};
use crate::names;
use crate::shape::Shape;
use crate::value;

use super::parts::counted;
use super::taking::{Taking, differ, request, shown, source, take, taking};
use super::{lifted, taken};
use crate::amount::Amount;
use crate::answered::{items_of, own_key, record_of, status, succeeded, told};
use crate::laws::requests::untouched::tell;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::ground::Ground;
use crate::scene::{Ready, Scene};

/// So many parts are asked for at once.
const TWINS: usize = 6;

/// Tries an operation that takes an amount from a record which has one.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.body.is_none() || !matches!(call.role, Role::Create | Role::Change) {
        return Ok(false);
    }
    let Ok(ready) = scene.ready(call, "sums-beyond").await else {
        // Other laws tell that no way leads there.
        return Ok(false);
    };
    let Some(taking) = taking(scene, call, &ready).await else {
        return Ok(false);
    };
    let beyond = taking.whole.with(taking.whole.units + 1);
    let before = source(scene, &taking).await;
    let exchange = take(scene, &ready, &taking, (beyond, "beyond")).await?;
    if succeeded(&exchange) {
        let what = format!("{} of {}", shown(beyond), shown(taking.whole));
        differ(scene, call, &taking, (what, draft), &exchange);
        return Ok(true);
    }
    scene.judge_seen(draft, call, &exchange, |own| matches!(own, 409 | 422));
    if let Some(before) = before {
        is_untaken(scene, call, (&taking, &before, &exchange), draft).await;
    }
    if in_parts(scene, call, draft).await? {
        all_at_once(scene, call, draft).await?;
    }
    if scene.may_race() {
        at_once(scene, call, draft).await?;
    }
    Ok(true)
}

/// What was refused has taken nothing.
async fn is_untaken<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (taking, before, refused): (&Taking<'_, 'd>, &Node, &Exchange),
    draft: &mut Draft,
) {
    let Some(after) = source(scene, taking)
        .await
        .filter(|_| !scene.model.is_moving(before))
    else {
        return;
    };
    let records = (before, &after);
    tell(scene, (call, taking.maker), records, refused, draft);
}

/// What was taken is counted under its name, where there is one.
fn is_counted<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (taking, part): (&Taking<'_, 'd>, Amount),
    (before, after, taken): (&Node, &Node, &Exchange),
    draft: &mut Draft,
) {
    let Some(name) = counted(before, call.operation.path) else {
        return;
    };
    let child = record_of(call, taken);
    if is_of_others(scene, (taking.maker, name), (call, child)) {
        return;
    }
    if status(taken) == Some(202)
        || scene.model.is_moving(after)
        || child.is_some_and(|own| scene.model.is_moving(own))
    {
        return;
    }
    let amount = |own: &Node| own.get(name).and_then(Amount::read);
    let due = amount(before).and_then(|own| own.plus(part));
    let (Some(due), Some(now)) = (due, amount(after)) else {
        return;
    };
    if now.compared(due).is_some_and(std::cmp::Ordering::is_ne) {
        let claim = Claim::new(
            &checks::SUM_DIFFERS,
            Ground::Names,
            format!("{} when {} was taken", shown(due), shown(part)),
            scene.shown(taking.maker, &lifted::at(name), after.get(name)),
        )
        .at(lifted::at(name));
        scene.differ(draft, call, claim, taken);
    }
}

/// Whether a count is said to be of what is in another state than what was taken: "the sum of the disputes which were lost".
fn is_of_others<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    (maker, name): (&Call<'d>, &str),
    (call, child): (&Call<'d>, Option<&Node>),
) -> bool {
    let document = scene.model.document;
    let (Some(of), Some(kind), Some(child)) = (maker.record(), call.record(), child) else {
        return false;
    };
    let property = Shape::of(document, Some(&of.schema)).property(document, name);
    let text = property.keyword("description").and_then(Node::as_str);
    let said = names::words(&text.unwrap_or_default().to_lowercase());
    let shape = Shape::of(document, Some(&kind.schema));
    let mut states = shape.property_names().into_iter();
    let Some(state) = states.find(|own| names::tells_state(own)) else {
        return false;
    };
    let own = child.get(state).and_then(Node::as_str);
    let values = shape.property(document, state).known_values();
    let is_said = |state: &str| {
        let words = names::words(&state.to_lowercase());
        said.windows(words.len().max(1)).any(|part| part == words)
    };
    let mut others = values.into_iter().filter(|other| Some(*other) != own);
    !own.is_some_and(is_said) && others.any(is_said)
}

/// All of it can be taken, where a part can, and what is taken is counted.
async fn all_at_once<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    let ready = scene.ready(call, "sums-whole").await?;
    let Some(taking) = taking(scene, call, &ready).await else {
        return Ok(());
    };
    if counted(&taking.record, call.operation.path).is_none() {
        return Ok(());
    }
    let exchange = take(scene, &ready, &taking, (taking.whole, "whole")).await?;
    if !succeeded(&exchange) {
        let claim = Claim::new(
            &checks::VALID_REFUSED,
            Ground::Names,
            format!("all of {} can be taken", shown(taking.whole)),
            told(&exchange),
        )
        .at(Pointer::root().join(taking.property));
        scene.differ(draft, call, claim, &exchange);
    } else if let Some(after) = source(scene, &taking).await {
        // All of an item is a part of the record.
        if !taking.is_of_item {
            let states = (&taking.record, &after, false);
            taken::look(scene, (call, taking.maker), states, &exchange, draft);
        }
    }
    Ok(())
}

/// Two parts, each of more than half: the second is one too many. Whether the first was granted.
async fn in_parts<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene.ready(call, "sums-parts").await?;
    let Some(taking) = taking(scene, call, &ready).await else {
        return Ok(false);
    };
    let part = taking.whole.with(more_than_half(taking.whole.units));
    let before = source(scene, &taking).await;
    let first = take(scene, &ready, &taking, (part, "first")).await?;
    if let (Some(before), true) = (before, succeeded(&first))
        && let Some(after) = source(scene, &taking).await
    {
        is_counted(
            scene,
            call,
            (&taking, part),
            (&before, &after, &first),
            draft,
        );
        let states = (
            &before,
            &after,
            part.units < taking.whole.units || taking.is_of_item,
        );
        taken::look(scene, (call, taking.maker), states, &first, draft);
        let part = (&before, &after, part);
        taken::leaves(scene, (call, taking.maker), part, &first, draft);
    }
    let second = take(scene, &ready, &taking, (part, "second")).await?;
    if succeeded(&first) && succeeded(&second) {
        let what = format!("{0} and {0} of {1}", shown(part), shown(taking.whole));
        differ(scene, call, &taking, (what, draft), &second);
    }
    if draft.is_clean()
        && succeeded(&first)
        && counted(&taking.record, call.operation.path).is_some()
    {
        Box::pin(rest(scene, call, (&ready, &taking), (part, &first), draft)).await;
    }
    Ok(succeeded(&first))
}

/// A part of which there are not two; one that a server which counts in binary fractions has less of in the end.
fn more_than_half(units: i128) -> i128 {
    const FAR: i128 = 100_000;
    let half = units / 2 + 1;
    let is_lost = |own: &i128| {
        let own = u32::try_from(*own).map(f64::from);
        own.is_ok_and(|own| own / 100.0 * 100.0 < own)
    };
    let mut parts = half..units.min(half + FAR);
    parts.find(is_lost).unwrap_or(half)
}

/// What is left after a part can be taken, and both are listed.
async fn rest<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, taking): (&Ready<'_, 'd>, &Taking<'_, 'd>),
    (part, first): (Amount, &Exchange),
    draft: &mut Draft,
) -> Option<()> {
    let left = taking.whole.with(taking.whole.units - part.units);
    let last = take(scene, ready, taking, (left, "rest")).await.ok()?;
    if let Some(after) = source(scene, taking).await.filter(|_| succeeded(&last)) {
        let records = (&taking.record, &after, &last);
        is_counted(scene, call, (taking, taking.whole), records, draft);
        // What all was taken of in parts is in the state of that.
        let states = (&taking.record, &after, taking.is_of_item);
        taken::look(scene, (call, taking.maker), states, &last, draft);
    }
    let (kind, key) = (call.record()?, own_key(call)?);
    let keys = [
        record_of(call, first)?.get(key)?,
        record_of(call, &last)?.get(key)?,
    ];
    let keys = keys.map(Node::clone);
    let model = scene.model;
    let is_under = |own: &&&Call<'d>| model::same_path(own.operation.path, call.operation.path);
    let list = model.lists(kind).into_iter().find(|own| is_under(&own))?;
    let sent = scene
        .compose_read(list, &taking.record, &last.sent, &[])
        .ok()?;
    let listed = scene.send(sent).await;
    let items = items_of(list, &listed)?;
    let has = |key_of: &Node| {
        items
            .iter()
            .any(|item| item.get(key).is_some_and(|own| own.same_value(key_of)))
    };
    if let Some(missing) = keys.iter().find(|own| !has(own)) {
        let claim = Claim::new(
            &checks::LIST_MISSES,
            Ground::Names,
            format!("both that were made, {} among them", value::plain(missing)),
            format!("{} items", items.len()),
        );
        scene.differ(draft, list, claim, &listed);
    }
    Some(())
}

/// Parts of more than half, asked for at once: one at most is granted.
async fn at_once<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    let ready = scene.ready(call, "sums-race").await?;
    let Some(taking) = taking(scene, call, &ready).await else {
        return Ok(());
    };
    let part = taking.whole.with(taking.whole.units / 2 + 1);
    let twins =
        (0..TWINS).map(|twin| request(scene, &ready, &taking, (part, &format!("twin-{twin}"))));
    let twins: Vec<Sent> = twins.collect::<Result<_, _>>()?;
    let exchanges = scene.send_together(twins).await;
    let granted: Vec<&Exchange> = exchanges.iter().filter(|own| succeeded(own)).collect();
    if let (true, Some(last)) = (granted.len() > 1, granted.last()) {
        let what = format!(
            "{} times {} of {}, at once",
            granted.len(),
            shown(part),
            shown(taking.whole)
        );
        differ(scene, call, &taking, (what, draft), last);
    }
    Ok(())
}
