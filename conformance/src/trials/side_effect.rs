//! Side effects: a successful operation must set a value of another record, or create one.

use openapi_document::{Node, Pointer};
use openapi_facts::rule::{Direction, Outcome, SideEffect};
use openapi_facts::{Assignment, Evidence, Fact, Rule};

use super::taking::taking;
use crate::answered::{describe, items_of, key_name, status, succeeded};
use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Model, Role};
use crate::names;
use crate::scene::addressing::can_address;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::known_record::answers;
use crate::scene::place::Place;
use crate::scene::whole::at;
use crate::scene::{Ready, Scene};
use crate::value;

/// All operations that change something.
pub(super) fn applies(_: &SideEffect, _: &Model<'_>, call: &Call<'_>) -> bool {
    !call.operation.method.is_safe()
}

/// Reads the other record after the operation.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule): (&Fact, &SideEffect),
    draft: &mut Draft,
) -> Tried {
    if !scene.may_write() {
        return Ok(false);
    }
    match &rule.outcome {
        Outcome::Sets { on, sets } => set(scene, call, (fact, rule, on, sets), draft).await?,
        Outcome::Creates(component) => creates(scene, call, (fact, rule, component), draft).await?,
    }
    Ok(true)
}

async fn set<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule, on, sets): (&Fact, &SideEffect, &str, &Assignment),
    draft: &mut Draft,
) -> Result<(), String> {
    let tag = format!("side-effect-{on}");
    let (ready, step, kept) = scene.stage(call, (on, &tag)).await?;
    let sent = if rule.condition.is_some() {
        request(scene, call, (rule, &ready, &tag)).await?
    } else {
        scene.compose_step(&ready, &step, &tag)?
    };
    let done = scene.send(sent).await;
    granted(&done)?;
    let read = scene.read_again(&kept).await;
    let (after, read) = read.ok_or_else(|| format!("there is no {on} that can be read"))?;
    let now = at(&after, &sets.name);
    let is_set = now.is_some_and(|now| value::plain(now) == sets.value);
    if !is_set && !scene.model.is_moving(&after) {
        let names = sets.name.split('.');
        let at = names.fold(Pointer::root(), |at, name| at.join(name));
        let expected = format!("{} after `{}`", sets.value, call.operation.label());
        let actual = scene.shown(kept.reader, &at, now);
        let claim = Claim::new(&checks::EFFECT_DIFFERS, scene.basis(fact), expected, actual);
        scene.differ(draft, kept.reader, claim.at(at), &read);
    }
    Ok(())
}

async fn creates<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule, component): (&Fact, &SideEffect, &str),
    draft: &mut Draft,
) -> Result<(), String> {
    let tag = format!("side-effect-creates-{component}");
    let ready = scene.ready(call, &tag).await?;
    let list =
        list(scene, component).ok_or_else(|| format!("no operation lists each {component}"))?;
    let with = scene.compose(&ready, &tag)?;
    let record = { scene.record_before(call, &ready) }.map(|(_, record)| record.clone());
    let record = record.unwrap_or_else(|| value::node(openapi_document::Value::Null));
    if !can_address(list, &record, &with) {
        return Err(format!("no request lists each {component} of the record"));
    }
    let sent = scene.compose_read(list, &record, &with, &[])?;
    let mut first = scene.send(sent.clone()).await;
    for index in 0..2 {
        let tag = format!("{tag}-{index}");
        let asked = request(scene, call, (rule, &ready, &tag)).await?;
        let done = scene.send(asked).await;
        match granted(&done) {
            // An operation that takes everything succeeds once.
            Err(_) if index > 0 => break,
            one => one?,
        }
        let second = scene.send(sent.clone()).await;
        is_added(
            scene,
            (list, component),
            (&first, &done, &second),
            fact,
            draft,
        )?;
        first = second;
        if call.body.is_none() {
            break;
        }
    }
    Ok(())
}

