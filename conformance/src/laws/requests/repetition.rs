//! Repetition: a request repeated with its key must have one effect, and another request with that key is refused.

use std::collections::BTreeSet;

use openapi_document::{Node, Pointer};
use openapi_facts::{Rule, Source};

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role};
use crate::names;
use crate::shape::Shape;
use crate::value;

use crate::answered::{describe, key_name, record_of, status, succeeded};
use crate::laws::lists::listing::lists;
use crate::laws::lists::paging::Paging;
use crate::scene::addressing::can_address;
use crate::scene::another_body::another_body;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::key::{
    Key, compose, key, key_of_step, marked, may_be_sent_again, set_key, unique_property,
};
use crate::scene::unchanged::Unchanged;
use crate::scene::{Ready, Scene};

/// Tests an operation with an idempotency key, or one that documents a conflict.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if !matches!(call.role, Role::Create | Role::Change | Role::Delete) {
        return Ok(false);
    }
    let key = key(scene, call);
    let is_stated = call.response(409).is_some() || key_of_step(scene, call).is_some();
    if key == Key::Unknown && !is_stated {
        return Ok(false);
    }
    test_call(scene, call, &key, draft).await.map(|()| true)
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    key: &Key,
    draft: &mut Draft,
) -> Result<(), String> {
    let ready = scene.ready(call, "repetition").await?;
    let sent = compose(scene, &ready, key)?;
    let first = scene.send(sent.clone()).await;
    if !succeeded(&first) {
        return Err(format!(
            "the first request did not succeed: {}",
            describe(&first)
        ));
    }
    if *key == Key::Property
        && let Some(name) = unsent(scene, call, &sent)
    {
        chosen(scene, call, (&ready, sent, &first, name), draft).await;
        return Ok(());
    }
    let before = listed(scene, call, &first, |key, _| Some(key)).await;
    let mut repeat = sent.clone();
    if let Some(name) = key_of_step(scene, call) {
        of_step(scene, call, name, draft).await?;
        let other = ready.state.fresh.fork("repetition-other").uuid();
        set_key(&mut repeat, name, other);
    }
    let named = named(scene, call, key, (&ready, &first)).await;
    let second = scene.send(repeat).await;
    if *key == Key::Unknown {
        if status(&second) == Some(409) {
            refused(scene, call, &second, draft);
        }
        return Ok(());
    }
    if succeeded(&second) {
        is_same(scene, call, (&first, &second), draft);
        if *key == Key::Path {
            is_not_created(scene, call, &second, draft);
        }
        if let Some(named) = named.filter(|_| draft.is_clean())
            && is_unmoved(scene, call, &first).await
        {
            named.check_after_repeat(scene, call, &second, draft).await;
        }
    } else if let Some(basis) = answers_again(scene, call, key) {
        let expected = "the answer to the first request";
        let claim = Claim::new(&checks::REPEAT_REFUSED, basis, expected, describe(&second));
        scene.differ(draft, call, claim, &second);
    } else {
        refused(scene, call, &second, draft);
    }
    if let Some(before) = before {
        let known = before.into_iter().collect::<BTreeSet<String>>();
        let unknown = |key, item| (!known.contains(&key)).then_some(item);
        let new = listed(scene, call, &first, unknown).await;
        is_one(
            scene,
            call,
            (&first, &second),
            &new.unwrap_or_default(),
            draft,
        );
    }
    if matches!(key, Key::Field(_) | Key::Whole) {
        return Ok(());
    }
    let Key::Header(name) = key else {
        in_other_case(scene, call, &sent, draft).await;
        return reuse(scene, call, sent, draft).await;
    };
    with_header(scene, call, (&ready, &first, name), draft).await
}

