//! Kinds: what a text says each kind of what is booked does to the balances of its record: "`hold` lowers the available
//! balance, the ledger balance stays". No more is taken than the balance that the text names.

use std::cmp::Ordering;

use openapi_document::{Node, Pointer};

use crate::case::Step;
use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role};
use crate::names;
use crate::prose;
use crate::value;

use super::balance_texts::{Shift, keeps_free, more_than, shifts};
use super::flow::{balances, is_fee};
use crate::amount::{self, Amount};
use crate::answered::{record_of, status, succeeded, told};
use crate::scene::draft::{Claim, Draft};
use crate::scene::ground::Ground;
use crate::scene::{Ready, Scene};

/// The record that something is booked on.
struct Holder<'w, 'd> {
    reader: &'w Call<'d>,
    record: Node,
    with: Sent,
}

/// Books each kind of thing on one record, and compares its balances.
pub(super) async fn look<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let texts: Vec<&str> = call.texts().collect();
    let is_told = texts.iter().any(|own| {
        names::words(own)
            .iter()
            .any(|own| own.starts_with("balance"))
    });
    if call.role != Role::Create || call.body.is_none() || !is_told {
        return Ok(false);
    }
    let ready = scene.ready(call, "kinds").await?;
    let Some(holder) = holder(scene, call, &ready) else {
        return Ok(false);
    };
    let mut steps = vec![ready.call.clone()];
    steps.extend(scene.kinds_otherwise(call, (&ready, &ready.call)));
    let mut looked = false;
    for (index, step) in steps.iter().enumerate() {
        if draft.is_clean() {
            let stand = (&ready, step, index);
            looked |= books(scene, call, stand, &holder, draft).await.is_some();
        }
    }
    for (index, step) in steps.iter().enumerate() {
        if draft.is_clean() {
            let stand = (&ready, step, index);
            looked |= beyond(scene, call, stand, &holder, draft).await.is_some();
        }
    }
    Ok(looked)
}

/// The record that a call makes another one on, where it tells of balances.
fn holder<'w, 'd>(
    scene: &Scene<'w, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
) -> Option<Holder<'w, 'd>> {
    let (maker, record) = scene.made_before(call, ready)?;
    let with = scene.compose(ready, "kinds").ok()?;
    let reader = scene.readers_for(maker, record, &with).first().copied()?;
    (!balances(record).is_empty()).then(|| Holder {
        reader,
        record: record.clone(),
        with,
    })
}

async fn read<'d>(scene: &mut Scene<'_, '_, '_, 'd>, holder: &Holder<'_, 'd>) -> Option<Node> {
    let read = scene
        .read(holder.reader, &holder.record, &holder.with)
        .await;
    record_of(holder.reader, &read.ok()?).cloned()
}

/// The values of closed lists in a request that tell what kind of thing is asked for.
fn kind<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>, sent: &Sent) -> Vec<String> {
    let document = scene.model.document;
    let shape = crate::shape::Shape::of(document, call.body.as_ref());
    let body = sent.json.iter().flat_map(Node::entries);
    let told = body.filter(|own| shape.property(document, &own.key).known_values().len() > 1);
    told.filter_map(|own| own.value.as_str().map(str::to_owned))
        .collect()
}

