//! Supply: of what a record tells to be available no more is taken than that, in one request or in two, or at once. What
//! is said to be reserved is no longer available, what is said to be released is again, and what only takes what was
//! reserved changes nothing of it.

use openapi_document::view::Method;
use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role};
use crate::names;
use crate::value;

use super::level::{Level, Supply, beside, of_line, supply};
use super::scarcity::{BACK, TAKING, says, speaks, verbs, wants};
use crate::answered::{record_of, status, succeeded, told};
use crate::laws::steps::barred::step_on;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::ground::Ground;
use crate::scene::{Ready, Scene};

/// So many parts are asked for at once.
const TWINS: usize = 4;

/// So many steps are taken after it at most.
const STEPS: usize = 4;

/// Tries an operation that is said to be refused for want of what a record tells to be available.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let writes = matches!(call.role, Role::Create | Role::Change) && scene.may_write();
    if !writes || call.operation.method != Method::Post || call.body.is_none() || !wants(call) {
        return Ok(false);
    }
    of(scene, call, draft).await.or(Ok(false))
}

async fn of<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene.ready(call, "supply").await?;
    let sent = scene.compose(&ready, "supply")?;
    let line = of_line(scene, call, &ready, &sent);
    let is_line = line.is_some();
    let Some(supply) = line.or_else(|| supply(scene, call, &ready, &sent)) else {
        return Ok(false);
    };
    if supply.is_signed {
        supply.fill(scene, call, &ready, draft).await;
    }
    let Some(before) = supply.level(scene).await.filter(|own| own.left > 1) else {
        return Ok(!draft.is_clean());
    };
    match supply.beyond(scene, call, (&ready, &before), draft).await {
        Some(true) if draft.is_clean() => {}
        Some(_) => return Ok(true),
        None => return Ok(false),
    }
    let part = before.left / 2 + 1;
    let Some(half) = supply.request(scene, call, &ready, (part, "half")) else {
        return Ok(true);
    };
    let taken = scene.send(half).await;
    if !succeeded(&taken) {
        return Ok(true);
    }
    let after = supply.level(scene).await;
    let is_less = after.is_some_and(|own| own.left == before.left - part);
    if !(is_line || is_less || says(call, &TAKING)) {
        return Ok(true);
    }
    if !is_line || supply.is_counted() {
        supply
            .is_taken(scene, call, (&before, part), (&taken, draft))
            .await;
    }
    if draft.is_clean() {
        supply
            .rest(scene, call, &ready, (before.left, part), draft)
            .await;
    }
    if is_line {
        return Ok(true);
    }
    if draft.is_clean() {
        after_others(scene, call, draft).await?;
    }
    if draft.is_clean() && scene.may_race() {
        at_once(scene, call, draft).await?;
    }
    if draft.is_clean() {
        steps_after(scene, call, draft).await;
    }
    Ok(true)
}

