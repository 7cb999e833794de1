//! What was made is in the lists of its kind, and looks there as it does when it is read.

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
use crate::answered::{own_key, record_of, succeeded};
use crate::scene::Scene;
use crate::scene::addressing::can_address;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::ground::Ground;

/// Tries an operation that makes or changes a record of which there are lists.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if !matches!(call.role, Role::Create | Role::Change) || !scene.may_write() {
        return Ok(false);
    }
    let is_within = within::look(scene, call, draft).await.is_some();
    let is_within = of_parent(scene, call, draft).await.is_some() || is_within;
    let lists = lists(scene, call);
    if lists.is_empty() {
        return Ok(is_within);
    }
    // None of the lists is one that the record can be found in.
    Ok(of(scene, call, &lists, draft).await? || is_within)
}

/// What a record has become by what was made of it, it is in the lists of its own kind, too: a payment that was refunded.
async fn of_parent<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    (call.role == Role::Create).then_some(())?;
    let ready = scene.ready(call, "listing-parent").await.ok()?;
    let (maker, before) = scene.made_before(call, &ready)?;
    let before = before.clone();
    let mut kept = ready.state.kept.iter().flatten();
    let with = kept.find(|own| record_of(maker, own).is_some_and(|own| own.same_value(&before)))?;
    let with = with.sent.clone();
    let lists: Vec<&Call<'d>> = lists(scene, maker)
        .into_iter()
        .filter(|list| can_address(list, &before, &with))
        .collect();
    if lists.is_empty() || maker.operation.label() == call.operation.label() {
        return None;
    }
    let was = reread(scene, maker, &before, &with).await?;
    let made = scene.call(&ready, "listing-parent").await.ok()?;
    let is = reread(scene, maker, &before, &with).await?;
    if !succeeded(&made) || was.same_value(&is) || scene.model.is_moving(&is) {
        return None;
    }
    let key = own_key(maker)?;
    let own = is.get(key).filter(|own| tells(own))?;
    for list in lists {
        // Whether it is still listed, the law of states tells.
        let paging = Paging::of(scene, list);
        let search = paging
            .find(scene, list, (&is, &with), (key, own))
            .await
            .ok()?;
        if let (Some(item), Some(last)) = (&search.found, &search.last) {
            differ(scene, (maker, list), (&is, item, last), draft);
        }
    }
    Some(())
}

/// The lists of what a call makes: those of its own collection, where it has any.
pub(crate) fn lists<'w, 'd>(scene: &Scene<'w, '_, '_, 'd>, call: &Call<'d>) -> Vec<&'w Call<'d>> {
    let Some(kind) = call.record() else {
        return Vec::new();
    };
    let model: &'w model::Model<'d> = scene.model;
    let mut lists = model.lists(kind);
    model::nearest(call, &mut lists);
    lists
}

async fn of<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    lists: &[&Call<'d>],
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene.ready(call, "listing").await?;
    let exchange = scene.call(&ready, "listing").await?;
    let record = record_of(call, &exchange)
        .cloned()
        .ok_or("no record came")?;
    let looked = look_in(scene, call, lists, &exchange, draft).await?;
    if looked && draft.is_clean() && call.role == Role::Create {
        for other in scene.granted_otherwise(call, "listing").await {
            let due: Vec<&Call<'d>> = lists
                .iter()
                .copied()
                .filter(|list| has_all(scene, list, &record, record_of(call, &other)))
                .collect();
            look_in(scene, call, &due, &other, draft).await?;
        }
    }
    Ok(looked)
}

/// Looks for what was made in each list that can be asked for it.
async fn look_in<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    lists: &[&Call<'d>],
    made: &Exchange,
    draft: &mut Draft,
) -> Result<bool, String> {
    let record = record_of(call, made).cloned().ok_or("no record came")?;
    let record = reread(scene, call, &record, &made.sent)
        .await
        .unwrap_or(record);
    let mut looked = false;
    for list in lists {
        if can_address(list, &record, &made.sent) {
            looked = true;
            look(scene, call, list, (&record, &made.sent), draft).await?;
        }
    }
    Ok(looked)
}

/// Whether a list has a record like one that was in it: of the same state, or of one that it can be asked for and
/// does not say that it leaves out.
fn has_all<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    list: &Call<'d>,
    known: &Node,
    other: Option<&Node>,
) -> bool {
    let state = |own: &Node| {
        let mut states = own.entries().filter(|own| names::tells_state(&own.key));
        states.next().map(|own| value::plain(&own.value))
    };
    match (state(known), other.and_then(state)) {
        (one, Some(other)) if one.as_ref() != Some(&other) => keeps(scene, list, &other),
        _ => true,
    }
}

/// The record as it is read now: a list is beside that, not beside what was answered at first.
pub(crate) async fn reread<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    record: &Node,
    with: &Sent,
) -> Option<Node> {
    let reader = *scene.readers_for(call, record, with).first()?;
    let read = scene.read(reader, record, with).await.ok()?;
    record_of(reader, &read).cloned()
}

pub(crate) async fn look<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    list: &Call<'d>,
    (record, with): (&Node, &Sent),
    draft: &mut Draft,
) -> Result<(), String> {
    let Some(key) = own_key(call) else {
        return Ok(());
    };
    let Some(own) = record.get(key).filter(|own| tells(own)) else {
        return Ok(());
    };
    let paging = Paging::of(scene, list);
    let stand = (record, with);
    let search = paging.find(scene, list, stand, (key, own)).await?;
    let Some(last) = &search.last else {
        return Ok(());
    };
    match &search.found {
        Some(item) => differ(scene, (call, list), (record, item, last), draft),
        // What a change does to who is listed, the law of states tells.
        None if search.ended && call.role == Role::Create => {
            let claim = Claim::new(
                &checks::LIST_MISSES,
                Ground::Names,
                format!("an item for what `{}` has made", call.operation.label()),
                format!("{} items without it", search.seen),
            );
            scene.differ(draft, list, claim, last);
        }
        // A list longer than the walk says nothing of what comes later.
        None => {}
    }
    Ok(())
}

/// Whether a value tells a record from others: `null` and an empty text are the same of all that have none.
fn tells(key: &Node) -> bool {
    !key.is_null() && key.as_str() != Some("")
}

/// The object that a property is missing in, where nothing at all is in it.
fn emptied<'n>(item: &'n Node, pointer: &Pointer) -> Option<&'n Node> {
    let mut above = pointer.clone();
    above.pop();
    let is_part = !above.is_root();
    let above = item.at(&above)?;
    (is_part && above.as_mapping()?.entries.is_empty()).then_some(above)
}

pub(crate) fn differ<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
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
    for own in scene.apart(call, record, item) {
        // A list may show another form of a property, and says so: "the first sentence only".
        let shown = description(list, &own.pointer);
        if shown.is_some() && shown != description(call, &own.pointer) {
            continue;
        }
        // An item may be a short account: only what it shows is compared, and what it shows of nothing.
        let Some(other) = own.other.as_ref().or_else(|| emptied(item, &own.pointer)) else {
            continue;
        };
        let claim = Claim::new(
            &checks::LIST_ITEM_DIFFERS,
            Ground::Names,
            format!(
                "{}, as it is read",
                scene.shown(list, &own.pointer, Some(&own.one))
            ),
            scene.shown(list, &own.pointer, Some(other)),
        )
        .at(own.pointer);
        scene.differ(draft, list, claim, exchange);
    }
}