/// The reason why a repeat must get the first answer: a fact, or a text about the key. `None` without one.
fn answers_again<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, key: &Key) -> Option<Basis> {
    let Key::Header(name) = key else {
        return (*key == Key::Path).then_some(Basis::Names);
    };
    let is_said = |source: &Source| !matches!(source, Source::Name(_));
    let mut facts = scene.facts_about(call).filter(|fact| match &fact.rule {
        Rule::Idempotency(rule) => {
            let is_of_key = rule.key.name.as_deref().is_none_or(|item| item == *name);
            rule.holds && is_of_key && fact.because.iter().any(is_said)
        }
        _ => false,
    });
    let fact = facts.next().map(|fact| scene.basis(fact));
    fact.or_else(|| may_be_sent_again(call, name).then_some(Basis::Names))
}

/// The records that a request with a key header names, read between the request and its repeat.
async fn named<'w, 'd>(
    scene: &mut Scene<'w, 'd>,
    call: &Call<'d>,
    key: &Key,
    (ready, first): (&Ready<'_, 'd>, &Exchange),
) -> Option<Unchanged<'w, 'd>> {
    record_of(call, first).filter(|_| matches!(key, Key::Header(_)))?;
    // An accepted request may take effect later.
    let mut all = ready.state.kept.iter().flatten().chain([first]);
    (!all.any(|exchange| status(exchange) == Some(202))).then_some(())?;
    let sent = first.sent.clone();
    Unchanged::by(scene, call, (ready, sent)).await
}

/// Whether the created record is unchanged: a record in transition may change the named ones.
async fn is_unmoved<'d>(scene: &mut Scene<'_, 'd>, call: &Call<'d>, created: &Exchange) -> bool {
    let Some(record) = record_of(call, created).cloned() else {
        return false;
    };
    if !scene.model.is_moving(&record) {
        return true;
    }
    let readers = scene.readers_for(call, &record, &created.sent);
    let Some(reader) = readers.first().copied() else {
        return false;
    };
    let read = scene.read(reader, &record, &created.sent).await;
    let now = read
        .ok()
        .and_then(|exchange| record_of(reader, &exchange).cloned());
    now.is_some_and(|now| scene.mismatches(call, &record, &now).is_empty())
}

/// A natural key that the request could have but lacks.
fn unsent<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, sent: &Sent) -> Option<&'d str> {
    let names = marked(scene, call);
    let body = sent.json.as_ref()?;
    let is_sent = names.iter().any(|name| body.get(name).is_some());
    names.first().copied().filter(|_| !is_sent)
}

/// The server must refuse a key that it assigned to the first record.
async fn chosen<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (ready, mut sent, first, name): (&Ready<'_, 'd>, Sent, &Exchange, &str),
    draft: &mut Draft,
) -> Option<()> {
    let taken = record_of(call, first)?.get(name)?.clone();
    taken.as_str()?;
    let mut json = sent.json.clone()?;
    value::put(&mut json, &Pointer::root().join(name), taken).ok()?;
    scene.put_valid(call, (&mut sent, &ready.call), json)?;
    let second = scene.send(sent).await;
    if succeeded(&second) {
        let expected = format!("a refusal, as `{name}` is in use");
        let claim = Claim::new(
            &checks::KEY_REUSED,
            Basis::Names,
            expected,
            describe(&second),
        );
        scene.differ(draft, call, claim, &second);
    } else {
        refused(scene, call, &second, draft);
    }
    Some(())
}

/// The server must refuse another request with the same key header.
async fn with_header<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (ready, first, name): (&Ready<'_, 'd>, &Exchange, &str),
    draft: &mut Draft,
) -> Result<(), String> {
    let sent = &first.sent;
    let key = sent.header(name).unwrap_or_default().to_owned();
    let mut other = scene.compose(ready, "repetition-other")?;
    set_key(&mut other, name, key);
    if other.body == sent.body {
        return reuse(scene, call, sent.clone(), draft).await;
    }
    refuses_another_body(scene, call, (name, other), draft).await;
    unique(scene, call, (ready, first, name), draft).await
}

