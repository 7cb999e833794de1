//! Pairs: an operation must change a record as its documented pair shows, and leave what the pair shows unchanged.
//!
//! It compares derived flags, times, counts and amounts, on records that are in the documented state before.

use std::collections::BTreeSet;

use openapi_document::view::{Example, MediaType, Method, Status};
use openapi_document::{Node, Pointer};

use crate::case;
use crate::checks::{self, Check};
use crate::exchange::Exchange;
use crate::model::{Call, Model, Role};
use crate::names;
use crate::prose;
use crate::recipe::Recipe;
use crate::shape::Shape;
use crate::value;

use super::showing::{Due, Shown, Step, is_same, of_creation};
use crate::answered::{key_name, record_of, status};
use crate::scene::actions::Actions;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::{Ready, Scene};

/// At most this many recipes are tried.
const WAYS: usize = 6;

/// Tests an operation that creates a record or takes a step on one.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let is_step = call.role == Role::Change && call.operation.method == Method::Post;
    if !(is_step || call.role == Role::Create) || !scene.may_write() {
        return Ok(false);
    }
    Ok(test_call(scene, call, draft).await)
}

/// Tests each documented pair with the first recipe that reaches it. Returns whether any pair could be compared.
async fn test_call<'d>(scene: &mut Scene<'_, 'd>, call: &Call<'d>, draft: &mut Draft) -> bool {
    let actions = Actions::of(scene, call);
    let mut said = BTreeSet::new();
    let model = scene.model;
    let recipes = scene.recipes(call).into_iter();
    let recipes = recipes.filter(|recipe| is_paired(model, call, recipe));
    let mut tried = 0;
    for (index, recipe) in recipes.enumerate() {
        if said.contains(&recipe.example) || tried == WAYS {
            continue;
        }
        tried += 1;
        let tag = format!("pairs-{index}");
        let Ok(ready) = scene.prepare(recipe, &tag).await else {
            continue;
        };
        let Ok(exchange) = scene.call(&ready, &tag).await else {
            continue;
        };
        let found = dues(scene, call, (recipe, &ready), &exchange, &actions);
        let Some(found) = found.filter(|item| !item.is_empty()) else {
            continue;
        };
        said.insert(recipe.example);
        check(scene, call, found, &exchange, draft);
    }
    !said.is_empty()
}

/// Whether the answer to a recipe's last step is documented: with the key of its request, or as the only answer to
/// the only request, which no other operation shares.
pub(crate) fn is_paired<'d>(model: &Model<'d>, call: &Call<'d>, recipe: &Recipe<'d>) -> bool {
    // A named record such as a voucher changes the amounts of the answer.
    if recipe.names_more {
        return false;
    }
    let shown = shown_by(call);
    if let Some(key) = recipe.example {
        return shown.iter().any(|example| example.key == key);
    }
    let [only] = &shown[..] else { return false };
    let body = call.operation.request_body();
    let requested = body.map(|body| body.content()).unwrap_or_default();
    let requested: usize = requested.iter().map(|media| media.examples().len()).sum();
    let is_write = |call: &&Call<'d>| matches!(call.role, Role::Create | Role::Change);
    let mut others = model.calls.iter().filter(is_write);
    let is_shared = others.any(|other| {
        let is_other = other.operation.label() != call.operation.label();
        let mut all = shown_by(other).into_iter();
        is_other && all.any(|example| std::ptr::eq(example.value.node, only.value.node))
    });
    call.body.is_none() || (requested == 1 && !is_shared)
}

/// Whether the documented records before and after a step were created by different requests: at least two properties
/// differ that the creating request sets and the step does not.
fn is_of_other_request<'d>(
    scene: &Scene<'_, 'd>,
    (teller, call): (&str, &Call<'d>),
    (before, after): (&Node, &Node),
) -> bool {
    let document = scene.model.document;
    let Some(creator) = scene.model.call(teller) else {
        return false;
    };
    let (requested, names) = (
        Shape::of(document, creator.body.as_ref()),
        Shape::of(document, call.body.as_ref()),
    );
    let names = names.property_names();
    let is_other = |name: &&str| {
        let pair = before.get(name).zip(after.get(name));
        !names.contains(name) && pair.is_some_and(|(one, other)| !is_same(one, other))
    };
    let mut others = requested.property_names().into_iter().filter(is_other);
    others.nth(1).is_some()
}

/// The documented examples of a success.
fn shown_by<'d>(call: &Call<'d>) -> Vec<Example<'d>> {
    let media = call
        .success
        .as_ref()
        .and_then(|success| success.media.as_ref());
    media.map(MediaType::examples).unwrap_or_default()
}

