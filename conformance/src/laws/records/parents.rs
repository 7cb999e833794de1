//! Parents: a child record must be found under its parent only.

use openapi_document::view::{Location, Method};
use openapi_document::{Node, Pointer};

use crate::case::ArgumentValue;
use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{self, Call, Role};
use crate::names;
use crate::shape::Shape;
use crate::value;

use crate::answered::{describe, items_of, key_name, record_of, status, succeeded};
use crate::laws::lists::filling;
use crate::laws::lists::paging::{Paging, Search};
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};

/// Tests an operation whose path names a record and its parent.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let names = call.path_parameters();
    if call.role == Role::List && !names.is_empty() {
        let tried = of_lists(scene, call, draft).await;
        // The record with the list may have a parent, too.
        let is_below = names.len() > 1 && call.not_found().is_some() && draft.is_clean();
        return Ok(is_below && test_call(scene, call, draft).await == Ok(true) || tried);
    }
    let is_same = model::names_one(call.operation.path);
    // A record with a client-chosen key is created under any parent.
    if names.len() < 2 || !is_same || call.chosen.is_some() || call.not_found().is_none() {
        return Ok(false);
    }
    if creates_membership(scene, call, &names) {
        return Ok(false);
    }
    // `of` returns `false` if both records have the same parent.
    test_call(scene, call, draft).await
}

/// Whether a key may be a number within the parent, so that another parent has the same one.
fn may_be_counted(key: &Node) -> bool {
    let text = value::plain(key);
    text.len() <= 6 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether an operation assigns a record of another collection to the parent, which any parent may accept.
fn creates_membership<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, names: &[&str]) -> bool {
    let parameter = names.last().copied().unwrap_or_default();
    let creator = scene.model.creator_for(&call.operation, parameter);
    let below = call
        .operation
        .path
        .rsplit_once('/')
        .map(|(before, _)| before);
    let is_elsewhere = creator.is_some_and(|creator| Some(creator.operation.path) != below);
    call.operation.method == Method::Put && is_elsewhere
}

/// The list of one parent must not contain a child of another one.
async fn of_lists<'d>(scene: &mut Scene<'_, 'd>, list: &Call<'d>, draft: &mut Draft) -> bool {
    let mut tried = of_list(scene, list, draft).await == Ok(true);
    if draft.is_clean() && list.path_parameters().len() > 1 && list.not_found().is_some() {
        tried |= test_call(scene, list, draft).await == Ok(true);
    }
    let named = draft.is_clean() && names_parent(scene, list, draft).await.is_some();
    let is_beside = draft.is_clean() && of_sibling(scene, list, draft).await.is_some();
    tried || named || is_beside
}

/// A child must not be in the list of another parent that was created alike.
async fn of_sibling<'d>(
    scene: &mut Scene<'_, 'd>,
    list: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let parameter = list.path_parameters().last().copied()?;
    let above = scene.model.creator_for(&list.operation, parameter)?;
    let creator = filling::creator(scene, list)?;
    let ready = scene.ready(creator, "parents-sibling").await.ok()?;
    let (parent, record) = scene.record_before(creator, &ready)?;
    let key = key_name(parent).filter(|_| parent.operation.label() == above.operation.label())?;
    let value = record.get(key)?.clone();
    let recipe = scene.chosen(creator)?;
    let mut before = recipe.split()?.1.iter();
    let step = before.find(|step| step.name.operation == parent.operation.label())?;
    let sent = scene.compose_again(&ready, step, "sibling").ok()?;
    let sibling = scene.send(sent).await;
    let other = record_of(parent, &sibling)?.get(key)?.clone();
    if other.same_value(&value) {
        return None;
    }
    let created = scene.call(&ready, "parents-sibling").await.ok()?;
    let child = record_of(creator, &created)?.clone();
    let name = key_name(creator).filter(|name| child.get(name).is_some())?;
    let foreign = child.get(name)?;
    if may_be_counted(foreign) {
        return None;
    }
    let mut with = created.sent;
    with.path_arguments
        .retain(|(name, _)| !names::same(name, parameter));
    let other = (parameter.to_owned(), value::plain(&other));
    with.path_arguments.push(other);
    let paging = Paging::of(scene, list);
    let address = (&child, &with);
    let search = paging.find(scene, list, address, (name, foreign)).await;
    claim_foreign(scene, list, &search.ok()?, draft);
    Some(())
}

/// Claims that a list contains a record of another parent.
fn claim_foreign<'d>(scene: &Scene<'_, 'd>, list: &Call<'d>, search: &Search, draft: &mut Draft) {
    if let (Some(_), Some(last)) = (&search.found, &search.last) {
        let claim = Claim::new(
            &checks::FOREIGN_PARENT_FOUND,
            Basis::Names,
            "a list without the records of another parent",
            "a record of another parent",
        );
        scene.differ(draft, list, claim, last);
    }
}