/// A step repeated with its key must get the first answer.
async fn of_step<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    name: &str,
    draft: &mut Draft,
) -> Result<(), String> {
    let ready = scene.ready(call, "repetition-step").await?;
    let mut sent = scene.compose(&ready, "repetition-step")?;
    let key = ready.state.fresh.fork("repetition-step").uuid();
    set_key(&mut sent, name, key);
    let first = scene.send(sent.clone()).await;
    let second = scene.send(sent.clone()).await;
    if succeeded(&first) && !succeeded(&second) {
        let expected = "the answer to the first request";
        let claim = Claim::new(
            &checks::REPEAT_REFUSED,
            Basis::Names,
            expected,
            describe(&second),
        );
        scene.differ(draft, call, claim, &second);
    }
    if succeeded(&first) && draft.is_clean() {
        reuse(scene, call, sent, draft).await?;
    }
    Ok(())
}

/// A value that is unique regardless of letter case must be refused in another case.
async fn in_other_case<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    sent: &Sent,
    draft: &mut Draft,
) -> Option<()> {
    let property = unique_property(scene, call)?;
    let response = call.response(409).or_else(|| call.response(422))?;
    let shape = Shape::of(scene.model.document, call.body.as_ref());
    let shape = shape.property(scene.model.document, property);
    let said = [
        response.at.node.get("description"),
        shape.keyword("description"),
    ];
    let says = |text: &str| {
        let words = names::words(&text.to_lowercase());
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        (has(&["case"]) && has(&["whatever", "regardless", "any", "ignoring", "letter"]))
            || has(&["insensitive", "insensitively"])
    };
    let mut texts = said.into_iter().flatten().filter_map(Node::as_str);
    texts.any(says).then_some(())?;
    let mut json = sent.json.clone()?;
    let text = json.get(property)?.as_str()?.to_owned();
    let other = text.to_uppercase();
    value::put(
        &mut json,
        &Pointer::root().join(property),
        value::string(&other),
    )
    .ok()?;
    let found = scene
        .contract()
        .validate_request(call.body.as_ref()?, &json);
    found.ok().filter(Vec::is_empty).filter(|_| other != text)?;
    let ready = scene.ready(call, "repetition-case").await.ok()?;
    let mut repeat = sent.clone();
    scene.put_json(&mut repeat, &ready.call, json);
    let exchange = scene.send(repeat).await;
    if succeeded(&exchange) {
        let expected = format!("a refusal, as `{property}` is in use in another letter case");
        let claim = Claim::new(
            &checks::REPEAT_MADE_ANOTHER,
            Basis::Names,
            expected,
            describe(&exchange),
        );
        scene.differ(draft, call, claim, &exchange);
    }
    Some(())
}

/// A unique property must be refused again even with another key header.
async fn unique<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (ready, first, name): (&Ready<'_, 'd>, &Exchange, &str),
    draft: &mut Draft,
) -> Result<(), String> {
    let Some(property) = unique_property(scene, call) else {
        return Ok(());
    };
    let mut sent = first.sent.clone();
    set_key(
        &mut sent,
        name,
        ready.state.fresh.fork("repetition-unique").uuid(),
    );
    let exchange = scene.send(sent).await;
    // An answer with the existing record keeps the value to one record.
    if succeeded(&exchange) && !are_one(call, (first, &exchange)) {
        let expected = format!("a refusal, as `{property}` is in use");
        let claim = Claim::new(
            &checks::KEY_REUSED,
            Basis::Names,
            expected,
            describe(&exchange),
        );
        scene.differ(draft, call, claim, &exchange);
    } else if !succeeded(&exchange) {
        refused(scene, call, &exchange, draft);
    }
    Ok(())
}

/// A repeated PUT must not answer 201.
fn is_not_created<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    second: &Exchange,
    draft: &mut Draft,
) {
    if call.response(200).is_none() {
        return;
    }
    if status(second) == Some(201) {
        let expected = "status 200, as the record exists";
        let claim = Claim::new(
            &checks::STATUS_CODE,
            Basis::Names,
            expected,
            describe(second),
        );
        scene.differ(draft, call, claim, second);
    } else {
        scene.judge_seen(draft, call, second, |code| *code == 200);
    }
}

/// A successful repeat must answer the same record.
fn is_same<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (first, second): (&Exchange, &Exchange),
    draft: &mut Draft,
) {
    let keys = key_names(call, (first, second));
    if keys.is_some_and(|(one, other)| !one.same_value(other)) {
        let claim = Claim::new(
            &checks::REPEAT_MADE_ANOTHER,
            Basis::Names,
            "the record of the first request",
            "another record",
        );
        scene.differ(draft, call, claim, second);
    }
}