/// The request of an operation: as the condition of the rule demands, else for a part of an amount if it takes parts.
async fn request<'w, 'd>(
    scene: &mut Scene<'w, 'd>,
    call: &Call<'d>,
    (rule, ready, tag): (&SideEffect, &Ready<'w, 'd>, &str),
) -> Result<Sent, String> {
    let document = scene.model.document;
    let Some(condition) = &rule.condition else {
        let part = taking(scene, call, ready).await;
        let part = part.and_then(|part| part.request(scene, ready, (part.half(), tag)).ok());
        return part.map_or_else(|| scene.compose(ready, tag), Ok);
    };
    let place = Place::of(document, call, &condition.name);
    let place = place.ok_or("the request has no such value")?;
    let shape = place.shape(document, call);
    let first = condition.values.first();
    let wanted = first.and_then(|text| value::of_type(text, shape.type_name()));
    let wanted = wanted.ok_or("the condition has no value")?;
    let sent = scene.altered(call, (ready, tag), &[(&place, wanted)]);
    sent.ok_or_else(|| "its schema forbids the value of the condition".to_owned())
}

/// The list must have a new item of the record of a request.
fn is_added<'d>(
    scene: &Scene<'_, 'd>,
    (list, component): (&Call<'d>, &str),
    (first, done, second): (&Exchange, &Exchange, &Exchange),
    fact: &Fact,
    draft: &mut Draft,
) -> Result<(), String> {
    let before = items_of(list, first).ok_or("the list was not answered")?;
    let after = items_of(list, second).ok_or("the list was not answered")?;
    let key = key_name(list);
    let is_known = |item: &Node| {
        let same = |other: &Node| match key.and_then(|key| Some((other.get(key)?, item.get(key)?)))
        {
            Some((one, other)) => one.same_value(other),
            None => other.same_value(item),
        };
        before.iter().any(same)
    };
    // Other requests of the run may create items of other records.
    let is_new = { after.iter() }.any(|item| !is_known(item) && is_of_record((item, key), done));
    // On a paged list the new record must be on the first page only if the newest come first.
    let may_be_later = scene.is_paged(list) && !is_newest_first(scene, list);
    if !is_new && (before.is_empty() || after.len() != before.len() || !may_be_later) {
        let expected = format!("a new {component} after `{}`", done.sent.operation);
        let claim = Claim::new(&checks::EFFECT_DIFFERS, scene.basis(fact), expected, "none");
        scene.differ(draft, list, claim, second);
    }
    Ok(())
}

/// Whether an item, apart from its own key, has the keys in the path of a request, where it has properties of their names.
fn is_of_record((item, key): (&Node, Option<&str>), done: &Exchange) -> bool {
    let mut keys = done.sent.path_arguments.iter();
    let is_same = |name: &str| key == Some(name);
    keys.all(|(name, key)| {
        let mut entries = item.entries();
        let named = entries.find(|entry| names::same(&entry.key, name) && !is_same(&entry.key));
        named.is_none_or(|entry| value::plain(&entry.value) == *key)
    })
}

/// Whether a stated fact says that the newest records come first.
fn is_newest_first<'d>(scene: &Scene<'_, 'd>, list: &Call<'d>) -> bool {
    let mut facts = scene.facts_about(list);
    facts.any(|fact| match &fact.rule {
        Rule::Order(rule) if fact.evidence() == Evidence::Stated => {
            let by = rule.by.as_deref();
            by.is_some_and(|by| by == "creation" || names::is_time_of_making(by))
                && rule.direction == Some(Direction::Descending)
        }
        _ => false,
    })
}

/// The list of a component with the most path parameters.
fn list<'w, 'd>(scene: &Scene<'w, 'd>, component: &str) -> Option<&'w Call<'d>> {
    let lists = scene.model.of(Role::List);
    let lists = lists.filter(|list| answers(list, component) && scene.covers(list));
    lists.max_by_key(|list| list.path_parameters().len())
}

/// An error if the operation did not succeed, or was only accepted for later.
fn granted(done: &Exchange) -> Result<(), String> {
    if succeeded(done) && status(done) != Some(202) {
        return Ok(());
    }
    Err(format!(
        "the call did not succeed at once: {}",
        describe(done)
    ))
}