/// Each item that names its parent must name the one of the list.
async fn names_parent<'d>(
    scene: &mut Scene<'_, 'd>,
    list: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let parameter = list.path_parameters().last().copied()?;
    let creator = scene.model.creator_for(&list.operation, parameter)?;
    let kind = creator.record()?;
    let shape = Shape::of(
        scene.model.document,
        list.record().map(|record| &record.schema),
    );
    let mut names = shape.property_names().into_iter().filter(|name| {
        let about = names::subject(name).unwrap_or_default();
        !about.is_empty() && about == kind.name
    });
    let name = names.next().filter(|_| names.next().is_none())?;
    // Another parent may bring items into its list.
    scene.ready(list, "parents-named-other").await.ok()?;
    let ready = scene.ready(list, "parents-named").await.ok()?;
    let created = Shape::of(scene.model.document, Some(&kind.schema)).property_names();
    let by = names::key_property(parameter, &kind.name, &created);
    let is_key = by.is_some() && by == key_name(creator);
    let sent = scene.compose(&ready, "parents-named").ok()?;
    let (_, key) = sent.path_arguments.last().cloned().filter(|_| is_key)?;
    let listed = scene.send(sent).await;
    let strange = items_of(list, &listed)?.iter().find_map(|item| {
        let observed = item.at(&list.record()?.at)?.get(name)?;
        (!observed.is_null() && value::plain(observed) != key).then_some(observed)
    });
    if let Some(observed) = strange {
        let claim = Claim::new(
            &checks::FOREIGN_PARENT_FOUND,
            Basis::Names,
            format!("{key}, the record of the path"),
            value::plain(observed),
        )
        .at(Pointer::root().join(name));
        scene.differ(draft, list, claim, &listed);
    }
    Some(())
}

async fn of_list<'d>(
    scene: &mut Scene<'_, 'd>,
    list: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let (other, with_other) = filling::filled(scene, list, "parents-other", 1).await?;
    let (item, with) = filling::filled(scene, list, "parents-own", 1).await?;
    let is_one = with.path_arguments == with_other.path_arguments;
    let key = key_name(list).and_then(|key| Some((key, other.get(key)?)));
    let is_counted = key.is_some_and(|(_, key)| may_be_counted(key));
    let Some((key, foreign)) = key.filter(|_| !is_one && !is_counted) else {
        return Ok(false);
    };
    let paging = Paging::of(scene, list);
    let address = (&item, &with);
    let search = paging.find(scene, list, address, (key, foreign)).await?;
    claim_foreign(scene, list, &search, draft);
    Ok(true)
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let other = scene.ready(call, "parents-above-other").await?;
    let other = scene.compose(&other, "parents-above-other")?;
    let ready = scene.ready(call, "parents-above").await?;
    let sent = scene.compose(&ready, "parents-above")?;
    let created = foreign(&sent, &other);
    let foreign = match created {
        Some(item) => Some(item),
        None => listed(scene, call, &sent).await,
    };
    let Some(foreign) = foreign else {
        return Ok(false);
    };
    let mut step = ready.call.clone();
    for argument in &mut step.request.arguments {
        if argument.location == Location::Path && argument.name == foreign.0 {
            argument.value = ArgumentValue::Example(value::string(&foreign.1));
            argument.natural_key = false;
        }
    }
    let sent = scene.compose_step(&ready, &step, "parents-above")?;
    let exchange = scene.send(sent).await;
    judge(scene, call, (&foreign.0, &exchange), draft);
    Ok(true)
}

/// The parameter before the last one, with its value in another request, if both parents and both children differ.
fn foreign(item: &Sent, other: &Sent) -> Option<(String, String)> {
    let [.., (name, parent), (_, child)] = &item.path_arguments[..] else {
        return None;
    };
    let [.., (_, other_parent), (_, other_child)] = &other.path_arguments[..] else {
        return None;
    };
    (parent != other_parent && child != other_child).then(|| (name.clone(), other_parent.clone()))
}

/// The parameter before the last one, with another key of its list, if no operation creates such records.
async fn listed<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    item: &Sent,
) -> Option<(String, String)> {
    let [.., (name, parent), _] = &item.path_arguments[..] else {
        return None;
    };
    let (list, _) = scene.model.lister_for(&call.operation, name)?;
    let key = key_name(list).filter(|_| list.path_parameters().is_empty())?;
    let nothing = value::node(openapi_document::Value::Null);
    let sent = scene.compose_read(list, &nothing, item, &[]).ok()?;
    let read = scene.send(sent).await;
    let keys = items_of(list, &read)?.iter().filter_map(|item| {
        let record = item.at(&list.record()?.at)?;
        Some(value::plain(record.get(key)?))
    });
    let other = keys.into_iter().find(|item| item != parent)?;
    Some((name.clone(), other))
}

fn judge<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (name, exchange): (&str, &Exchange),
    draft: &mut Draft,
) {
    let Some(response) = call.not_found() else {
        return;
    };
    // A list without items is an acceptable answer.
    if succeeded(exchange) && items_of(call, exchange).is_some_and(<[_]>::is_empty) {
        return;
    }
    if succeeded(exchange) {
        let claim = Claim::new(
            &checks::FOREIGN_PARENT_FOUND,
            Basis::Names,
            format!("status 404 for a record of another `{name}`"),
            describe(exchange),
        );
        scene.differ(draft, call, claim, exchange);
        return;
    }
    // A documented 403 or 410 is acceptable, too.
    let code = status(exchange).filter(|code| matches!(code, 403 | 410));
    let documented = code.and_then(|code| call.response(code));
    scene.judge_form(draft, call, &documented.unwrap_or(response), exchange);
    if let Some(code) = status(exchange) {
        scene.reach(call, code, draft);
    }
}
