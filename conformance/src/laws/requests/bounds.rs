//! Bounds: the server must accept values at the bounds of the schema, and answer them as sent.
//!
//! These are the largest and smallest numbers, the longest texts with characters beyond the first Unicode plane, and
//! marks that servers often corrupt.

use openapi_document::{Node, Pointer, Value};

use crate::amount;
use crate::checks::{self, Check};
use crate::constants::Constants;
use crate::exchange::{Answer, Exchange};
use crate::model::{Call, Role};
use crate::names;
use crate::prose;
use crate::shape::Shape;
use crate::trials::{range, relation};
use crate::value;

use super::extremes::{MARKED, OTHERS, collect, is_long};
use super::nulls;
use crate::answered::{describe, record_of, status, succeeded};
use crate::laws::lists::listing;
use crate::laws::records::agreement::as_read;
use crate::scene::addressing::can_address;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::echo;
use crate::scene::effect;
use crate::scene::{Ready, Scene};

/// A value that no enumeration has.
const NOWHERE: &str = "no-such-value";

/// Tests an operation that creates or changes a record.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.role == Role::Change && call.body.is_some() {
        others(scene, call, draft).await;
        if draft.is_clean() {
            let _ = longest(scene, call, draft).await;
        }
    }
    if call.role != Role::Create || call.body.is_none() {
        return Ok(false);
    }
    let tried = test_call(scene, call, draft).await.or(Ok(false));
    if draft.is_clean() {
        nulls::check(scene, call, draft).await;
    }
    tried
}

/// Requests the other enumerated values of a step. The server may refuse them; each success is compared with its
/// schema.
async fn others<'d>(scene: &mut Scene<'_, 'd>, call: &Call<'d>, draft: &mut Draft) -> Option<()> {
    let schema = call.body.as_ref()?;
    let shape = Shape::of(scene.model.document, Some(schema));
    for name in shape.property_names() {
        let shape = shape.property(scene.model.document, name);
        for other in shape.known_values().into_iter().take(OTHERS) {
            let tag = format!("bounds-{name}-{other}");
            let ready = scene.ready(call, &tag).await.ok()?;
            let mut sent = scene.compose(&ready, &tag).ok()?;
            let mut json = sent.json.clone()?;
            let at = Pointer::root().join(name);
            let is_sent = json.get(name).and_then(Node::as_str) == Some(other);
            if is_sent || value::put(&mut json, &at, value::string(other)).is_err() {
                continue;
            }
            let found = scene.contract().validate_request(schema, &json);
            if found.is_ok_and(|all| all.is_empty()) {
                scene.put_json(&mut sent, &ready.call, json);
                let exchange = scene.send(sent).await;
                let setting = (&at, &value::string(other));
                listed_comes_back(scene, call, setting, &exchange, draft);
            }
        }
    }
    Some(())
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene.ready(call, "bounds").await?;
    let valid = scene.compose(&ready, "bounds")?;
    let Some(body) = &valid.json else {
        return Ok(false);
    };
    let shape = Shape::of(scene.model.document, call.body.as_ref());
    let mut extremes = Vec::new();
    collect(scene, &Pointer::root(), body, &shape, &mut extremes);
    extremes.retain(|(pointer, extreme)| {
        !is_limited(call, pointer, extreme)
            && !is_limited_above(&shape, scene, (pointer, extreme))
            && !range::forbids(scene, call, (pointer, extreme))
            && !relation::compares(scene, call, pointer)
    });
    // A value that requires other properties by a sentence is not sent alone.
    extremes.retain(|(_, extreme)| !asks_for_more(scene, call, extreme));
    let others = ready.state.kept.as_deref().unwrap_or_default();
    if !others.is_empty() {
        extremes.retain(|(pointer, _)| !is_inherited(pointer));
    }
    for (index, extreme) in extremes.iter().enumerate() {
        let ready = scene.ready(call, &format!("bounds-{index}")).await?;
        try_one(scene, call, &ready, extreme, draft).await?;
    }
    let looked = smallest(scene, call, draft).await.is_some();
    Ok(looked || !extremes.is_empty())
}

