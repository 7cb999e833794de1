//! Side effects: a successful operation must set a value of another record, or create one.

use openapi_document::{Node, Pointer};
use openapi_facts::rule::{Direction, Outcome, SideEffect};
use openapi_facts::{Assignment, Evidence, Fact, Rule};

use crate::answered::{describe, items_of, key_name, status, succeeded};
use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Model, Role};
use crate::names;
use crate::scene::Scene;
use crate::scene::addressing::can_address;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::known_record::answers;
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
        Outcome::Sets { on, sets } => set(scene, call, (fact, on, sets), draft).await?,
        Outcome::Creates(component) => creates(scene, call, (fact, component), draft).await?,
    }
    Ok(true)
}

async fn set<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, on, sets): (&Fact, &str, &Assignment),
    draft: &mut Draft,
) -> Result<(), String> {
    let tag = format!("side-effect-{on}");
    let (ready, step, kept) = scene.stage(call, (on, &tag)).await?;
    let sent = scene.compose_step(&ready, &step, &tag)?;
    let done = scene.send(sent).await;
    granted(&done)?;
    let read = scene.read_again(&kept).await;
    let (after, read) = read.ok_or_else(|| format!("there is no {on} that can be read"))?;
    let now = after.get(&sets.name);
    let is_set = now.is_some_and(|now| value::plain(now) == sets.value);
    if !is_set && !scene.model.is_moving(&after) {
        let at = Pointer::root().join(sets.name.as_str());
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
    (fact, component): (&Fact, &str),
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
    let first = scene.send(sent.clone()).await;
    let before: Vec<Node> = items_of(list, &first)
        .ok_or("the list was not answered")?
        .to_vec();
    let done = scene.call(&ready, &tag).await?;
    granted(&done)?;
    let second = scene.send(sent).await;
    let after = items_of(list, &second).ok_or("the list was not answered")?;
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
    let is_new = { after.iter() }.any(|item| !is_known(item) && is_of_record((item, key), &done));
    // On a paged list the new record must be on the first page only if the newest come first.
    let may_be_later = scene.is_paged(list) && !is_newest_first(scene, list);
    if !is_new && (before.is_empty() || after.len() != before.len() || !may_be_later) {
        let expected = format!("a new {component} after `{}`", call.operation.label());
        let claim = Claim::new(&checks::EFFECT_DIFFERS, scene.basis(fact), expected, "none");
        scene.differ(draft, list, claim, &second);
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
            by.is_some_and(names::is_time_of_making)
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
