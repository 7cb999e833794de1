//! The amounts of one record agree with each other, in whatever state it was when something was taken
//! from it: no part is more than its whole.

use openapi_document::view::MediaType;
use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role};
use crate::names;
use crate::prose;
use crate::shape::Shape;
use crate::value;

use super::parts::{Parts, Wrong, parts};
use crate::amount::{self, Amount};
use crate::answered::{record_of, succeeded};
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::ground::Ground;
use crate::scene::{Ready, Scene};

/// So many ways to an operation are tried at most.
const WAYS: usize = 14;

/// So often something is taken at most.
const TURNS: usize = 12;

/// Names of how many are taken.
const COUNTS: [&str; 5] = ["quantity", "count", "seats", "units", "number"];

/// Tries an operation that makes or changes a record, where it or its parent has parts of a whole.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let has_parts = |call: &Call<'d>| {
        let shape = Shape::of(scene.model.document, call.record().map(|own| &own.schema));
        parts(&shape.property_names()).is_some()
    };
    let is_step = matches!(call.role, Role::Create | Role::Change);
    let makers = scene.ways(call).into_iter().filter_map(|own| own.split());
    let mut before = makers.flat_map(|(_, before)| before);
    let of_parent = before.any(|step| {
        let maker = scene.model.call(&step.name.operation);
        maker.is_some_and(has_parts)
    });
    if !is_step || !scene.may_write() || !(has_parts(call) || of_parent) {
        return Ok(false);
    }
    Ok(of(scene, call, draft).await)
}

async fn of<'d>(scene: &mut Scene<'_, '_, '_, 'd>, call: &Call<'d>, draft: &mut Draft) -> bool {
    let mut tried = false;
    for (index, way) in scene.ways(call).into_iter().enumerate().take(WAYS) {
        let tag = format!("balance-{index}");
        let Ok(ready) = scene.prepare(way, &tag).await else {
            continue;
        };
        let parent = scene.made_before(call, &ready);
        let parent = parent.map(|(maker, record)| (maker.clone(), record.clone()));
        let Ok(exchange) = scene.call(&ready, &tag).await else {
            continue;
        };
        if !succeeded(&exchange) {
            continue;
        }
        tried = true;
        look(scene, (call, call), &exchange, draft);
        if parent.is_none()
            && let Some(record) = record_of(call, &exchange).cloned()
            && let Some(reader) = scene
                .readers_for(call, &record, &exchange.sent)
                .first()
                .copied()
            && let Ok(read) = scene.read(reader, &record, &exchange.sent).await
        {
            look(scene, (call, reader), &read, draft);
        }
        if let Some((maker, record)) = parent {
            let reader = scene.readers_for(&maker, &record, &exchange.sent);
            let Some(reader) = reader.first().copied() else {
                continue;
            };
            if let Ok(read) = scene.read(reader, &record, &exchange.sent).await {
                look(scene, (call, reader), &read, draft);
            }
            if draft.is_clean() {
                exhaust(scene, (call, reader), (&ready, &record, &exchange), draft).await;
            }
        }
    }
    tried
}

/// Takes as much at once as may be, again and again, until nothing is left: what comes then is too much.
async fn exhaust<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    (call, reader): (&Call<'d>, &Call<'d>),
    (ready, record, first): (&Ready<'_, 'd>, &Node, &Exchange),
    draft: &mut Draft,
) {
    let Some((name, most, whole)) = taken_by(scene, call, record, first) else {
        return;
    };
    let of_first = first
        .sent
        .json
        .as_ref()
        .and_then(|own| own.get(name)?.as_u64());
    let mut granted = of_first.unwrap_or_default();
    for turn in 0..TURNS {
        let Ok(mut sent) = scene.compose(ready, &format!("exhaust-{turn}")) else {
            return;
        };
        let Some(mut json) = sent.json.clone() else {
            return;
        };
        let pointer = Pointer::root().join(name);
        if value::put(&mut json, &pointer, value::number(most)).is_err() {
            return;
        }
        scene.put_json(&mut sent, &ready.call, json);
        let taken = scene.send(sent).await;
        if !succeeded(&taken) {
            return;
        }
        if let Ok(read) = scene.read(reader, record, &taken.sent).await {
            look(scene, (call, reader), &read, draft);
        }
        granted += most;
        if draft.is_clean() && granted > whole {
            let claim = Claim::new(
                &checks::SUM_EXCEEDED,
                Ground::Names,
                format!("no more than {whole} is taken"),
                format!("granted: {granted} in {} requests", turn + 2),
            )
            .at(pointer.clone());
            scene.differ(draft, call, claim, &taken);
        }
        if !draft.is_clean() {
            return;
        }
    }
}