/// Books one thing; each balance that the text of its kind names has moved as it says.
async fn books<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, step, index): (&Ready<'_, 'd>, &Step<'d>, usize),
    holder: &Holder<'_, 'd>,
    draft: &mut Draft,
) -> Option<()> {
    let sent = scene
        .compose_step(ready, step, &format!("kinds-{index}"))
        .ok()?;
    let kinds = kind(scene, call, &sent);
    let names = balances(&holder.record);
    let told = kinds.iter().flat_map(|kind| {
        let texts = call.texts();
        texts
            .flat_map(|text| shifts(text, kind, &names))
            .collect::<Vec<_>>()
    });
    let told: Vec<(&str, Shift)> = told.collect();
    let (_, amount) = sent
        .json
        .as_ref()
        .and_then(amount::only)
        .filter(|_| !told.is_empty())?;
    let before = read(scene, holder).await?;
    let done = scene.send(sent).await;
    let child = record_of(call, &done)?;
    if status(&done) == Some(202) || scene.model.is_moving(child) || is_fee(child) {
        return None;
    }
    let after = read(scene, holder).await?;
    for (name, shift) in told {
        let of = |own: &Node| own.get(name).and_then(Amount::read_signed);
        let (old, new) = (of(&before)?, of(&after)?);
        let due = match shift {
            Shift::Up => old.plus(amount),
            Shift::Down => old.plus(amount.with(-amount.units)),
            Shift::Stays => Some(old),
        };
        let is_due = due?.compared(new) == Some(Ordering::Equal);
        if old.is_of_unit(amount) && !is_due {
            let kind = kinds.join(", ");
            let expected = format!("{} after `{kind}`", value::plain(&due?.node()));
            differ(scene, call, (name, expected, new), &done, draft);
        }
    }
    Some(())
}

/// More than the balance that a text names is refused, whatever another one tells.
async fn beyond<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, step, index): (&Ready<'_, 'd>, &Step<'d>, usize),
    holder: &Holder<'_, 'd>,
    draft: &mut Draft,
) -> Option<()> {
    let tag = format!("kinds-beyond-{index}");
    let mut sent = scene.compose_step(ready, step, &tag).ok()?;
    let kinds = kind(scene, call, &sent);
    let names = balances(&holder.record);
    let mut said = call.texts().flat_map(prose::sentences);
    let name = said.find_map(|own| more_than(own, &kinds, &names))?;
    let (own, amount) = sent.json.as_ref().and_then(amount::only)?;
    let now = read(scene, holder).await?;
    let most = now.get(name).and_then(Amount::read_signed)?;
    let most = Some(most).filter(|own| own.is_of_unit(amount) && own.units >= 0)?;
    let more = most.with(most.units + 1);
    let mut json = sent.json.clone()?;
    amount::put(&mut json, &own, more).ok()?;
    scene.put_valid(call, (&mut sent, step), json)?;
    let taken = scene.send(sent).await;
    if succeeded(&taken) && status(&taken) != Some(202) {
        let claim = Claim::new(
            &checks::SUM_EXCEEDED,
            Ground::Text,
            format!("no more than `{name}` {}", value::plain(&most.node())),
            format!("{} for {}", told(&taken), value::plain(&more.node())),
        )
        .at(Pointer::root().join(own.as_str()));
        scene.differ(draft, call, claim, &taken);
        return Some(());
    }
    let body = taken.sent.json.clone()?;
    let kept = (most.compared(amount) != Some(Ordering::Less)).then_some(body)?;
    is_free(
        scene,
        call,
        (ready, step, index),
        (kept, &own, amount),
        draft,
    )
    .await;
    Some(())
}

/// What has to be unique of a request that was refused may be told again, where a text says so.
async fn is_free<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, step, index): (&Ready<'_, 'd>, &Step<'d>, usize),
    (mut refused, name, amount): (Node, &str, Amount),
    draft: &mut Draft,
) -> Option<()> {
    let overall = call.overall.into_iter().chain(call.texts());
    let mut said = overall.flat_map(prose::spoken);
    said.find(|own| keeps_free(own))?;
    amount::put(&mut refused, name, amount).ok()?;
    let mut sent = scene
        .compose_step(ready, step, &format!("kinds-free-{index}"))
        .ok()?;
    scene.put_json(&mut sent, step, refused);
    let again = scene.send(sent).await;
    if status(&again) == Some(409) {
        let claim = Claim::new(
            &checks::REFUSAL_CHANGED_STATE,
            Ground::Text,
            "a success of the request that was refused before, for less",
            told(&again),
        );
        scene.differ(draft, call, claim, &again);
    }
    Some(())
}

/// Tells that a balance is another one.
pub(super) fn differ<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (name, expected, actual): (&str, String, Amount),
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let told = value::plain(&actual.node());
    let claim = Claim::new(&checks::BALANCE_UNMOVED, Ground::Text, expected, told)
        .at(Pointer::root().join(name));
    scene.differ(draft, call, claim, exchange);
}
