//! The same request with the same key makes one record, and another one with that key is refused.

use std::collections::BTreeSet;

use openapi_document::{Node, Pointer};
use openapi_facts::{Rule, Source};

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role};
use crate::names;
use crate::shape::Shape;
use crate::value;

use crate::answered::{own_key, record_of, status, succeeded, told};
use crate::laws::lists::listing::lists;
use crate::laws::lists::paging::Paging;
use crate::scene::addressing::can_address;
use crate::scene::another_body::another_body;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::ground::Ground;
use crate::scene::key::{
    Key, compose, key, key_of_step, marked, may_be_sent_again, set_key, told_unique,
};
use crate::scene::untouched::Untouched;
use crate::scene::{Ready, Scene};

/// Tries an operation with a key, or that may refuse a repeat.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if !matches!(call.role, Role::Create | Role::Change | Role::Delete) {
        return Ok(false);
    }
    let key = key(scene, call);
    let is_told = call.response(409).is_some() || key_of_step(scene, call).is_some();
    if key == Key::Unknown && !is_told {
        return Ok(false);
    }
    of(scene, call, &key, draft).await.map(|()| true)
}

async fn of<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    key: &Key,
    draft: &mut Draft,
) -> Result<(), String> {
    let ready = scene.ready(call, "repetition").await?;
    let sent = compose(scene, &ready, key)?;
    let first = scene.send(sent.clone()).await;
    if !succeeded(&first) {
        return Err(format!(
            "the first request was not granted: {}",
            told(&first)
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
            is_not_made(scene, call, &second, draft);
        }
        if let Some(named) = named.filter(|_| draft.is_clean())
            && stands(scene, call, &first).await
        {
            named.look_after_repeat(scene, call, &second, draft).await;
        }
    } else if let Some(ground) = answers_again(scene, call, key) {
        let expected = "the answer to the first request";
        let claim = Claim::new(&checks::REPEAT_REFUSED, ground, expected, told(&second));
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
    with_header(scene, call, (&ready, &first, &name), draft).await
}

/// Why a repeat is answered as the first request was: a fact says that it takes effect once, or the key is one that may be
/// sent again.
fn answers_again<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>, key: &Key) -> Option<Ground> {
    let Key::Header(name) = key else {
        return (*key == Key::Path).then_some(Ground::Names);
    };
    let is_said = |source: &Source| !matches!(source, Source::Name(_));
    let mut facts = scene.facts_about(call).filter(|fact| match &fact.rule {
        Rule::Idempotency(rule) => {
            let is_of_key = rule.key.name.as_deref().is_none_or(|own| own == *name);
            rule.holds && is_of_key && fact.because.iter().any(is_said)
        }
        _ => false,
    });
    let fact = facts.next().map(|fact| scene.ground(fact));
    fact.or_else(|| may_be_sent_again(call, name).then_some(Ground::Names))
}

/// The records that a request names, between it and its repeat, where that is known by its header.
async fn named<'w, 'd>(
    scene: &mut Scene<'w, '_, '_, 'd>,
    call: &Call<'d>,
    key: &Key,
    (ready, first): (&Ready<'_, 'd>, &Exchange),
) -> Option<Untouched<'w, 'd>> {
    record_of(call, first).filter(|_| matches!(key, Key::Header(_)))?;
    // What is taken on is done later.
    let mut all = ready.state.kept.iter().flatten().chain([first]);
    (!all.any(|own| status(own) == Some(202))).then_some(())?;
    let sent = first.sent.clone();
    Untouched::by(scene, call, (ready, sent)).await
}

/// Whether what was made is as it was made: what goes on by itself may change what it names, too.
async fn stands<'d>(scene: &mut Scene<'_, '_, '_, 'd>, call: &Call<'d>, made: &Exchange) -> bool {
    let Some(record) = record_of(call, made).cloned() else {
        return false;
    };
    if !scene.model.is_moving(&record) {
        return true;
    }
    let readers = scene.readers_for(call, &record, &made.sent);
    let Some(reader) = readers.first().copied() else {
        return false;
    };
    let read = scene.read(reader, &record, &made.sent).await;
    let now = read.ok().and_then(|own| record_of(reader, &own).cloned());
    now.is_some_and(|now| scene.apart(call, &record, &now).is_empty())
}

