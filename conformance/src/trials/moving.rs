//! Async: after an operation, a record must reach one of some values by itself.

use std::time::{Duration, Instant};

use openapi_document::{Node, Pointer};
use openapi_facts::Fact;
use openapi_facts::rule::Async;

use crate::answered::{describe, key_name, record_of, succeeded};
use crate::checks;
use crate::exchange::Sent;
use crate::model::{Call, Model};
use crate::names;
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::known_record::KnownRecord;
use crate::value;

/// The longest time that the runner waits.
const LONGEST: Duration = Duration::from_mins(2);

/// The time that the runner waits if the fact gives none.
const OPEN: Duration = Duration::from_secs(10);

/// The pause between two readings.
const PAUSE: Duration = Duration::from_millis(250);

/// All operations that change something.
pub(super) fn applies(_: &Async, _: &Model<'_>, call: &Call<'_>) -> bool {
    !call.operation.method.is_safe()
}

/// Calls the operation and waits for the values.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
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
            "it may take {} s, longer than the runner waits",
            long.as_secs()
        ));
    }
    let tag = format!("async-{}", rule.property.as_deref().unwrap_or("state"));
    let ready = scene.ready(call, &tag).await?;
    let before = { scene.record_before(call, &ready) }.map(|(_, record)| record.clone());
    let done = scene.call(&ready, &tag).await?;
    if !succeeded(&done) {
        return Err(format!("the call did not succeed: {}", describe(&done)));
    }
    let record = record_of(call, &done).cloned().or(before);
    let started = record.and_then(|record| started(scene, call, record, &done.sent));
    let started = started.ok_or("no operation reads the record that changes by itself")?;
    let begun = Instant::now();
    loop {
        let read = scene.read_again(&started).await;
        let (now, read) = read.ok_or("the record can no longer be read")?;
        let observed = current_state(&now, rule);
        let is_reached = observed
            .as_ref()
            .is_some_and(|(_, observed)| rule.reaches.contains(observed));
        if is_reached {
            return Ok(true);
        }
        if begun.elapsed() > within.unwrap_or(OPEN) {
            let reached = rule.reaches.join(" or ");
            let why = format!("it has not become {reached} within {} s", OPEN.as_secs());
            let within = rule.within.as_ref().ok_or(why)?;
            let (name, actual) = observed.unwrap_or_default();
            let expected = format!("{reached} within {}", within.as_str());
            // The record is still in transition, or in an unexpected final state.
            let check = if scene.model.is_moving(&now) {
                &checks::UNTIL_DEADLINE
            } else {
                &checks::HISTORY_DIFFERS
            };
            let claim = Claim::new(check, scene.basis(fact), expected, actual);
            scene.differ(draft, call, claim.at(Pointer::root().join(name)), &read);
            return Ok(true);
        }
        scene.pass(PAUSE).await;
    }
}

/// The record that changes by itself, with its reader.
fn started<'w, 'd>(
    scene: &Scene<'w, 'd>,
    call: &Call<'d>,
    record: Node,
    with: &Sent,
) -> Option<KnownRecord<'w, 'd>> {
    key_name(call).and_then(|key| record.get(key))?;
    let readers = scene.readers_for(call, &record, with);
    Some(KnownRecord {
        reader: readers.first().copied()?,
        record,
        with: with.clone(),
    })
}

/// The property that changes, with its value: the one that the fact names, else the only state property.
fn current_state(record: &Node, rule: &Async) -> Option<(String, String)> {
    let name = if let Some(name) = &rule.property {
        name.as_str()
    } else {
        names::state_name(record.entries().map(|entry| entry.key.as_str()))?
    };
    let observed = value::plain(record.get(name)?);
    Some((name.to_owned(), observed))
}
