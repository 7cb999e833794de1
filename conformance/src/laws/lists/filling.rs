//! Filling: creates records for a list, so that it has items.

use openapi_document::view::Method;
use openapi_document::{Mapping, Node, Pointer, Value};

use crate::exchange::Sent;
use crate::model::{self, Call, Role};
use crate::names;
use crate::value;

use crate::amount::Amount;
use crate::answered::{items_of, key_name, record_of, succeeded};
use crate::scene::addressing::can_address;
use crate::scene::{Ready, Scene};
use crate::trials::taking::{Taking, taking};

/// At most this many operations that use the parent record are tried.
const FEEDERS: usize = 8;

/// At most this many operations that add entries to a list are tried.
const NOTING: usize = 4;

/// Creates records for a list if possible; returns a record and a request to address the list.
pub(crate) async fn filled<'d>(
    scene: &mut Scene<'_, 'd>,
    list: &Call<'d>,
    law: &str,
    wanted: u64,
) -> Result<(Node, Sent), String> {
    if let Some(created) = create_items(scene, list, law, wanted).await {
        return Ok(created);
    }
    let ready = scene.ready(list, law).await?;
    let sent = scene.compose(&ready, law)?;
    Ok((value::node(Value::Mapping(Mapping::default())), sent))
}

/// Creates records for a list; returns the last one with its request. `None` if no operation creates any.
pub(crate) async fn create_items<'d>(
    scene: &mut Scene<'_, 'd>,
    list: &Call<'d>,
    law: &str,
    wanted: u64,
) -> Option<(Node, Sent)> {
    let owner = owner(scene, list);
    let creator = match (creator(scene, list), owner) {
        (Some(creator), _) => creator,
        (None, Some((_, parent))) => feeding(scene, (list, parent), (law, wanted)).await?,
        (None, None) => match noting(scene, list, law).await {
            Some(item) => item,
            None => leaving(scene, list, law).await?,
        },
    };
    let law = format!("{law}-{}", list.operation.label());
    let mut ready = scene.ready(creator, &law).await.ok()?;
    let part = part(scene, creator, &ready, wanted).await;
    let mut last = None;
    for index in 0..wanted {
        let tag = format!("{law}-{index}");
        let part = part.as_ref().map(|(item, part)| (item, (*part, &*tag)));
        let small = part.and_then(|(item, part)| item.request(scene, &ready, part).ok());
        let mut exchange = match small {
            Some(small) => scene.send(small).await,
            None => scene.call(&ready, &tag).await.ok()?,
        };
        // The server may not accept such a small part: then the whole is taken.
        if part.is_some() && index == 0 && !succeeded(&exchange) {
            exchange = scene.call(&ready, &tag).await.ok()?;
        }
        // The previous request may have used up what the body names.
        if index > 0 && !succeeded(&exchange) && scene.renew(&mut ready).await {
            exchange = scene.call(&ready, &format!("{tag}-anew")).await.ok()?;
        }
        let Some(record) = record_of(creator, &exchange).cloned() else {
            break;
        };
        last = Some((record, exchange.sent));
    }
    if let (Some((name, parent)), Some((_, with))) = (owner, &mut last) {
        let label = parent.operation.label();
        let mut kept = ready.state.kept.iter().flatten();
        let created = kept.find(|exchange| exchange.sent.operation == label)?;
        let key = record_of(parent, created)?.get(key_name(parent)?)?;
        with.query.retain(|pair| pair.0 != name);
        with.query.push((name.to_owned(), value::plain(key)));
    }
    last.filter(|(record, with)| can_address(list, record, with))
}

/// The operation that creates the items of a list. `None` if the run may not write.
pub(crate) fn creator<'w, 'd>(scene: &Scene<'w, 'd>, list: &Call<'d>) -> Option<&'w Call<'d>> {
    let kind = list.record()?;
    let creates = |call: &&Call<'d>| call.record().is_some_and(|record| kind.describes(record));
    let mut creators: Vec<&Call<'d>> = scene.model.of(Role::Create).filter(creates).collect();
    model::nearest(list, &mut creators);
    // Partial items have another schema, but are created on the path of the list.
    let on_path = || {
        let posts = |call: &&Call<'d>| {
            let is_one = call.operation.method == Method::Post && call.record().is_some();
            is_one && call.operation.path == list.operation.path
        };
        scene.model.of(Role::Create).find(posts)
    };
    let creator = creators.first().copied().or_else(on_path);
    creator.filter(|_| scene.may_write())
}

/// The parameter that a list requires, with the operation that creates the record of its value.
fn owner<'w, 'd>(scene: &Scene<'w, 'd>, list: &Call<'d>) -> Option<(&'d str, &'w Call<'d>)> {
    let mut parameters = list.operation.parameters().into_iter();
    let name = parameters
        .find(|parameter| list.needs_one_of(parameter.name))?
        .name;
    Some((name, scene.model.creator_of(&names::subject(name)?)?))
}

/// The operation that adds to a list below a record: one that takes a part each time, else the one with the most
/// steps.
async fn feeding<'w, 'd>(
    scene: &mut Scene<'w, 'd>,
    (list, parent): (&Call<'d>, &Call<'d>),
    (law, wanted): (&str, u64),
) -> Option<&'w Call<'d>> {
    let mut most: Option<(usize, &'w Call<'d>)> = None;
    let all = feeders(scene, parent).into_iter();
    for call in all.filter(|_| scene.may_write()).collect::<Vec<_>>() {
        let tag = format!("{law}-feeding-{}", list.operation.label());
        let Ok(ready) = scene.ready(call, &tag).await else {
            continue;
        };
        if call.role == Role::Create && part(scene, call, &ready, wanted).await.is_some() {
            return Some(call);
        }
        let steps = ready.state.kept.map_or(0, |kept| kept.len());
        if most.is_none_or(|(known, _)| known < steps) {
            most = Some((steps, call));
        }
    }
    most.map(|(_, item)| item)
}

