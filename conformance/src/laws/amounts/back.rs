//! Back: what a step is said to give back to a balance is there again: all of it, or the rest of what was taken in part.

use std::cmp::Ordering;

use openapi_document::{Mapping, Node, Value};

use crate::exchange::Sent;
use crate::model::{Call, Role, prose};
use crate::shape::Shape;
use crate::value;

use super::amount::{self, Amount, names_amount};
use super::balance_texts::given_back;
use super::flow::{balances, is_fee};
use super::kinds::differ;
use crate::laws::trial::addressing::names_key;
use crate::laws::trial::answered::{own_key, record_of, status, succeeded};
use crate::laws::trial::draft::Draft;
use crate::laws::trial::world::{Ready, World};

/// The record that something was taken from, as it was before that, and how much it was.
struct Taken<'w, 'd> {
    reader: &'w Call<'d>,
    before: Node,
    with: Sent,
    amount: Amount,
    form: Node,
}

/// Takes a step on what was taken from a balance, and compares that with what it was before.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let says = |own: &str| prose::has(&crate::model::names::words(own), &["balance"]);
    let mut said = call.texts().flat_map(prose::sentences);
    let is_step = matches!(call.role, Role::Change | Role::Create);
    if !is_step || !said.any(says) {
        return Ok(false);
    }
    let ready = world.ready(call, "back").await?;
    Ok(of(world, call, &ready, draft).await.is_some())
}

async fn of<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    draft: &mut Draft,
) -> Option<()> {
    let taken = taken(world, call, ready)?;
    let names = balances(&taken.before);
    let mut said = call.texts().flat_map(prose::sentences);
    let (name, is_rest) = said.find_map(|own| given_back(own, &names))?;
    let mut sent = world.compose(ready, "back").ok()?;
    let part = match is_rest {
        true => Some(half(world, call, (ready, &mut sent), &taken)?),
        // What asks for an amount beside it takes that.
        false if names_one(&sent) => return None,
        false => None,
    };
    let done = world.send(sent).await;
    let record = record_of(call, &done).filter(|own| !world.model.is_moving(own))?;
    if !succeeded(&done) || status(&done) == Some(202) || is_fee(record) {
        return None;
    }
    let read = world.read(taken.reader, &taken.before, &taken.with).await;
    let now = record_of(taken.reader, &read.ok()?)?.get(name).cloned()?;
    let was = taken.before.get(name).and_then(Amount::read_signed)?;
    let due = match part {
        Some(part) => was.plus(part.with(-part.units))?,
        None => was,
    };
    let now = Amount::read_signed(&now).filter(|own| own.is_of_unit(taken.amount))?;
    if due.compared(now) != Some(Ordering::Equal) {
        let what = if is_rest {
            "but for that part"
        } else {
            "again"
        };
        let expected = format!("{} {what}, as is said", value::plain(&due.node()));
        differ(world, call, (name, expected, now), &done, draft);
    }
    Some(())
}

/// What was taken by what a call is about.
fn taken<'w, 'd>(
    world: &World<'w, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
) -> Option<Taken<'w, 'd>> {
    let kept = ready.state.kept.as_deref()?;
    let (last, before) = kept.split_last()?;
    let child = world.model.call(&last.sent.operation)?;
    let record = record_of(child, last).filter(|_| child.role == Role::Create)?;
    let sent = world.compose(ready, "back-named").ok()?;
    let is_about = names_key(call, &sent, record.get(own_key(child)?)?);
    let body = last.sent.json.as_ref()?;
    let mut amounts = body.entries().filter(|own| names_amount(&own.key));
    let only = amounts
        .next()
        .filter(|_| is_about && amounts.next().is_none())?;
    let amount = Amount::read(&only.value)?;
    before.iter().rev().find_map(|exchange| {
        let maker = world.model.call(&exchange.sent.operation)?;
        let holder = record_of(maker, exchange)?;
        let is_named = names_key(child, &last.sent, holder.get(own_key(maker)?)?);
        let reader = world
            .readers_for(maker, holder, &last.sent)
            .first()
            .copied()?;
        (is_named && !balances(holder).is_empty()).then(|| Taken {
            reader,
            before: holder.clone(),
            with: last.sent.clone(),
            amount,
            form: only.value.clone(),
        })
    })
}

fn names_one(sent: &Sent) -> bool {
    let mut body = sent.json.iter().flat_map(Node::entries);
    body.any(|own| names_amount(&own.key))
}

/// Asks for half of what was taken.
fn half<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, sent): (&Ready<'_, 'd>, &mut Sent),
    taken: &Taken<'_, 'd>,
) -> Option<Amount> {
    let shape = Shape::of(world.model.document, call.body.as_ref());
    let mut names = shape.property_names().into_iter();
    let name = names.find(|own| names_amount(own))?;
    let part = taken.amount.with(taken.amount.units / 2);
    let nothing = || value::node(Value::Mapping(Mapping::default()));
    let mut json = sent.json.clone().unwrap_or_else(nothing);
    let pointer = openapi_document::Pointer::root().join(name);
    value::put(&mut json, &pointer, amount::like(&taken.form, part.node())).ok()?;
    world.put_valid(call, (sent, &ready.call), json)?;
    Some(part)
}
