//! Listing: a created record must be in the lists of its kind, with the values of its reading.

use std::time::Duration;

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{self, Call, Role};
use crate::names;
use crate::shape::Shape;
use crate::value;

use super::paging::Paging;
use super::states::keeps;
use super::within;
use crate::answered::{key_name, record_of, succeeded};
use crate::scene::Scene;
use crate::scene::addressing::can_address;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};

/// After this time, a list must show a new record, unless its text names a longer one.
const LATER: Duration = Duration::from_secs(3);

/// Tests an operation that creates or changes a record, if there are lists of such records.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if !matches!(call.role, Role::Create | Role::Change) || !scene.may_write() {
        return Ok(false);
    }
    let is_within = within::check(scene, call, draft).await.is_some();
    let is_within = of_parent(scene, call, draft).await.is_some() || is_within;
    let lists = lists(scene, call);
    if lists.is_empty() {
        return Ok(is_within);
    }
    // `of` returns `false` if the record cannot address any list.
    Ok(test_call(scene, call, &lists, draft).await? || is_within)
}

/// A parent record that a creation changed must be listed with its new values: an order after a delivery.
async fn of_parent<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    (call.role == Role::Create).then_some(())?;
    let ready = scene.ready(call, "listing-parent").await.ok()?;
    let (creator, before) = scene.record_before(call, &ready)?;
    let before = before.clone();
    let mut kept = ready.state.kept.iter().flatten();
    let with = kept.find(|exchange| {
        record_of(creator, exchange).is_some_and(|node| node.same_value(&before))
    })?;
    let with = with.sent.clone();
    let lists: Vec<&Call<'d>> = lists(scene, creator)
        .into_iter()
        .filter(|list| can_address(list, &before, &with))
        .collect();
    if lists.is_empty() || creator.operation.label() == call.operation.label() {
        return None;
    }
    let was = reread(scene, creator, &before, &with).await?;
    let created = scene.call(&ready, "listing-parent").await.ok()?;
    let is = reread(scene, creator, &before, &with).await?;
    if !succeeded(&created) || was.same_value(&is) || scene.model.is_moving(&is) {
        return None;
    }
    let key = key_name(creator)?;
    let value = is.get(key).filter(|value| identifies(value))?;
    for list in lists {
        // The law `standing` tests whether it is still listed.
        let paging = Paging::of(scene, list);
        let search = paging
            .find(scene, list, (&is, &with), (key, value))
            .await
            .ok()?;
        if let (Some(item), Some(last)) = (&search.found, &search.last) {
            differ(scene, (creator, list), (&is, item, last), draft);
        }
    }
    Some(())
}

/// The lists of the records of a call: those closest to its path.
pub(crate) fn lists<'w, 'd>(scene: &Scene<'w, 'd>, call: &Call<'d>) -> Vec<&'w Call<'d>> {
    let Some(kind) = call.record() else {
        return Vec::new();
    };
    let model: &'w model::Model<'d> = scene.model;
    let mut lists = model.lists(kind);
    model::nearest(call, &mut lists);
    lists
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    lists: &[&Call<'d>],
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene.ready(call, "listing").await?;
    let exchange = scene.call(&ready, "listing").await?;
    let record = record_of(call, &exchange)
        .cloned()
        .ok_or("no record came")?;
    let looked = check_in(scene, call, lists, &exchange, draft).await?;
    if looked && draft.is_clean() && call.role == Role::Create {
        for other in scene.successes_of_other_examples(call, "listing").await {
            let due: Vec<&Call<'d>> = lists
                .iter()
                .copied()
                .filter(|list| has_all(scene, list, &record, record_of(call, &other)))
                .collect();
            check_in(scene, call, &due, &other, draft).await?;
        }
    }
    Ok(looked)
}

/// Searches the created record in each list that it can address.
async fn check_in<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    lists: &[&Call<'d>],
    created: &Exchange,
    draft: &mut Draft,
) -> Result<bool, String> {
    let record = record_of(call, created)
        .cloned()
        .ok_or("no record was answered")?;
    let record = reread(scene, call, &record, &created.sent)
        .await
        .unwrap_or(record);
    let mut looked = false;
    for list in lists {
        if can_address(list, &record, &created.sent) {
            looked = true;
            check(scene, call, list, (&record, &created.sent), draft).await?;
        }
    }
    Ok(looked)
}

/// Whether a list must have a record like a known one: it has the same state, or one that the list does not omit.
fn has_all<'d>(scene: &Scene<'_, 'd>, list: &Call<'d>, known: &Node, other: Option<&Node>) -> bool {
    let state = |node: &Node| {
        let mut states = node
            .entries()
            .filter(|entry| names::names_state(&entry.key));
        states.next().map(|entry| value::plain(&entry.value))
    };
    match (state(known), other.and_then(state)) {
        (one, Some(other)) if one.as_ref() != Some(&other) => keeps(scene, list, &other),
        _ => true,
    }
}