/// Sends the longest texts of a step or change.
async fn longest<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    let ready = scene.ready(call, "bounds-longest").await?;
    let valid = scene.compose(&ready, "bounds-longest")?;
    let Some(body) = &valid.json else {
        return Ok(());
    };
    let shape = Shape::of(scene.model.document, call.body.as_ref());
    let mut extremes = Vec::new();
    collect(scene, &Pointer::root(), body, &shape, &mut extremes);
    extremes.retain(|(_, extreme)| is_long(extreme));
    if extremes.is_empty() || !succeeded(&scene.send(valid.clone()).await) {
        return Ok(());
    }
    extremes.retain(|(_, extreme)| !asks_for_more(scene, call, extreme));
    for (index, extreme) in extremes.iter().enumerate() {
        let ready = scene
            .ready(call, &format!("bounds-longest-{index}"))
            .await?;
        try_one(scene, call, &ready, extreme, draft).await?;
    }
    Ok(())
}

/// A record created with required properties only must be answered, read and listed as documented.
async fn smallest<'d>(scene: &mut Scene<'_, 'd>, call: &Call<'d>, draft: &mut Draft) -> Option<()> {
    let ready = scene.ready(call, "bounds-smallest").await.ok()?;
    let mut sent = scene.compose(&ready, "smallest").ok()?;
    let mut json = sent.json.clone()?;
    let shape = Shape::of(scene.model.document, call.body.as_ref());
    let Value::Mapping(mapping) = &mut json.value else {
        return None;
    };
    let all = mapping.entries.len();
    mapping.entries.retain(|entry| shape.requires(&entry.key));
    let is_smaller = mapping.entries.len() < all;
    let schema = call.body.as_ref()?;
    let violations = scene.contract().validate_request(schema, &json).ok()?;
    if !is_smaller || !violations.is_empty() {
        return None;
    }
    scene.put_json(&mut sent, &ready.call, json);
    let exchange = scene.send(sent).await;
    // The server may require more than the schema says.
    let record = record_of(call, &exchange)?.clone();
    scene.judge_form(draft, call, &call.success.as_ref()?.response, &exchange);
    as_read(scene, call, &exchange, draft).await.ok()?;
    for list in listing::lists(scene, call) {
        if can_address(list, &record, &exchange.sent) {
            let address = (&record, &exchange.sent);
            listing::check(scene, call, list, address, draft)
                .await
                .ok()?;
        }
    }
    Some(())
}

/// Whether a text requires or forbids other properties with an enumerated value.
fn asks_for_more<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, value: &Node) -> bool {
    const ASKS: [&str; 7] = [
        "required",
        "requires",
        "require",
        "needs",
        "need",
        "must",
        "mandatory",
    ];
    let Some(value) = value.as_str() else {
        return false;
    };
    let document = scene.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let names = shape.property_names().into_iter();
    let of_properties = names.filter_map(|name| {
        let shape = shape.property(document, name);
        shape.keyword("description")?.as_str()
    });
    let marks = [format!("`{value}`"), format!(": {value}`")];
    let mut sentences = call.texts().chain(of_properties).flat_map(prose::sentences);
    sentences.any(|name| {
        let is_marked = marks.iter().any(|mark| name.contains(mark));
        is_marked && prose::has(&names::words(name), &ASKS)
    })
}

/// Whether a text of the operation or its refusals limits a number further, by other values or existing records.
fn is_limited(call: &Call<'_>, pointer: &Pointer, extreme: &Node) -> bool {
    let refusals = [400, 409, 422]
        .into_iter()
        .filter_map(|code| call.text_of(code));
    let sentences = call.texts().chain(refusals).flat_map(prose::spoken);
    let name = pointer.last().unwrap_or_default();
    matches!(extreme.value, Value::Number(_)) && limit(sentences, &name, &value::plain(extreme))
}

/// Whether a sentence limits a property: it names the property, or continues with "it" after one that does.
fn limit(sentences: impl IntoIterator<Item = Vec<String>>, name: &str, bound: &str) -> bool {
    let mut is_named = false;
    sentences.into_iter().any(|sentence| {
        let goes_on = is_named && sentence.first().is_some_and(|word| word == "it");
        is_named = goes_on || names_it(&sentence, name);
        is_named && limits(&sentence, bound)
    })
}