/// Whether two answers show one record.
fn are_one(call: &Call<'_>, exchanges: (&Exchange, &Exchange)) -> bool {
    key_names(call, exchanges).is_some_and(|(one, other)| one.same_value(other))
}

/// The keys of the records that two answers show.
fn key_names<'e>(
    call: &Call<'_>,
    (first, second): (&'e Exchange, &'e Exchange),
) -> Option<(&'e Node, &'e Node)> {
    let key_of = |exchange| record_of(call, exchange)?.get(key_name(call)?);
    Some((key_of(first)?, key_of(second)?))
}

/// Collects a value from each record in the list that contains the created one.
async fn listed<'d, T>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    created: &Exchange,
    take: impl Fn(String, Node) -> Option<T>,
) -> Option<Vec<T>> {
    let record = record_of(call, created)?.clone();
    let key = key_name(call)?;
    let all = lists(scene, call);
    let list = all
        .into_iter()
        .find(|list| can_address(list, &record, &created.sent))?;
    let paging = Paging::of(scene, list);
    let address = (&record, &created.sent);
    let take = |item: Node| take(item.get(key)?.to_json(), item);
    paging.all(scene, list, address, take).await.ok()?
}

/// The repeat must not add a record with the sent values to the list.
fn is_one<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (first, second): (&Exchange, &Exchange),
    new: &[Node],
    draft: &mut Draft,
) {
    let Some(body) = &first.sent.json else { return };
    let is_twin = |item: &Node| {
        let mut shared = body.entries().filter_map(|entry| {
            let other = item.get(&entry.key)?;
            Some(other.same_value(&entry.value))
        });
        let first = shared.next();
        first == Some(true) && shared.all(|same| same)
    };
    if new.iter().any(is_twin) {
        let claim = Claim::new(
            &checks::REPEAT_MADE_ANOTHER,
            Basis::Names,
            "one record in the list",
            "another record with the same values",
        );
        scene.differ(draft, call, claim, second);
    }
}

/// Compares the refusal of a repeat with the documented one.
fn refused<'d>(scene: &mut Scene<'_, 'd>, call: &Call<'d>, exchange: &Exchange, draft: &mut Draft) {
    let code = status(exchange).filter(|code| matches!(code, 400 | 409 | 422));
    let documented = code.and_then(|code| call.response(code));
    let Some(response) = documented.or_else(|| call.first_of(&[409, 422])) else {
        return;
    };
    scene.judge_form(draft, call, &response, exchange);
    if let Some(code) = code {
        scene.reach(call, code, draft);
    }
}

/// The server must refuse the same key with another body.
async fn reuse<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    mut sent: Sent,
    draft: &mut Draft,
) -> Result<(), String> {
    if call.first_of(&[409, 422]).is_none() {
        return Ok(());
    }
    let Some(other) = sent
        .json
        .as_ref()
        .and_then(|body| another_body(scene, call, body))
    else {
        return Ok(());
    };
    let document = scene.model.document;
    sent.put_json(document, call.body.as_ref(), other);
    let key = marked(scene, call).join("`, `");
    refuses_another_body(scene, call, (&key, sent), draft).await;
    Ok(())
}

/// Sends another body with a used key.
async fn refuses_another_body<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (key, sent): (&str, Sent),
    draft: &mut Draft,
) {
    if call.first_of(&[409, 422]).is_none() {
        return;
    }
    let third = scene.send(sent).await;
    if succeeded(&third) {
        let expected = match key {
            "" => "a refusal of another body with a used key".to_owned(),
            key => format!("a refusal of another body with the same `{key}`"),
        };
        let claim = Claim::new(
            &checks::KEY_REUSE_GRANTED,
            Basis::Names,
            expected,
            describe(&third),
        );
        scene.differ(draft, call, claim, &third);
    } else {
        refused(scene, call, &third, draft);
    }
}