/// The current reading of a record, as lists show it.
pub(crate) async fn reread<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    record: &Node,
    with: &Sent,
) -> Option<Node> {
    let reader = *scene.readers_for(call, record, with).first()?;
    let read = scene.read(reader, record, with).await.ok()?;
    record_of(reader, &read).cloned()
}

pub(crate) async fn check<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    list: &Call<'d>,
    (record, with): (&Node, &Sent),
    draft: &mut Draft,
) -> Result<(), String> {
    let Some(key) = key_name(call) else {
        return Ok(());
    };
    let Some(value) = record.get(key).filter(|value| identifies(value)) else {
        return Ok(());
    };
    let paging = Paging::of(scene, list);
    let address = (record, with);
    let mut search = paging.find(scene, list, address, (key, value)).await?;
    // A list may show a new record a little later.
    if search.found.is_none() && search.ended && call.role == Role::Create {
        scene.pass(LATER).await;
        search = paging.find(scene, list, address, (key, value)).await?;
    }
    let Some(last) = &search.last else {
        return Ok(());
    };
    match &search.found {
        Some(item) => differ(scene, (call, list), (record, item, last), draft),
        // The law `standing` tests what a change does to lists.
        None if search.ended && call.role == Role::Create => {
            let claim = Claim::new(
                &checks::LIST_MISSES,
                Basis::Names,
                format!("an item for the record of `{}`", call.operation.label()),
                format!("{} items without it", search.seen),
            );
            scene.differ(draft, list, claim, last);
        }
        // The walk ended before the list did, so the record may come later.
        None => {}
    }
    Ok(())
}

/// Whether a key identifies a record: records without a key share `null` or an empty text.
fn identifies(key: &Node) -> bool {
    !key.is_null() && key.as_str() != Some("")
}

/// The empty object that lacks a property. `None` if it has other properties or is the item itself.
fn emptied<'n>(item: &'n Node, pointer: &Pointer) -> Option<&'n Node> {
    let mut above = pointer.clone();
    above.pop();
    let is_part = !above.is_root();
    let above = item.at(&above)?;
    (is_part && above.as_mapping()?.entries.is_empty()).then_some(above)
}

pub(crate) fn differ<'d>(
    scene: &Scene<'_, 'd>,
    (call, list): (&Call<'d>, &Call<'d>),
    (record, item, exchange): (&Node, &Node, &Exchange),
    draft: &mut Draft,
) {
    let document = scene.model.document;
    let description = |of: &Call<'d>, pointer: &Pointer| {
        let shape = Shape::of(document, of.record().map(|record| &record.schema));
        let shape = pointer
            .segments()
            .fold(shape, |shape, name| shape.property(document, &name));
        shape.keyword("description").and_then(Node::as_str)
    };
    for difference in scene.mismatches(call, record, item) {
        // A list may document another form of a property: "the first sentence only".
        let shown = description(list, &difference.pointer);
        if shown.is_some() && shown != description(call, &difference.pointer) {
            continue;
        }
        // A partial item is compared only in the properties that it shows.
        let Some(other) = difference
            .other
            .as_ref()
            .or_else(|| emptied(item, &difference.pointer))
        else {
            continue;
        };
        let claim = Claim::new(
            &checks::LIST_ITEM_DIFFERS,
            Basis::Names,
            format!(
                "{}, as in its reading",
                scene.shown(list, &difference.pointer, Some(&difference.one))
            ),
            scene.shown(list, &difference.pointer, Some(other)),
        )
        .at(difference.pointer);
        scene.differ(draft, list, claim, exchange);
    }
}