/// Whether the description of an object around a property limits it: `More than zero` of an object with an amount.
fn is_limited_above<'d>(
    shape: &Shape<'d>,
    scene: &Scene<'_, 'd>,
    (pointer, extreme): (&Pointer, &Node),
) -> bool {
    let bound = value::plain(extreme);
    let mut shape = shape.clone();
    let segments: Vec<_> = pointer.segments().collect();
    let above = segments.split_last().map(|(_, above)| above);
    above.into_iter().flatten().any(|segment| {
        shape = shape.property(scene.model.document, segment);
        let text = shape.keyword("description").and_then(Node::as_str);
        let sentences = prose::spoken(text.unwrap_or_default());
        sentences.iter().any(|sentence| limits(sentence, &bound))
    })
}

/// Whether a sentence names a property.
fn names_it(sentence: &[String], name: &str) -> bool {
    let words = names::words(name);
    sentence.windows(words.len()).any(|part| part == words)
}

/// Whether a sentence limits something by more than the bound.
fn limits(sentence: &[String], bound: &str) -> bool {
    const LIMITS: [&str; 14] = [
        "exceed",
        "exceeds",
        "together",
        "sum",
        "fit",
        "fits",
        "capacity",
        "available",
        "fewer",
        "remaining",
        "than",
        "enough",
        "equal",
        "match",
    ];
    let tells_bound = sentence.iter().any(|item| item == bound);
    prose::has(sentence, &LIMITS) && !tells_bound
}

/// Whether a property comes from a parent record: a line has the currency of its order.
fn is_inherited(pointer: &Pointer) -> bool {
    const INHERITED: [&str; 2] = ["currency", "country"];
    let words = names::words(&pointer.last().unwrap_or_default());
    words.iter().any(|word| INHERITED.contains(&word.as_str()))
}

/// Whether a property is an amount or a count, which servers limit by more than the schema.
fn is_amount(pointer: &Pointer) -> bool {
    const AMOUNTS: [&str; 14] = [
        "amount", "price", "total", "value", "fee", "quantity", "qty", "count", "units", "seats",
        "nights", "guests", "tickets", "copies",
    ];
    let words = names::words(&pointer.last().unwrap_or_default());
    words.iter().any(|word| AMOUNTS.contains(&word.as_str()))
}

async fn try_one<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    (pointer, extreme): &(Pointer, Node),
    draft: &mut Draft,
) -> Result<(), String> {
    let mut sent = scene.compose(ready, "bound")?;
    let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
    value::put(&mut json, pointer, extreme.clone())?;
    let schema = call.body.as_ref().ok_or("the call has no schema")?;
    let violations = scene.contract().validate_request(schema, &json)?;
    if !violations.is_empty() || crate::trials::requires::is_broken(scene, call, &json) {
        return Ok(());
    }
    scene.put_json(&mut sent, &ready.call, json);
    let exchange = scene.send(sent).await;
    let expected = format!(
        "a success: {} is allowed",
        value::excerpt(&extreme.to_json())
    );
    if !succeeded(&exchange) {
        let is_refused = if is_of_item(pointer) {
            // The sum of the items may be too large, so only a refusal that names the number counts.
            blames(&exchange, pointer)
        } else if extreme.as_str() == Some(MARKED) {
            // A server may refuse such characters.
            false
        } else if let Some(text) = extreme.as_str().filter(|item| item.is_ascii()) {
            is_as_unknown(scene, ready, (pointer, text, &exchange)).await?
        } else if let Some(wide) = extreme.as_str().and_then(|text| text.chars().next()) {
            let is_taken = status(&exchange) == Some(409);
            !is_taken && is_short_accepted(scene, ready, (pointer, wide)).await?
        } else if is_amount(pointer) {
            beside(scene, call, ready, (pointer, extreme)).await?
        } else {
            !is_otherwise(scene, call, ready, (pointer, extreme, &exchange)).await?
        };
        if is_refused {
            let texts = (expected, describe(&exchange));
            claim(
                scene,
                call,
                (&checks::VALID_REFUSED, pointer, texts),
                &exchange,
                draft,
            );
        }
        return Ok(());
    }
    effect::is_as_requested(scene, call, &exchange, draft);
    // The items of an answer may have another order.
    let back = record_of(call, &exchange).filter(|_| !is_of_item(pointer));
    let back = back.and_then(|node| node.at(pointer));
    let is_stated = |node: &&Node| node.type_name() == extreme.type_name() || node.is_null();
    let is_listed = is_listed(scene, call, (pointer, extreme));
    let back = back.filter(|node| is_listed || !node.is_null());
    let name = pointer.last().unwrap_or_default();
    let is_same =
        |node: &Node| value::is_equal(extreme, node) || amount::is_same(&name, extreme, node);
    let is_altered = |node: &&Node| is_stated(node) && !is_same(node);
    if let Some(back) = back.filter(is_altered)
        && may_come_back(scene, call, &exchange, (pointer, extreme))
    {
        let texts = (
            format!("{} as sent", value::excerpt(&extreme.to_json())),
            scene.shown(call, pointer, Some(back)),
        );
        claim(
            scene,
            call,
            (&checks::ECHO, pointer, texts),
            &exchange,
            draft,
        );
    }
    Ok(())
}

