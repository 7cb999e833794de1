//! Timing: a time of a record must follow another one after the duration that a fact says.

use jiff::fmt::rfc2822;
use openapi_document::{Node, Pointer};
use openapi_facts::Fact;
use openapi_facts::rule::Timing;

use crate::answered::{describe, record_of, succeeded};
use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Model, Role};
use crate::names;
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::lengths;
use crate::scene::moment::{Moment, seconds};
use crate::scene::place::Place;
use crate::shape::Shape;
use crate::value;

/// The tolerance in seconds if the duration starts with the answer.
const OFF: i64 = 5;

/// The number that is sent if it multiplies the duration.
const TIMES: i64 = 20;

/// Operations that answer the time: creations, and changes if the fact names the earlier time.
pub(super) fn applies(rule: &Timing, model: &Model<'_>, call: &Call<'_>) -> bool {
    let shape = Shape::of(model.document, call.record().map(|record| &record.schema));
    let names = shape.property_names();
    let is_there = rule
        .subject
        .name
        .as_deref()
        .is_some_and(|name| names.contains(&name));
    let times = rule.times.as_deref();
    let is_there =
        is_there && times.is_none_or(|name| Place::of(model.document, call, name).is_some());
    is_there && (call.role == Role::Create || call.role == Role::Change && rule.after.is_some())
}

/// Compares the times in the answer.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule): (&Fact, &Timing),
    draft: &mut Draft,
) -> Tried {
    let name = rule.subject.name.as_deref().unwrap_or_default();
    let tag = format!("timing-{name}");
    let ready = scene.ready(call, &tag).await?;
    let mut sent = scene.compose(&ready, &tag)?;
    // A time that the client sends says nothing, so the property is omitted.
    if let Some(mut json) = sent.json.clone().filter(|json| json.get(name).is_some()) {
        value::remove(&mut json, name);
        let put = scene.put_valid(call, (&mut sent, &ready.call), json);
        put.ok_or_else(|| format!("`{name}` cannot be omitted"))?;
    }
    if let Some(times) = &rule.times {
        let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
        value::put(
            &mut json,
            &Pointer::root().join(times.as_str()),
            value::number(TIMES),
        )?;
        let put = scene.put_valid(call, (&mut sent, &ready.call), json);
        put.ok_or_else(|| format!("{TIMES} is not a valid value of `{times}`"))?;
    }
    let exchange = scene.send(sent).await;
    if !succeeded(&exchange) {
        return Err(format!("the call did not succeed: {}", describe(&exchange)));
    }
    let Some(record) = record_of(call, &exchange) else {
        return Ok(false);
    };
    let moment = |name: &str| record.get(name).and_then(Moment::read);
    let (Some(until), Some((since, more))) = (moment(name), since(rule, record, &exchange)) else {
        return Ok(false);
    };
    let (after, off) = until.after(since);
    let (least, most) = seconds(&rule.by);
    let factor = if rule.times.is_some() { TIMES } else { 1 };
    let (least, most) = (least * factor, most * factor);
    let off = off + more;
    if (least - off..=most + off).contains(&after) {
        return Ok(true);
    }
    let expected = format!("{} later: {rule}", lengths::shown(least));
    let actual = format!("{} later", lengths::shown(after));
    let claim = Claim::new(&checks::TIME_ASTRAY, scene.basis(fact), expected, actual);
    scene.differ(draft, call, claim.at(Pointer::root().join(name)), &exchange);
    Ok(true)
}

/// The earlier time with its tolerance in seconds: from the property of the fact, else of the creation, else from the
/// `Date` header.
fn since(rule: &Timing, record: &Node, exchange: &Exchange) -> Option<(Moment, i64)> {
    if let Some(name) = &rule.after {
        return Some((Moment::read(record.get(name)?)?, 0));
    }
    let mut entries = record.entries();
    let created = entries.find(|entry| names::is_time_of_making(&entry.key));
    if let Some(created) = created.and_then(|entry| Moment::read(&entry.value)) {
        return Some((created, 0));
    }
    let date = exchange.outcome.as_ref().ok()?.header("date")?;
    let date = rfc2822::parse(&date).ok()?;
    Some((Moment::Time(date.timestamp()), OFF))
}
