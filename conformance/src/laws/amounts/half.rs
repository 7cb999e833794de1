//! Half: where a step before takes a part only, such as a capture of half of it, no more than that can be taken.

use openapi_document::Node;
use openapi_document::view::Method;

use crate::case::{BodyValue, Step};
use crate::model::{Call, Role};
use crate::shape::Shape;

use super::amount::{self, Amount, names_amount, shared};
use super::parts::{counted, parts};
use super::taking::{differ, shown, take, taking};
use crate::laws::steps::barred::step_on;
use crate::laws::trial::answered::{status, succeeded};
use crate::laws::trial::draft::Draft;
use crate::laws::trial::world::{Ready, World};

/// Takes more than the half that was taken before.
pub(crate) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let ready = match on_the_way(world, call).await {
        Some(ready) => ready,
        None => by_another(world, call).await?,
    };
    let (_, record) = world.made_before(call, &ready)?;
    let names: Vec<&str> = record.entries().map(|own| own.key.as_str()).collect();
    let shape = Shape::of(world.model.document, call.body.as_ref());
    let (property, _) = shared(&shape, record)?;
    let parts = parts(&names)?;
    let (half, name) = parts.captured(record, property)?;
    let is_own = counted(record, call.operation.path) == Some(name);
    let taking = taking(world, call, &ready)
        .await
        .filter(|own| !is_own && own.whole == half)?;
    let beyond = half.with(half.units + 1);
    let exchange = take(world, &ready, &taking, (beyond, "beyond-half"))
        .await
        .ok()?;
    if succeeded(&exchange) {
        let what = format!("{} of {} in `{name}`", shown(beyond), shown(half));
        differ(world, call, &taking, (what, draft), &exchange);
    }
    Some(())
}

/// Half is taken by the last step before the call, where a way leads over one.
async fn on_the_way<'w, 'd>(
    world: &mut World<'w, '_, '_, 'd>,
    call: &Call<'d>,
) -> Option<Ready<'w, 'd>> {
    let ways = world.ways(call).into_iter();
    let mut halves = ways.filter_map(|way| Some((way, halved(world, way.split()?.1)?)));
    let (way, before) = halves.next()?;
    world.prepare_by(way, &before, "sums-half").await.ok()
}

/// Half is taken by a step that no way to the call leads over; the call comes after it.
async fn by_another<'w, 'd>(
    world: &mut World<'w, '_, '_, 'd>,
    call: &Call<'d>,
) -> Option<Ready<'w, 'd>> {
    let own = world.ready(call, "sums-half").await.ok()?;
    let (maker, _) = world.made_before(call, &own)?;
    let kind = maker.record()?;
    let takes = |own: &&Call<'d>| {
        let is_step = own.role == Role::Change && own.operation.method == Method::Post;
        let is_of_kind = own.record().is_some_and(|own| own.is(kind));
        let is_other = own.operation.label() != call.operation.label();
        is_step && is_of_kind && is_other && own.body.is_some() && world.covers(own)
    };
    let takers = world.model.calls.iter().filter(takes).collect::<Vec<_>>();
    for taker in takers {
        let tag = format!("sums-half-{}", call.operation.label());
        let Ok(mut ready) = world.ready(taker, &tag).await else {
            continue;
        };
        let step = step_on(world, call, &ready);
        let (Some(step), Some(own)) = (step, taking(world, taker, &ready).await) else {
            continue;
        };
        let half = own.whole.with(own.whole.units / 2);
        let done = take(world, &ready, &own, (half, "half")).await.ok()?;
        if half.units < 2 || !succeeded(&done) || status(&done) == Some(202) {
            continue;
        }
        ready.state.kept.as_mut()?.push(done);
        ready.call = step;
        return Some(ready);
    }
    None
}

/// The steps to a call, with half of an amount in the one that takes all of it.
fn halved<'d>(world: &World<'_, '_, '_, 'd>, before: &[Step<'d>]) -> Option<Vec<Step<'d>>> {
    let mut steps = before.to_vec();
    let last = steps.last_mut()?;
    let role = world.model.call(&last.name.operation).map(|own| own.role);
    let body = last
        .request
        .body
        .as_mut()
        .filter(|_| role == Some(Role::Change))?;
    let mut json = body.value.plain()?.clone();
    let only = |json: &Node| {
        let mut entries = json.entries().filter(|own| names_amount(&own.key));
        let only = entries.next().filter(|_| entries.next().is_none())?;
        Some((only.key.clone(), Amount::read(&only.value)?))
    };
    let (name, _) = only(&json)?;
    let (_, above) = before.split_last()?;
    let whole = above.iter().rev().find_map(|own| {
        let body = own.request.body.as_ref()?.value.plain()?;
        Amount::read(body.get(&name)?)
    })?;
    let half = whole.with(whole.units / 2);
    amount::put(&mut json, &name, half).ok()?;
    body.value = BodyValue::Sample(json);
    (half.units > 1).then_some(steps)
}