/// What the pair requires of the answered record. `None` if the record is not comparable.
fn dues<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (recipe, ready): (&Recipe<'d>, &Ready<'_, 'd>),
    exchange: &Exchange,
    actions: &Actions,
) -> Option<Vec<Shown>> {
    let (_, before) = recipe.split()?;
    let step = &ready.call;
    let documented = step.expected.response.as_ref()?.status;
    let record = record_of(call, exchange)?;
    let shown = shown_of(call, step)?;
    if documented != Status::Code(status(exchange)?) || status(exchange)? == 202 {
        return None;
    }
    let (sent, shown_sent) = (exchange.sent.json.as_ref(), step.expected.request_example);
    let mut dues = if call.role == Role::Create {
        of_creation(shown, (shown_sent?, sent?), actions)
    } else {
        let (_, known) = scene.record_before(call, ready)?;
        let key = key_name(call)?;
        let teller = before.iter().rev().find(|step| {
            let teller = scene.model.call(&step.name.operation);
            let kind = teller.and_then(Call::record).zip(call.record());
            kind.is_some_and(|(one, other)| one.is(other))
        })?;
        let shown_before = shown_of(scene.model.call(&teller.name.operation)?, teller)?;
        let is_one = |one: &Node, other: &Node| {
            let keys = one.get(key).zip(other.get(key));
            keys.is_some_and(|(one, other)| one.same_value(other))
        };
        if !is_one(shown_before, shown) || !is_one(known, record) || scene.model.is_moving(known) {
            return None;
        }
        if is_of_other_request(scene, (&teller.name.operation, call), (shown_before, shown)) {
            return None;
        }
        let step = Step {
            shown_before,
            shown_after: shown,
            before: known,
            sent,
            shown_sent,
        };
        let mut all = step.says(actions);
        all.retain(|item| {
            !may_be_so_before(scene.model, call, (shown_before, shown), &item.name)
                && !is_of_another_step(scene.model, call, &item.name)
                && !counts_others(scene.model, call, &item.name)
                && (matches!(item.due, Due::Kept(_))
                    || !is_given(scene.model, call, shown, &item.name))
        });
        all
    };
    // In another state, the other values may differ, too.
    let is_of_state = |shown: &Shown| names::names_state(&shown.name);
    let differs = dues
        .iter()
        .any(|shown| is_of_state(shown) && !holds(shown, record));
    let may_move = scene.model.is_moving(record) || scene.model.is_moving(shown);
    if may_move && (differs || call.role != Role::Create) {
        return None;
    }
    if differs {
        let is_decided = call.role != Role::Create || decides(scene, call, step);
        dues.retain(|shown| is_decided && is_of_state(shown));
    }
    Some(dues)
}

/// Whether the request determines the state of a created record, as far as documented: requests of answers in another
/// state have another flag or enumerated value.
fn decides<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, step: &case::Step<'d>) -> bool {
    let Some(kind) = call.record() else {
        return false;
    };
    let state = |node: &Node| {
        let record = node.at(&kind.at)?;
        let mut states = record
            .entries()
            .filter(|entry| names::names_state(&entry.key));
        states.next().map(|entry| entry.value.to_json())
    };
    let (Some(requested), Some(shown)) = (step.expected.request_example, step.expected.example)
    else {
        return false;
    };
    let body = call.operation.request_body();
    let content = body.map(|body| body.content()).unwrap_or_default();
    let request = |key: &str| {
        let mut all = content.iter().flat_map(MediaType::examples);
        all.find(|example| example.key == key)
            .map(|example| example.value.node)
    };
    let media = call
        .success
        .as_ref()
        .and_then(|success| success.media.as_ref());
    let all = media.map(MediaType::examples).unwrap_or_default();
    let mut others = all
        .iter()
        .filter(|example| state(example.value.node) != state(shown));
    let document = scene.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let tells_apart = |other: &Node| {
        shape.property_names().into_iter().any(|name| {
            let (one, other) = (requested.get(name), other.get(name));
            let is_listed = !shape.property(document, name).known_values().is_empty();
            let is_flag = one.or(other).and_then(Node::as_bool).is_some();
            let same = one
                .zip(other)
                .is_some_and(|(one, other)| one.same_value(other));
            // Requested `trial_days` lead to the state `trialing`.
            let state = state(shown).unwrap_or_default();
            let words = names::words(&state.to_lowercase());
            let is_of_step = names::words(name).first().is_some_and(|text| {
                text.len() >= 4 && words.iter().any(|word| word.starts_with(text.as_str()))
            });
            let is_telling = is_listed || is_flag || (is_of_step && other.is_none());
            is_telling && !same && (one.is_some() || other.is_some())
        })
    };
    others.all(|example| request(example.key).is_some_and(tells_apart))
}

/// The documented record in a step's answer.
pub(crate) fn shown_of<'d>(call: &Call<'d>, step: &case::Step<'d>) -> Option<&'d Node> {
    step.expected.example?.at(&call.record()?.at)
}