/// The key that a request may have and has not.
fn unsent<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>, sent: &Sent) -> Option<&'d str> {
    let names = marked(scene, call);
    let body = sent.json.as_ref()?;
    let is_sent = names.iter().any(|own| body.get(own).is_some());
    names.first().copied().filter(|_| !is_sent)
}

/// The key that the server has chosen for the first is nobody else's.
async fn chosen<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
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
        let expected = format!("a refusal: `{name}` is in use");
        let claim = Claim::new(&checks::KEY_REUSED, Ground::Names, expected, told(&second));
        scene.differ(draft, call, claim, &second);
    } else {
        refused(scene, call, &second, draft);
    }
    Some(())
}

/// The key in a header is nobody else's after a success.
async fn with_header<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, first, name): (&Ready<'_, 'd>, &Exchange, &str),
    draft: &mut Draft,
) -> Result<(), String> {
    let sent = &first.sent;
    let own = sent.header(name).unwrap_or_default().to_owned();
    let mut other = scene.compose(ready, "repetition-other")?;
    set_key(&mut other, name, own);
    if other.body == sent.body {
        return reuse(scene, call, sent.clone(), draft).await;
    }
    refuses_another_body(scene, call, other, draft).await;
    unique(scene, call, (ready, first, name), draft).await
}

/// A step that is asked for again with its key is answered as it was.
async fn of_step<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    name: &str,
    draft: &mut Draft,
) -> Result<(), String> {
    let ready = scene.ready(call, "repetition-step").await?;
    let mut sent = scene.compose(&ready, "repetition-step")?;
    let own = ready.state.fresh.fork("repetition-step").uuid();
    set_key(&mut sent, name, own);
    let first = scene.send(sent.clone()).await;
    let second = scene.send(sent.clone()).await;
    if succeeded(&first) && !succeeded(&second) {
        let expected = "the answer to the first request";
        let claim = Claim::new(
            &checks::REPEAT_REFUSED,
            Ground::Names,
            expected,
            told(&second),
        );
        scene.differ(draft, call, claim, &second);
    }
    if succeeded(&first) && draft.is_clean() {
        reuse(scene, call, sent, draft).await?;
    }
    Ok(())
}

/// What is said to be unique whatever its case is refused in another one.
async fn in_other_case<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    sent: &Sent,
    draft: &mut Draft,
) -> Option<()> {
    let property = told_unique(scene, call)?;
    let response = call.response(409).or_else(|| call.response(422))?;
    let own = Shape::of(scene.model.document, call.body.as_ref());
    let own = own.property(scene.model.document, property);
    let said = [
        response.at.node.get("description"),
        own.keyword("description"),
    ];
    let says = |text: &str| {
        let words = names::words(&text.to_lowercase());
        let has = |list: &[&str]| words.iter().any(|own| list.contains(&own.as_str()));
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
        let expected = format!("a refusal: `{property}` is in use, whatever its case");
        let claim = Claim::new(
            &checks::REPEAT_MADE_ANOTHER,
            Ground::Names,
            expected,
            told(&exchange),
        );
        scene.differ(draft, call, claim, &exchange);
    }
    Some(())
}

/// Where the document says of a property that it is unique, it is so whatever the header says.
async fn unique<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, first, name): (&Ready<'_, 'd>, &Exchange, &str),
    draft: &mut Draft,
) -> Result<(), String> {
    let Some(property) = told_unique(scene, call) else {
        return Ok(());
    };
    let mut sent = first.sent.clone();
    set_key(
        &mut sent,
        name,
        ready.state.fresh.fork("repetition-unique").uuid(),
    );
    let exchange = scene.send(sent).await;
    // The property keeps its value to one record when it answers the record that there is.
    if succeeded(&exchange) && !are_one(call, (first, &exchange)) {
        let expected = format!("a refusal: `{property}` is in use");
        let claim = Claim::new(
            &checks::KEY_REUSED,
            Ground::Names,
            expected,
            told(&exchange),
        );
        scene.differ(draft, call, claim, &exchange);
    } else if !succeeded(&exchange) {
        refused(scene, call, &exchange, draft);
    }
    Ok(())
}