impl<'d> Supply<'_, 'd> {
    /// What is added is there.
    async fn fill(
        &self,
        scene: &mut Scene<'_, '_, '_, 'd>,
        call: &Call<'d>,
        ready: &Ready<'_, 'd>,
        draft: &mut Draft,
    ) -> Option<()> {
        let before = self.level(scene).await?;
        let added = scene.call(ready, "supply-fill").await.ok()?;
        let number = added.sent.json.as_ref()?.at(&self.wanted)?;
        let number: i64 = number.to_json().parse().ok()?;
        let after = self.level(scene).await.filter(|_| succeeded(&added))?;
        let due = before.left + number;
        if after.left != due {
            let what = format!("{due} when {number} were added to {}", before.left);
            let claim = Claim::new(
                &checks::SUM_DIFFERS,
                Ground::Names,
                what,
                after.left.to_string(),
            )
            .at(after.at);
            scene.differ(draft, call, claim, &added);
        }
        Some(())
    }

    /// One more than there is, is refused as documented, and nothing of it is taken; whether it is.
    async fn beyond(
        &self,
        scene: &mut Scene<'_, '_, '_, 'd>,
        call: &Call<'d>,
        (ready, before): (&Ready<'_, 'd>, &Level),
        draft: &mut Draft,
    ) -> Option<bool> {
        let more = before.left + 1;
        let refused = scene
            .send(self.request(scene, call, ready, (more, "beyond"))?)
            .await;
        if succeeded(&refused) {
            self.exceeded(scene, call, (before.left, more), (&refused, draft));
            return Some(false);
        }
        scene.judge_seen(draft, call, &refused, |own| matches!(own, 409 | 422))?;
        let after = self.level(scene).await;
        if let Some(after) = after.filter(|own| own.left != before.left) {
            let expected = format!("{}, as before it was refused", before.left);
            let check = &checks::REFUSAL_CHANGED_STATE;
            let claim =
                Claim::new(check, Ground::Names, expected, after.left.to_string()).at(after.at);
            scene.differ(draft, call, claim, &refused);
            return Some(false);
        }
        Some(true)
    }

    /// What was taken is no longer available, and counted under the name of what was done.
    async fn is_taken(
        &self,
        scene: &mut Scene<'_, '_, '_, 'd>,
        call: &Call<'d>,
        (before, part): (&Level, i64),
        (taken, draft): (&Exchange, &mut Draft),
    ) -> Option<()> {
        let after = self.level(scene).await?;
        let due = before.left - part;
        if after.left != due {
            let claim = Claim::new(
                &checks::SUM_DIFFERS,
                Ground::Names,
                format!("{due} when {part} were taken of {}", before.left),
                after.left.to_string(),
            )
            .at(after.at.clone());
            scene.differ(draft, call, claim, taken);
        }
        let records = (&before.record, &after.record);
        is_counted(scene, call, records, part, (taken, draft));
        is_told_after(scene, call, &after.record, (taken, draft));
        Some(())
    }

    /// As much again is too much, and what is left is not.
    async fn rest(
        &self,
        scene: &mut Scene<'_, '_, '_, 'd>,
        call: &Call<'d>,
        ready: &Ready<'_, 'd>,
        (all, part): (i64, i64),
        draft: &mut Draft,
    ) -> Option<()> {
        let again = self.request(scene, call, ready, (part, "again"))?;
        let second = scene.send(again).await;
        if succeeded(&second) {
            self.exceeded(scene, call, (all, 2 * part), (&second, draft));
            return None;
        }
        let left = all - part;
        (left > 0).then_some(())?;
        let last = self.request(scene, call, ready, (left, "rest"))?;
        let last = scene.send(last).await;
        if matches!(status(&last), Some(409 | 422)) {
            let claim = Claim::new(
                &checks::VALID_REFUSED,
                Ground::Names,
                format!("the {left} that are left can be taken"),
                told(&last),
            )
            .at(self.wanted.clone());
            scene.differ(draft, call, claim, &last);
        }
        Some(())
    }

    fn exceeded(
        &self,
        scene: &Scene<'_, '_, '_, 'd>,
        call: &Call<'d>,
        (all, granted): (i64, i64),
        (exchange, draft): (&Exchange, &mut Draft),
    ) {
        let claim = Claim::new(
            &checks::SUM_EXCEEDED,
            Ground::Names,
            format!("no more than the {all} that are available"),
            format!("granted: {granted}"),
        )
        .at(self.wanted.clone());
        scene.differ(draft, call, claim, exchange);
    }
}

/// What counts what was done with a supply counts it: `reserved` of what is said to be reserved.
fn is_counted<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (before, after): (&Node, &Node),
    part: i64,
    (taken, draft): (&Exchange, &mut Draft),
) {
    let verbs = verbs(call);
    let number = |own: &Node| own.to_json().parse::<i64>().ok();
    for entry in before.entries() {
        let words = names::words(&entry.key);
        let is_of = |word: &String| verbs.iter().any(|verb| names::is_done(word, verb));
        let now = after.get(&entry.key).and_then(number);
        let (Some(was), Some(is)) = (number(&entry.value), now) else {
            continue;
        };
        if words.len() <= 2 && words.iter().any(is_of) && is != was + part {
            let expected = format!("{} when {part} more were", was + part);
            let claim = Claim::new(
                &checks::SUM_DIFFERS,
                Ground::Names,
                expected,
                is.to_string(),
            );
            let pointer = Pointer::root().join(entry.key.as_str());
            scene.differ(draft, call, claim.at(pointer), taken);
        }
    }
}

/// What is told of a supply as it is afterwards is so: `onHandAfter` of `onHand`.
fn is_told_after<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    after: &Node,
    (taken, draft): (&Exchange, &mut Draft),
) {
    let told = record_of(call, taken).into_iter().flat_map(Node::entries);
    for entry in told {
        let words = names::words(&entry.key);
        let stem = words.split_last().filter(|(last, _)| *last == "after");
        let is_of = |name: &str| stem.is_some_and(|(_, stem)| names::words(name) == stem);
        let Some(own) = after.entries().find(|own| is_of(&own.key)) else {
            continue;
        };
        if !own.value.same_value(&entry.value) {
            let expected = format!("{}, as `{}` is then", own.value.to_json(), own.key);
            let claim = Claim::new(
                &checks::SUM_DIFFERS,
                Ground::Names,
                expected,
                entry.value.to_json(),
            );
            let pointer = Pointer::root().join(entry.key.as_str());
            scene.differ(draft, call, claim.at(pointer), taken);
        }
    }
}