/// Whether the schema of the answer allows a sent value.
fn may_come_back<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    exchange: &Exchange,
    sent: (&Pointer, &Node),
) -> bool {
    let answered = call.record().zip(record_of(call, exchange));
    answered.is_none_or(|(kind, record)| echo::is_answerable(scene, kind, record, sent))
}

/// Whether a pointer leads into an item of a list.
fn is_of_item(pointer: &Pointer) -> bool {
    let is_index = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    pointer.segments().any(|item| is_index(&item))
}

/// Whether a refusal names a place within a list: `items[0].quantity`, `/items/0/quantity`.
fn blames(exchange: &Exchange, pointer: &Pointer) -> bool {
    let answer = exchange.outcome.as_ref().ok();
    let Some(body) = answer.and_then(Answer::json) else {
        return false;
    };
    let mut texts = Vec::new();
    prose::texts_in(body, &mut texts);
    let words: Vec<String> = pointer
        .segments()
        .flat_map(|name| names::words(&name))
        .collect();
    let has = |text: &&str| {
        names::words(text)
            .windows(words.len())
            .any(|part| part == words)
    };
    texts.iter().any(has)
}

/// A sent enumerated value must be in the record, if it has a property with the same name and values. States are
/// excluded, as later events decide them.
fn listed_comes_back<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (pointer, listed): (&Pointer, &Node),
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let is_state = pointer.segments().any(|word| names::names_state(&word));
    let record = record_of(call, exchange).filter(|node| !scene.model.is_moving(node));
    let value = record.and_then(|node| node.at(pointer));
    let is_known = status(exchange) != Some(202) && is_listed(scene, call, (pointer, listed));
    if let Some(value) = value.filter(|node| !node.same_value(listed) && is_known && !is_state) {
        let texts = (
            format!("{} as sent", listed.to_json()),
            scene.shown(call, pointer, Some(value)),
        );
        claim(
            scene,
            call,
            (&checks::ECHO, pointer, texts),
            exchange,
            draft,
        );
    }
}

/// Whether a value is enumerated in the same place of the answered record.
fn is_listed<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (pointer, extreme): (&Pointer, &Node),
) -> bool {
    let document = scene.model.document;
    let mut shape = Shape::of(document, call.record().map(|record| &record.schema));
    for segment in pointer.segments() {
        shape = shape.property(document, &segment);
    }
    let text = extreme.as_str();
    text.is_some_and(|item| shape.known_values().contains(&item))
}

/// Whether an enumerated value is refused in the same way as an unknown one.
async fn is_as_unknown<'d>(
    scene: &mut Scene<'_, 'd>,
    ready: &Ready<'_, 'd>,
    (pointer, text, refused): (&Pointer, &str, &Exchange),
) -> Result<bool, String> {
    let mut sent = scene.compose(ready, "unknown")?;
    let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
    value::put(&mut json, pointer, value::string(NOWHERE))?;
    scene.put_json(&mut sent, &ready.call, json);
    let exchange = scene.send(sent).await;
    let is_one = status(&exchange) == status(refused) && status(refused) != Some(409);
    Ok(is_one && said(&exchange, NOWHERE) == said(refused, text))
}