/// What is put again, and was there, is not said to be made.
fn is_not_made<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    second: &Exchange,
    draft: &mut Draft,
) {
    if call.response(200).is_none() {
        return;
    }
    if status(second) == Some(201) {
        let expected = "status 200: it is there already";
        let claim = Claim::new(&checks::STATUS_CODE, Ground::Names, expected, told(second));
        scene.differ(draft, call, claim, second);
    } else {
        scene.judge_seen(draft, call, second, |own| *own == 200);
    }
}

/// A repeat that is granted answers the same record.
fn is_same<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (first, second): (&Exchange, &Exchange),
    draft: &mut Draft,
) {
    let keys = own_keys(call, (first, second));
    if keys.is_some_and(|(one, other)| !one.same_value(other)) {
        let claim = Claim::new(
            &checks::REPEAT_MADE_ANOTHER,
            Ground::Names,
            "the record of the first request",
            "another record",
        );
        scene.differ(draft, call, claim, second);
    }
}

/// Whether two answers show one record.
fn are_one(call: &Call<'_>, exchanges: (&Exchange, &Exchange)) -> bool {
    own_keys(call, exchanges).is_some_and(|(one, other)| one.same_value(other))
}

/// The keys of the records that two answers show.
fn own_keys<'e>(
    call: &Call<'_>,
    (first, second): (&'e Exchange, &'e Exchange),
) -> Option<(&'e Node, &'e Node)> {
    let key_of = |exchange| record_of(call, exchange)?.get(own_key(call)?);
    Some((key_of(first)?, key_of(second)?))
}

/// What is taken of each record of the list that the one which was made stands in, by its key and itself.
async fn listed<'d, T>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    made: &Exchange,
    take: impl Fn(String, Node) -> Option<T>,
) -> Option<Vec<T>> {
    let record = record_of(call, made)?.clone();
    let key = own_key(call)?;
    let all = lists(scene, call);
    let list = all
        .into_iter()
        .find(|list| can_address(list, &record, &made.sent))?;
    let paging = Paging::of(scene, list);
    let stand = (&record, &made.sent);
    let take = |item: Node| take(item.get(key)?.to_json(), item);
    paging.all(scene, list, stand, take).await.ok()?
}

/// No other record has come that has all that was sent.
fn is_one<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
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
            Ground::Names,
            "one record in the list",
            "another one like it",
        );
        scene.differ(draft, call, claim, second);
    }
}

/// Judges the refusal of a repeat.
fn refused<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let code = status(exchange).filter(|code| matches!(code, 400 | 409 | 422));
    let own = code.and_then(|code| call.response(code));
    let Some(response) = own.or_else(|| call.first_of(&[409, 422])) else {
        return;
    };
    scene.judge_form(draft, call, &response, exchange);
    if let Some(code) = code {
        scene.reach(call, code, draft);
    }
}

/// The same key with another body is refused.
async fn reuse<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
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
        .and_then(|own| another_body(scene, call, own))
    else {
        return Ok(());
    };
    let document = scene.model.document;
    sent.put_json(document, call.body.as_ref(), other);
    refuses_another_body(scene, call, sent, draft).await;
    Ok(())
}

/// Another body with a key that was used.
async fn refuses_another_body<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    sent: Sent,
    draft: &mut Draft,
) {
    if call.first_of(&[409, 422]).is_none() {
        return;
    }
    let third = scene.send(sent).await;
    if succeeded(&third) {
        let expected = "a refusal of another body with a key that was used";
        let claim = Claim::new(
            &checks::KEY_REUSE_GRANTED,
            Ground::Names,
            expected,
            told(&third),
        );
        scene.differ(draft, call, claim, &third);
    } else {
        refused(scene, call, &third, draft);
    }
}