/// What another operation has taken is no longer there for this one.
async fn after_others<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    let is_other = |own: &&Call<'d>| {
        let is_taker = own.role == Role::Create && own.body.is_some() && wants(own);
        is_taker && own.operation.label() != call.operation.label() && scene.covers(own)
    };
    let others: Vec<&Call<'d>> = scene
        .model
        .calls
        .iter()
        .filter(is_other)
        .take(STEPS)
        .collect();
    for other in others {
        let tag = format!("supply-other-{}", other.operation.label());
        let ready = scene.ready(call, &tag).await?;
        let sent = scene.compose(&ready, "supply")?;
        let Some(own) = supply(scene, call, &ready, &sent).filter(|own| !own.is_signed) else {
            continue;
        };
        let Some(step) = step_on(scene, other, &ready) else {
            continue;
        };
        let mut first = scene.compose_step(&ready, &step, &tag)?;
        let is_of_same = |theirs: &Supply<'_, 'd>| theirs.key.same_value(&own.key);
        let theirs = supply(scene, other, &ready, &first).filter(is_of_same);
        let (Some(theirs), Some(before)) = (theirs, own.level(scene).await) else {
            continue;
        };
        let mut json = first.json.clone().ok_or("the call has no JSON body")?;
        let part = before.left / 2 + 1;
        value::put(&mut json, &theirs.wanted, value::number(part))?;
        scene.put_json(&mut first, &step, json);
        let taken = scene.send(first).await;
        let Some(after) = own.level(scene).await.filter(|_| succeeded(&taken)) else {
            continue;
        };
        let beyond = own.request(scene, call, &ready, (after.left + 1, "after-other"));
        let Some(beyond) = beyond.filter(|_| after.left < before.left && after.left >= 0) else {
            continue;
        };
        let granted = scene.send(beyond).await;
        if succeeded(&granted) {
            own.exceeded(scene, call, (after.left, after.left + 1), (&granted, draft));
        }
    }
    Ok(())
}

/// Parts of more than half, asked for at once: one at most is granted.
async fn at_once<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    let ready = scene.ready(call, "supply-race").await?;
    let sent = scene.compose(&ready, "supply")?;
    let Some(supply) = supply(scene, call, &ready, &sent) else {
        return Ok(());
    };
    if supply.is_signed {
        scene.call(&ready, "supply-fill").await?;
    }
    let Some(before) = supply.level(scene).await else {
        return Ok(());
    };
    let part = before.left / 2 + 1;
    let twin = |twin| supply.request(scene, call, &ready, (part, &format!("twin-{twin}")));
    let twins: Vec<Sent> = (0..TWINS).filter_map(twin).collect();
    let exchanges = scene.send_together(twins).await;
    let granted: Vec<&Exchange> = exchanges.iter().filter(|own| succeeded(own)).collect();
    if let (2.., Some(last)) = (granted.len(), granted.last()) {
        let times = i64::try_from(granted.len()).unwrap_or(i64::MAX);
        supply.exceeded(
            scene,
            call,
            (before.left, part.saturating_mul(times)),
            (last, draft),
        );
    }
    Ok(())
}

/// What is said to give it back does so, and what is said to take what was reserved takes no more.
async fn steps_after<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let kind = call.record()?;
    let model = scene.model;
    let readers = model.readers(kind);
    let is_step = |own: &&Call<'d>| {
        let path = own.operation.path;
        let is_under = readers
            .iter()
            .any(|reader| path.starts_with(reader.operation.path));
        let is_post = own.operation.method == Method::Post;
        is_under && is_post && scene.covers(own) && speaks(own)
    };
    let steps: Vec<&Call<'d>> = model.calls.iter().filter(is_step).take(STEPS).collect();
    for step in steps {
        let tag = format!("supply-{}", step.operation.label());
        let Ok(ready) = scene.ready(step, &tag).await else {
            continue;
        };
        let label = call.operation.label();
        let kept = ready.state.kept.clone().unwrap_or_default();
        let Some(ordered) = kept.iter().find(|own| own.sent.operation == label) else {
            continue;
        };
        let Some(supply) = supply(scene, call, &ready, &ordered.sent) else {
            continue;
        };
        let Some(before) = supply.level(scene).await else {
            continue;
        };
        let Ok(done) = scene.call(&ready, &tag).await else {
            continue;
        };
        if !succeeded(&done) || status(&done) == Some(202) {
            continue;
        }
        let Some(after) = supply.level(scene).await else {
            continue;
        };
        let number =
            |sent: &Sent, at: &Pointer| sent.json.as_ref()?.at(at)?.to_json().parse::<i64>().ok();
        let asked = done.sent.json.as_ref();
        let of_step = asked.and_then(|own| beside(own, &supply.key, &Pointer::root()));
        let of_step = of_step.and_then(|at| number(&done.sent, &at));
        let all = number(&ordered.sent, &supply.wanted)?;
        let back = if says(step, &BACK) {
            of_step.unwrap_or(all)
        } else {
            0
        };
        if after.left != before.left + back {
            let what = match back {
                0 => format!("{}, as before: it was taken already", before.left),
                _ => format!("{} when {back} are given back", before.left + back),
            };
            let claim = Claim::new(
                &checks::SUM_DIFFERS,
                Ground::Names,
                what,
                after.left.to_string(),
            );
            scene.differ(draft, step, claim.at(after.at), &done);
        }
    }
    Some(())
}
