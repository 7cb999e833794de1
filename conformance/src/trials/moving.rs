//! Async: after an operation a record comes to one of some values by itself.

use std::time::{Duration, Instant};

use openapi_document::{Node, Pointer};
use openapi_facts::Fact;
use openapi_facts::rule::Async;

use crate::answered::{own_key, record_of, succeeded, told};
use crate::checks;
use crate::exchange::Sent;
use crate::model::{Call, Model};
use crate::names;
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::kept::Kept;
use crate::value;

/// So long is waited at most.
const LONGEST: Duration = Duration::from_mins(2);

/// So long is waited where nothing tells how long it takes.
const OPEN: Duration = Duration::from_secs(10);

/// So long is waited between two readings.
const PAUSE: Duration = Duration::from_millis(250);

/// Every operation that changes something may start what goes on by itself.
pub(super) fn applies(_: &Async, _: &Model<'_>, call: &Call<'_>) -> bool {
    !call.operation.method.is_safe()
}

/// Waits for what an operation starts.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (fact, rule): (&Fact, &Async),
    draft: &mut Draft,
) -> Tried {
    if !scene.may_write() {
        return Ok(false);
    }
    let within = rule.within.as_ref();
    let within = within.and_then(|within| u64::try_from(within.milliseconds()).ok());
    let within = within.map(Duration::from_millis);
    if let Some(long) = within.filter(|within| *within > LONGEST) {
        return Err(format!(
            "it may take {} s: that is not waited for",
            long.as_secs()
        ));
    }
    let tag = format!("async-{}", rule.property.as_deref().unwrap_or("state"));
    let ready = scene.ready(call, &tag).await?;
    let before = { scene.made_before(call, &ready) }.map(|(_, record)| record.clone());
    let done = scene.call(&ready, &tag).await?;
    if !succeeded(&done) {
        return Err(format!("it was not granted: {}", told(&done)));
    }
    let record = record_of(call, &done).cloned().or(before);
    let started = record.and_then(|record| started(scene, call, record, &done.sent));
    let started = started.ok_or("no operation reads the record that moves on")?;
    let begun = Instant::now();
    loop {
        let read = scene.read_again(&started).await;
        let (now, read) = read.ok_or("the record is not read any more")?;
        let told = told_by(&now, rule);
        let is_reached = told
            .as_ref()
            .is_some_and(|(_, told)| rule.reaches.contains(told));
        if is_reached {
            return Ok(true);
        }
        if begun.elapsed() > within.unwrap_or(OPEN) {
            let reached = rule.reaches.join(" or ");
            let why = format!("it has not become {reached} within {} s", OPEN.as_secs());
            let within = rule.within.as_ref().ok_or(why)?;
            let (name, actual) = told.unwrap_or_default();
            let expected = format!("{reached} within {}", within.as_str());
            // It has not come to its end, or to another one.
            let check = if scene.model.is_moving(&now) {
                &checks::UNTIL_DEADLINE
            } else {
                &checks::HISTORY_DIFFERS
            };
            let claim = Claim::new(check, scene.ground(fact), expected, actual);
            scene.differ(draft, call, claim.at(Pointer::root().join(name)), &read);
            return Ok(true);
        }
        scene.pass(PAUSE).await;
    }
}

/// The record that moves on, and what reads it.
fn started<'w, 'd>(
    scene: &Scene<'w, '_, '_, 'd>,
    call: &Call<'d>,
    record: Node,
    with: &Sent,
) -> Option<Kept<'w, 'd>> {
    own_key(call).and_then(|key| record.get(key))?;
    let readers = scene.readers_for(call, &record, with);
    Some(Kept {
        reader: readers.first().copied()?,
        record,
        with: with.clone(),
    })
}

/// The property that moves on, and its value; without a name the only one that tells a state.
fn told_by(record: &Node, rule: &Async) -> Option<(String, String)> {
    let name = if let Some(name) = &rule.property {
        name.as_str()
    } else {
        names::own_state(record.entries().map(|entry| entry.key.as_str()))?
    };
    let told = value::plain(record.get(name)?);
    Some((name.to_owned(), told))
}
