//! What is taken from a record never exceeds it: not at once, not in parts, not at the same time.

use spec::{Node, Pointer};

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role};
use crate::shape::Shape;
use crate::value;

use super::amount::{Amount, shared};
use super::answered::succeeded;
use super::draft::{Claim, Draft};
use super::world::{Ready, World};

/// So many parts are asked for at once.
const TWINS: usize = 6;

/// Tries an operation that takes an amount from a record which has one.
pub(super) async fn run<'d>(world: &mut World<'_, '_, '_, 'd>, call: &Call<'d>) {
    if call.body.is_none() || !matches!(call.role, Role::Create | Role::Change) {
        return;
    }
    let mut draft = world.draft("sums", call);
    match of(world, call, &mut draft).await {
        Ok(true) => world.settle(draft),
        // Nothing is taken from anything.
        Ok(false) => {}
        Err(reason) => {
            draft.skip(reason);
            world.settle(draft);
        }
    }
}

/// An operation that takes, and what it takes from.
struct Taking<'d> {
    property: &'d str,
    whole: Amount,
}

async fn of<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let Ok(ready) = world.ready(call, "sums-beyond").await else {
        // Other laws tell that no way leads there.
        return Ok(false);
    };
    let Some(taking) = taking(world, call, &ready) else {
        return Ok(false);
    };
    let beyond = taking.whole.with(taking.whole.units + 1);
    let exchange = take(world, &ready, &taking, (beyond, "beyond")).await?;
    if succeeded(&exchange) {
        let what = format!("{} of {}", shown(beyond), shown(taking.whole));
        differ(world, call, &taking, (what, draft), &exchange);
        return Ok(true);
    }
    in_parts(world, call, draft).await?;
    if world.may_race() {
        at_once(world, call, draft).await?;
    }
    Ok(true)
}

/// The amount in the body, where the record that the call is about has the same.
fn taking<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
) -> Option<Taking<'d>> {
    let (maker, record) = world.made_before(call, ready)?;
    let shape = Shape::of(world.model.document, call.body.as_ref());
    let (property, whole) = shared(&shape, record)?;
    // What is made of nothing but the same kind of record is no part of it.
    let is_part = maker.operation.label() != call.operation.label() && whole.units > 1;
    is_part.then_some(Taking { property, whole })
}

/// Two parts, each of more than half: the second is one too many.
async fn in_parts<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    let ready = world.ready(call, "sums-parts").await?;
    let Some(taking) = taking(world, call, &ready) else {
        return Ok(());
    };
    let part = taking.whole.with(taking.whole.units / 2 + 1);
    let first = take(world, &ready, &taking, (part, "first")).await?;
    let second = take(world, &ready, &taking, (part, "second")).await?;
    if succeeded(&first) && succeeded(&second) {
        let what = format!("{0} and {0} of {1}", shown(part), shown(taking.whole));
        differ(world, call, &taking, (what, draft), &second);
    }
    Ok(())
}

/// Parts of more than half, asked for at once: one at most is granted.
async fn at_once<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    let ready = world.ready(call, "sums-race").await?;
    let Some(taking) = taking(world, call, &ready) else {
        return Ok(());
    };
    let part = taking.whole.with(taking.whole.units / 2 + 1);
    let twins =
        (0..TWINS).map(|twin| request(world, &ready, &taking, (part, &format!("twin-{twin}"))));
    let twins: Vec<Sent> = twins.collect::<Result<_, _>>()?;
    let exchanges = world.send_together(twins).await;
    let granted: Vec<&Exchange> = exchanges.iter().filter(|own| succeeded(own)).collect();
    if let (true, Some(last)) = (granted.len() > 1, granted.last()) {
        let what = format!(
            "{} times {} of {}, at once",
            granted.len(),
            shown(part),
            shown(taking.whole)
        );
        differ(world, call, &taking, (what, draft), last);
    }
    Ok(())
}

fn request<'d>(
    world: &World<'_, '_, '_, 'd>,
    ready: &Ready<'_, 'd>,
    taking: &Taking<'d>,
    (amount, tag): (Amount, &str),
) -> Result<Sent, String> {
    let mut sent = world.compose(ready, tag)?;
    let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
    value::put(
        &mut json,
        &Pointer::root().join(taking.property),
        amount.node(),
    )?;
    world.put_json(&mut sent, &ready.call, json);
    Ok(sent)
}

async fn take<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    ready: &Ready<'_, 'd>,
    taking: &Taking<'d>,
    part: (Amount, &str),
) -> Result<Exchange, String> {
    let sent = request(world, ready, taking, part)?;
    Ok(world.send(sent).await)
}

fn differ<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    taking: &Taking<'d>,
    (what, draft): (String, &mut Draft),
    exchange: &Exchange,
) {
    let claim = Claim {
        check: &checks::SUM_EXCEEDED,
        pointer: Pointer::root().join(taking.property),
        expected: format!("no more than {} is taken", shown(taking.whole)),
        actual: format!("granted: {what}"),
        spot: world.spot(call),
    };
    world.differ(draft, call, claim, exchange);
}

fn shown(amount: Amount) -> String {
    value::plain(&amount.node())
}

/// Whether a node is an amount; for other laws.
pub(super) fn is_amount(node: &Node) -> bool {
    Amount::read(node).is_some()
}