/// The number in a body that is taken from the record, the most that it may be at once, and the whole: where
/// that is gone after some turns.
fn taken_by<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    record: &Node,
    first: &Exchange,
) -> Option<(&'d str, u64, u64)> {
    let shape = Shape::of(scene.model.document, call.body.as_ref());
    let sent = first.sent.json.as_ref()?;
    let mut names = shape.property_names().into_iter().filter(|name| {
        let is_count = names::words(name)
            .iter()
            .any(|own| COUNTS.contains(&own.as_str()));
        is_count && sent.get(name).and_then(Node::as_u64).is_some()
    });
    let name = names.next()?;
    let most = shape
        .property(scene.model.document, name)
        .keyword("maximum")?
        .as_u64()?;
    let names: Vec<&str> = record.entries().map(|own| own.key.as_str()).collect();
    let found = parts(&names)?;
    let (of, whole) = found.whole(record)?;
    // How many of an item are ordered is not taken from what the order comes to.
    let is_count = prose::has(&names::words(of), &COUNTS);
    if amount::names_amount(of) && !is_count && amount::currency_of(record).is_some() {
        return None;
    }
    let turns = u64::try_from(TURNS).ok()?;
    (most > 0 && whole / most < turns).then_some((name, most, whole))
}

/// Whether a record agrees with itself.
fn look<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    (call, teller): (&Call<'d>, &Call<'d>),
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let Some(record) = record_of(teller, exchange) else {
        return;
    };
    let names: Vec<&str> = record.entries().map(|own| own.key.as_str()).collect();
    let Some(found) = parts(&names).and_then(|own: Parts<'_>| own.wrong(record)) else {
        return;
    };
    if is_shown(scene, teller, record, &found) || is_said(scene, (call, teller), record, &found) {
        return;
    }
    let show = |name: &str| {
        let value = record.get(name).map_or_else(String::new, Node::to_json);
        format!("`{name}` {value}")
    };
    let claim = Claim::new(
        found.check,
        Ground::Names,
        if found.check == &checks::SUM_EXCEEDED {
            format!("no more than {}", show(found.whole))
        } else {
            format!("with the other parts {}", show(found.whole))
        },
        format!("{} after `{}`", show(found.part), call.operation.label()),
    )
    .at(Pointer::root().join(found.part));
    scene.differ(draft, call, claim, exchange);
}

/// Whether a text says what else a part is of, or speaks of it in the state of the record where there is nothing of it: then
/// nothing is wrong.
fn is_said<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    (call, teller): (&Call<'d>, &Call<'d>),
    record: &Node,
    found: &Wrong<'_>,
) -> bool {
    let document = scene.model.document;
    let shape = Shape::of(document, teller.record().map(|own| &own.schema));
    let own = shape.property(document, found.part);
    let own = own.keyword("description").and_then(Node::as_str);
    let own = own.unwrap_or_default();
    let names: Vec<&str> = record.entries().map(|own| own.key.as_str()).collect();
    let known = parts(&names);
    let is_other = |name: &str| {
        let is_number = record.get(name).and_then(Amount::read).is_some();
        is_number && !known.as_ref().is_some_and(|own| own.has(name))
    };
    let mut marked = own.split('`').skip(1).step_by(2);
    let states: Vec<&str> = record
        .entries()
        .filter(|own| names::tells_state(&own.key))
        .filter_map(|own| own.value.as_str())
        .collect();
    let tells_state = |words: &[String]| {
        let is_told = |state: &&str| prose::speaks_of(words, state);
        states.iter().any(is_told)
    };
    let texts = call.texts().chain(teller.texts());
    let mut said = texts.flat_map(prose::spoken);
    let number = record.get(found.part).and_then(Amount::read);
    let is_nothing = number.is_some_and(|own| own.units == 0);
    let is_of_state = tells_state(&names::words(own))
        || said.any(|own| prose::speaks_of(&own, found.part) && tells_state(&own));
    // `amount_due` = `total` − `amount_paid` − `amount_credited`
    let of_kind = |own: &&Call<'d>| {
        let kinds = own.record().zip(teller.record());
        kinds.is_some_and(|(one, other)| one.is(other))
    };
    let texts = scene.model.calls.iter().filter(of_kind);
    let mut all = texts.flat_map(Call::texts).flat_map(prose::sentences);
    let is_worked_out = all.any(|own| {
        let marked: Vec<&str> = own.split('`').skip(1).step_by(2).collect();
        marked.contains(&found.part) && marked.into_iter().any(is_other)
    });
    marked.any(is_other) || is_worked_out || (is_nothing && is_of_state)
}

/// Whether a documented record in the same state is wrong in the same way: then nothing is.
fn is_shown<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    teller: &Call<'d>,
    record: &Node,
    found: &Wrong<'_>,
) -> bool {
    let Some(kind) = teller.record() else {
        return false;
    };
    let of_kind = |own: &&Call<'d>| own.record().is_some_and(|own| own.is(kind));
    let success = scene.model.calls.iter().filter(of_kind).filter_map(|own| {
        let success = own.success.as_ref()?;
        Some((success.response.content(), own.record()?.at.clone()))
    });
    let state = |own: &Node| {
        let mut states = own.entries().filter(|own| names::tells_state(&own.key));
        states.next().map(|own| own.value.to_json())
    };
    let is_like = |shown: &Node| {
        let names: Vec<&str> = shown.entries().map(|own| own.key.as_str()).collect();
        let wrong = parts(&names).and_then(|own: Parts<'_>| own.wrong(shown));
        state(shown) == state(record)
            && wrong.is_some_and(|own| own.part == found.part && own.whole == found.whole)
    };
    success.into_iter().any(|(content, at)| {
        let mut examples = content.iter().flat_map(MediaType::examples);
        examples.any(|own| own.value.node.at(&at).is_some_and(is_like))
    })
}