/// The texts of an answer, without the value in question and without texts that contain digits.
fn said(exchange: &Exchange, about: &str) -> Vec<String> {
    fn walk(node: &Node, about: &str, found: &mut Vec<String>) {
        match &node.value {
            Value::String(text) if text.bytes().any(|byte| byte.is_ascii_digit()) => {}
            Value::String(text) => found.push(text.replace(about, "")),
            Value::Sequence(items) => items.iter().for_each(|item| walk(item, about, found)),
            Value::Mapping(_) => node
                .entries()
                .for_each(|entry| walk(&entry.value, about, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    let answer = exchange.outcome.as_ref().ok();
    if let Some(json) = answer.and_then(crate::exchange::Answer::json) {
        walk(json, about, &mut found);
    }
    found
}

/// Whether the server accepts one of the characters of a long text, so that it refused the length.
async fn is_short_accepted<'d>(
    scene: &mut Scene<'_, 'd>,
    ready: &Ready<'_, 'd>,
    (pointer, wide): (&Pointer, char),
) -> Result<bool, String> {
    let mut sent = scene.compose(ready, "short")?;
    let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
    let text = json.at(pointer).and_then(Node::as_str);
    let longer = format!("{}{wide}", text.unwrap_or_default());
    value::put(&mut json, pointer, value::string(&longer))?;
    scene.put_json(&mut sent, &ready.call, json);
    Ok(succeeded(&scene.send(sent).await))
}

/// Whether a number at its bound is refused for another reason than a number beyond it.
async fn is_otherwise<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    (pointer, extreme, refused): (&Pointer, &Node, &Exchange),
) -> Result<bool, String> {
    if status(refused) == Some(409) {
        return Ok(true);
    }
    let schema = call.body.as_ref().ok_or("the call has no schema")?;
    let number: Option<i64> = value::plain(extreme).parse().ok();
    for step in [1, -1] {
        let beyond = number.and_then(|item| item.checked_add(step));
        let mut sent = scene.compose(ready, "beyond")?;
        let (Some(beyond), Some(mut json)) = (beyond, sent.json.clone()) else {
            return Ok(false);
        };
        value::put(&mut json, pointer, value::number(beyond))?;
        if scene.contract().validate_request(schema, &json)?.is_empty() {
            continue;
        }
        scene.put_json(&mut sent, &ready.call, json);
        let exchange = scene.send(sent).await;
        return Ok(status(&exchange) != status(refused) || codes(&exchange) != codes(refused));
    }
    Ok(false)
}

/// The error codes of a refusal.
fn codes(exchange: &Exchange) -> Option<Constants> {
    let answer = exchange.outcome.as_ref().ok()?;
    answer.json().map(Constants::of)
}

/// Whether the server accepts the next number within the bound. Amounts have other limits than the schema, so only
/// then is the refusal about the bound.
async fn beside<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    (pointer, extreme): (&Pointer, &Node),
) -> Result<bool, String> {
    let inside = |step: i64| {
        let number: i64 = value::plain(extreme).parse().ok()?;
        Some(value::number(number.checked_add(step)?))
    };
    let schema = call.body.as_ref().ok_or("the call has no schema")?;
    for step in [-1, 1] {
        let mut sent = scene.compose(ready, "beside")?;
        let (Some(value), Some(mut json)) = (inside(step), sent.json.clone()) else {
            return Ok(false);
        };
        value::put(&mut json, pointer, value)?;
        if !scene.contract().validate_request(schema, &json)?.is_empty() {
            continue;
        }
        scene.put_json(&mut sent, &ready.call, json);
        return Ok(succeeded(&scene.send(sent).await));
    }
    Ok(false)
}

fn claim<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (check, pointer, (expected, actual)): (&'static Check, &Pointer, (String, String)),
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let claim = Claim::new(check, Basis::Names, expected, actual).at(pointer.clone());
    scene.differ(draft, call, claim, exchange);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_limit_a_number_further() {
        for (text, expected) in [
            ("`adults` and `children` together exceed the capacity", true),
            ("More adults than the room has beds for.", true),
            ("No more than 20 adults.", false),
            ("The adults of the party.", false),
            ("Children exceed what is allowed.", false),
            ("`adults` is how many; it may not exceed `beds`.", true),
            ("`children` is how many; it may not exceed `beds`.", false),
        ] {
            let said = limit(prose::spoken(text), "adults", "20");
            assert_eq!(said, expected, "{text}");
        }
    }
}