/// The operations in scope whose recipes create a record of the parent.
pub(super) fn feeders<'w, 'd>(scene: &Scene<'w, 'd>, parent: &Call<'d>) -> Vec<&'w Call<'d>> {
    let label = parent.operation.label();
    let model = scene.model;
    let does = |call: &&Call<'d>| {
        let writes = matches!(call.role, Role::Create | Role::Change);
        let before = |call: &Call<'d>| {
            let recipes = scene
                .recipes(call)
                .into_iter()
                .filter_map(|recipe| recipe.split());
            let mut steps = recipes.flat_map(|(_, before)| before);
            steps.any(|step| step.name.operation == label)
        };
        writes && call.operation.method == Method::Post && scene.covers(call) && before(call)
    };
    model.calls.iter().filter(does).take(FEEDERS).collect()
}

/// The operation below the same parent whose text says that it adds such items. If there are several, the one with
/// the most steps, as these add items, too.
async fn noting<'w, 'd>(
    scene: &mut Scene<'w, 'd>,
    list: &Call<'d>,
    law: &str,
) -> Option<&'w Call<'d>> {
    let kind = names::words(&list.record()?.name);
    let all = beside(scene, list).into_iter();
    let all = all.filter(|call| call.speaks_of_kind(&kind)).take(NOTING);
    let all: Vec<&'w Call<'d>> = all.collect();
    let mut most: Option<(usize, &'w Call<'d>)> = None;
    for call in all {
        let tag = format!("{law}-noting-{}", list.operation.label());
        let Ok(ready) = scene.ready(call, &tag).await else {
            continue;
        };
        let steps = ready.state.kept.map_or(0, |kept| kept.len());
        if most.is_none_or(|(known, _)| known < steps) {
            most = Some((steps, call));
        }
    }
    most.map(|(_, item)| item)
}

/// The writing operations below the same parent as a list.
fn beside<'w, 'd>(scene: &Scene<'w, 'd>, list: &Call<'d>) -> Vec<&'w Call<'d>> {
    let Some((parent, _)) = list.operation.path.rsplit_once('}') else {
        return Vec::new();
    };
    let parameters = list.path_parameters();
    let is_under = |call: &&Call<'d>| {
        let path = call.operation.path.strip_prefix(parent);
        let is_under = path.is_some_and(|path| path.starts_with("}/"));
        let posts = call.operation.method == Method::Post && call.path_parameters() == parameters;
        is_under && posts && matches!(call.role, Role::Create | Role::Change)
    };
    let calls = scene.model.calls.iter();
    let all = calls.filter(|call| is_under(call) && scene.covers(call) && scene.may_write());
    all.collect()
}

/// The creation below the same parent that turns out to add an item to a list.
async fn leaving<'w, 'd>(
    scene: &mut Scene<'w, 'd>,
    list: &Call<'d>,
    law: &str,
) -> Option<&'w Call<'d>> {
    let all = beside(scene, list).into_iter();
    let all: Vec<_> = all
        .filter(|call| call.role == Role::Create)
        .take(NOTING)
        .collect();
    for call in all {
        let tag = format!("{law}-leaving-{}", list.operation.label());
        if leaves(scene, list, call, &tag).await.is_some() {
            return Some(call);
        }
    }
    None
}

/// Whether an operation adds an item to a list.
async fn leaves<'d>(
    scene: &mut Scene<'_, 'd>,
    list: &Call<'d>,
    call: &Call<'d>,
    tag: &str,
) -> Option<()> {
    let ready = scene.ready(call, tag).await.ok()?;
    let sent = scene.compose(&ready, tag).ok()?;
    let nothing = value::node(Value::Mapping(Mapping::default()));
    let read = scene.compose_read(list, &nothing, &sent, &[]).ok()?;
    let before = scene.send(read.clone()).await;
    let before = items_of(list, &before)?.len();
    let done = scene.send(sent).await;
    succeeded(&done).then_some(())?;
    let after = scene.send(read).await;
    (items_of(list, &after)?.len() > before).then_some(())
}

/// Creates a record with a second value in a property that is a list of texts.
pub(crate) async fn create_with_two<'d>(
    scene: &mut Scene<'_, 'd>,
    list: &Call<'d>,
    property: &str,
) -> Option<()> {
    let creator = creator(scene, list)?;
    let tag = format!("two-{property}-{}", list.operation.label());
    let ready = scene.ready(creator, &tag).await.ok()?;
    let mut sent = scene.compose(&ready, &tag).ok()?;
    let mut json = sent.json.clone()?;
    let first = json.get(property)?.items().next()?.as_str()?.to_owned();
    let two = [first.clone(), format!("{first}x")].map(|text| value::string(&text));
    let both = value::node(Value::Sequence(two.to_vec()));
    value::put(&mut json, &Pointer::root().join(property), both).ok()?;
    scene.put_valid(creator, (&mut sent, &ready.call), json)?;
    let created = scene.send(sent).await;
    succeeded(&created).then_some(())
}

/// The part that each of several records may take of their common whole.
pub(crate) async fn part<'w, 'd>(
    scene: &mut Scene<'w, 'd>,
    creator: &Call<'d>,
    ready: &Ready<'_, 'd>,
    wanted: u64,
) -> Option<(Taking<'w>, Amount)> {
    let taking = taking(scene, creator, ready).await.filter(|_| wanted > 1)?;
    let units = taking.whole.units / i128::from(wanted);
    let part = taking.whole.with(units);
    (units > 0).then_some((taking, part))
}
