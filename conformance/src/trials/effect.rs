//! Effects: a successful operation must give a property of its record the value that a fact says.

use openapi_document::behaviour::{Record, Wire};
use openapi_document::{Node, Pointer};
use openapi_facts::rule::Effect;
use openapi_facts::{Evidence, Fact};

use crate::answered::{describe, record_of, status, succeeded};
use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Model};
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::{Ready, Scene};
use crate::shape::Shape;
use crate::value;

/// All operations that change something.
pub(super) fn applies(_: &Effect, _: &Model<'_>, call: &Call<'_>) -> bool {
    !call.operation.method.is_safe()
}

/// Calls an operation whose effect facts describe.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    facts: &[(&Fact, &Effect)],
    draft: &mut Draft,
) -> Tried {
    if !scene.may_write() {
        return Ok(false);
    }
    let tried = test_call(scene, call, facts, draft).await;
    if tried.is_err() {
        { facts.iter() }.for_each(|(fact, _)| draft.account_for(fact, &tried));
    }
    let mut evidence = facts.iter().map(|(fact, _)| fact.evidence());
    // A fact that was only read may concern another record.
    if evidence.any(|evidence| evidence == Evidence::Stated) {
        tried
    } else {
        tried.or(Ok(false))
    }
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    all: &[(&Fact, &Effect)],
    draft: &mut Draft,
) -> Tried {
    let ready = scene.ready(call, "effects").await?;
    let before = scene.current_record(call, &ready).await;
    let done = scene.call(&ready, "effects").await?;
    if !succeeded(&done) || status(&done) == Some(202) {
        return Err(format!(
            "the call did not succeed at once: {}",
            describe(&done)
        ));
    }
    let Some(after) = after(scene, call, (&ready, &done)).await else {
        return Err("no answer shows the record after the call".to_owned());
    };
    let bound: Vec<(String, &(&Fact, &Effect))> = { all.iter() }
        .filter_map(|pair| Some((property(scene, call, (pair.1, &after))?, pair)))
        .collect();
    for (fact, _) in all {
        let is_shown = bound.iter().any(|(_, (item, _))| item.id == fact.id);
        draft.account_for(fact, &Ok(is_shown));
    }
    let mut names: Vec<&String> = Vec::new();
    for (name, _) in &bound {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for name in &names {
        let effects = bound.iter().filter(|(item, _)| item == *name);
        let item: Vec<&(&Fact, &Effect)> = effects.map(|(_, item)| *item).collect();
        let (Some(now), Some((fact, _))) = (after.get(name), item.first()) else {
            continue;
        };
        // With several values, the right one may depend on the state before.
        let observed = value::plain(now);
        let mut values = item.iter().map(|(_, rule)| rule.value.as_str());
        let is_one =
            values.any(|item| item == observed || leads_on(scene, call, (item, &observed)));
        let was = before.as_ref().and_then(|node| node.get(name));
        let is_kept = was.is_some_and(|was| was.same_value(now)) && is_of_event(scene.model, call);
        // A record in transition may have left the value again.
        if is_one || is_kept || scene.model.is_moving(&after) {
            continue;
        }
        let values: Vec<&str> = item.iter().map(|(_, rule)| rule.value.as_str()).collect();
        let pointer = Pointer::root().join(name.as_str());
        let actual = scene.shown(call, &pointer, Some(now));
        let expected = format!("{}, which the operation sets", values.join(" or "));
        let basis = scene.basis(fact);
        let claim = Claim::new(&checks::STEP_UNDONE, basis, expected, actual).at(pointer);
        scene.differ(draft, call, claim, &done);
    }
    Ok(!names.is_empty())
}

/// The record after an operation: from its answer, else from a reading.
async fn after<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (ready, done): (&Ready<'_, 'd>, &Exchange),
) -> Option<Node> {
    if let Some(record) = record_of(call, done) {
        return Some(record.clone());
    }
    let (creator, record) = scene.record_before(call, ready)?;
    let record = record.clone();
    let reader = scene.readers_for(creator, &record, &done.sent);
    let reader = reader.first().copied()?;
    let read = scene.read(reader, &record, &done.sent).await.ok()?;
    record_of(reader, &read).cloned()
}

/// The property that a fact concerns: the named one, else the only one whose enumeration has the value. `None` if the
/// named property has other enumerated values, as it then belongs to another record.
fn property<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (rule, record): (&Effect, &Node),
) -> Option<String> {
    let document = scene.model.document;
    let shape = Shape::of(document, call.record().map(|record| &record.schema));
    let known = |name: &str| shape.property(document, name).known_values();
    let lists = |name: &str| known(name).contains(&rule.value.as_str());
    if let Some(name) = &rule.property {
        let may_have = known(name).is_empty() || lists(name);
        return Some(name.clone()).filter(|name| may_have && record.get(name).is_some());
    }
    let mut all = record.entries().filter(|entry| lists(&entry.key));
    let only = all.next()?.key.clone();
    all.next().is_none().then_some(only)
}

/// Whether the operation causes an event of a machine. Its transitions may lead from a state to itself.
pub(super) fn is_of_event(model: &Model<'_>, call: &Call<'_>) -> bool {
    let mut machines = model.behaviour.machines();
    machines.any(|(record, _)| causes(call, record))
}

/// Whether an operation causes an event of a record.
fn causes(call: &Call<'_>, record: &Record) -> bool {
    let label = call.operation.label();
    let mut caused = record.events.iter().flat_map(|item| &item.operations);
    caused.any(|(_, operation)| operation.text == label)
}

/// Whether a machine leads from one shown state to another one through events that no operation causes, such as time.
fn leads_on(scene: &Scene<'_, '_>, call: &Call<'_>, (value, observed): (&str, &str)) -> bool {
    let machines = scene.model.behaviour.machines();
    let mut machines = machines.filter(|(record, _)| causes(call, record));
    machines.any(|(record, machine)| {
        let shows = |state: &str, text: &str| wire(record, state).as_deref() == Some(text);
        let alone = |event: &str| {
            let mut events = record.events.iter();
            events.any(|item| item.name.text == event && item.operations.is_empty())
        };
        let rows = machine
            .transitions
            .iter()
            .filter(|row| alone(&row.event.text));
        let rows: Vec<(&str, &str)> = { rows }
            .map(|row| (row.from.text.as_str(), row.to.text.as_str()))
            .collect();
        let states = record.states.iter().map(|item| item.name.text.as_str());
        let mut reached: Vec<&str> = states.filter(|item| shows(item, value)).collect();
        let mut at = 0;
        while let Some(state) = reached.get(at).copied() {
            let next = rows.iter().filter(|(from, _)| *from == state);
            let new: Vec<&str> = { next.map(|(_, to)| *to) }
                .filter(|to| !reached.contains(to))
                .collect();
            reached.extend(new);
            at += 1;
        }
        reached.iter().any(|item| shows(item, observed))
    })
}

/// The text of a state in bodies.
fn wire(record: &Record, state: &str) -> Option<String> {
    match record.state(state)?.wire.as_ref()? {
        Wire::Text(text) => Some(text.clone()),
        Wire::Flag(flag) => Some(flag.to_string()),
    }
}