/// Whether another documented answer shows the later value already in the earlier state. Then the step does not cause
/// it.
fn may_be_so_before<'d>(
    model: &Model<'d>,
    call: &Call<'d>,
    (before, after): (&Node, &Node),
    name: &str,
) -> bool {
    let (Some(kind), Some(key)) = (call.record(), key_name(call)) else {
        return false;
    };
    let states = |node: &Node| -> Vec<String> {
        let states = node
            .entries()
            .filter(|entry| names::names_state(&entry.key));
        states.map(|entry| entry.value.to_json()).collect()
    };
    let same = |one: &Node, other: &Node, name: &str| {
        let both = one.get(name).zip(other.get(name));
        both.is_some_and(|(one, other)| one.same_value(other))
    };
    if same(before, after, name) || states(before) == states(after) {
        return false;
    }
    let tellers = model.readers(kind).into_iter();
    let mut shown = tellers.flat_map(|call| {
        let at = call.record().map(|record| &record.at);
        let all = shown_by(call).into_iter();
        all.filter_map(move |example| example.value.node.at(at?))
    });
    shown.any(|item| {
        same(item, before, key) && same(item, after, name) && states(item) == states(before)
    })
}

/// Whether a property belongs to another step of the record: `activated_at` after a cancellation, if an operation
/// activates.
fn is_of_another_step<'d>(model: &Model<'d>, call: &Call<'d>, name: &str) -> bool {
    let words = names::words(name);
    let does = |call: &Call<'d>| {
        let verb = names::words(&call.about).into_iter().next();
        let is_done = |verb: String| words.iter().any(|word| names::is_done(word, &verb));
        verb.is_some_and(is_done)
    };
    let is_of_kind = |other: &&Call<'d>| {
        let both = other.record().zip(call.record());
        both.is_some_and(|(one, other)| one.is(other))
            && other.operation.label() != call.operation.label()
    };
    let mut others = model.of(Role::Change).filter(is_of_kind);
    !does(call) && others.any(does)
}

/// Whether a property counts records of another kind that the step neither creates nor mentions: `deposit_count`
/// after closing an account.
fn counts_others<'d>(model: &Model<'d>, call: &Call<'d>, name: &str) -> bool {
    let mut words = names::words(name);
    let is_count = |word: &String| matches!(word.as_str(), "count" | "number");
    let Some(at) = words.iter().position(is_count) else {
        return false;
    };
    words.remove(at);
    words.retain(|word| word != "of");
    let kind = names::singular(&words.join(" "));
    let creator = model.creator_of(&kind);
    let is_other = creator.is_some_and(|other| other.operation.label() != call.operation.label());
    is_other && !call.speaks_of_kind(&names::words(&kind))
}

/// Whether the creating request sets a text or object and the step does not, so that the two examples may show
/// records of different requests. A null that the step's text mentions is an effect of the step.
fn is_given<'d>(model: &Model<'d>, call: &Call<'d>, shown: &Node, name: &str) -> bool {
    let value = shown.get(name);
    let is_nothing = value.is_some_and(Node::is_null);
    let is_text = value.is_some_and(|node| node.as_str().is_some() || node.as_mapping().is_some());
    let speaks = || {
        let mut said = call.spoken().into_iter();
        said.any(|sentence| prose::speaks_of(&sentence, name))
    };
    let may_be = is_text || (is_nothing && !speaks());
    if !may_be || names::names_state(name) {
        return false;
    }
    let asks = |call: &Call<'d>| {
        let shape = Shape::of(model.document, call.body.as_ref());
        shape.property_names().contains(&name)
    };
    let is_creator = |other: &&Call<'d>| {
        let both = other.record().zip(call.record());
        both.is_some_and(|(one, other)| one.is(other))
    };
    !asks(call) && model.of(Role::Create).filter(is_creator).any(asks)
}

fn holds(shown: &Shown, record: &Node) -> bool {
    let value = record.get(&shown.name);
    let is_null = value.is_none_or(Node::is_null);
    match &shown.due {
        Due::Kept(due) => value.map_or(due.is_null(), |item| is_same(item, due)),
        // Another check reports absent properties.
        Due::Value(due) => {
            value.is_none_or(|item| is_same(item, due) || value::is_equal(due, item))
        }
        Due::Nothing => is_null,
        Due::Something => !is_null,
        Due::Items => value
            .is_none_or(|node| node.items().next().is_some() || node.entries().next().is_some()),
    }
}

fn check<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    found: Vec<Shown>,
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let (Some(record), Some(kind)) = (record_of(call, exchange), call.record()) else {
        return;
    };
    let volatile = scene.volatile(call);
    for shown in found
        .into_iter()
        .filter(|shown| !volatile.contains(&shown.name))
    {
        if holds(&shown, record) {
            continue;
        }
        let place = Pointer::root().join(shown.name.as_str());
        let show = |node: &Node| scene.shown(call, &place, Some(node));
        let check: &'static Check = match &shown.due {
            Due::Kept(_) | Due::Items => &checks::PATCH_CHANGED_MORE,
            _ => &checks::EFFECT_DIFFERS,
        };
        let claim = Claim::new(
            check,
            Basis::Pair,
            match &shown.due {
                Due::Kept(due) => format!("{}, as before", show(due)),
                Due::Value(due) => format!("{}, as documented", show(due)),
                Due::Nothing => "null, as documented".to_owned(),
                Due::Something => "a value, as documented".to_owned(),
                Due::Items => "the items as before".to_owned(),
            },
            scene.shown(call, &place, record.get(&shown.name)),
        )
        .at(kind.at.join(shown.name.as_str()));
        scene.differ(draft, call, claim, exchange);
    }
}
