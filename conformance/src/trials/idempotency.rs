//! Idempotency: what a fact says of a key beyond its repeats: whose it is, where it counts, and when it is used up.

use openapi_document::{Node, Pointer};
use openapi_facts::rule::{Idempotency, Within};
use openapi_facts::{Evidence, Fact};

use super::counter::is_refusal;
use super::requires;
use crate::answered::{describe, key_name, record_of, succeeded};
use crate::checks::{self, Check};
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Model, Role};
use crate::recipe::Recipe;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::key::set_key;
use crate::scene::{Ready, Scene};
use crate::secrets::NEIGHBOUR;
use crate::value;

/// Operations with more to test than a repeat of a creation.
pub(super) fn applies(rule: &Idempotency, _: &Model<'_>, call: &Call<'_>) -> bool {
    let is_step = rule.key.name.is_none() && call.role == Role::Change;
    let is_more = rule.answers_first || rule.free_after_refusal || rule.refused_elsewhere;
    is_step || is_more || !rule.within.is_empty()
}

/// Sends requests with used keys.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule): (&Fact, &Idempotency),
    draft: &mut Draft,
) -> Tried {
    if !scene.may_write() || fact.evidence() != Evidence::Stated {
        return Ok(false);
    }
    let test = Test { call, fact, rule };
    let Some(name) = rule.key.name.as_deref() else {
        return test.repeat(scene, draft).await;
    };
    let mut tried = Ok(false);
    if rule.answers_first {
        tried = super::both(tried, test.first_answer(scene, name, draft).await);
    }
    if rule.free_after_refusal {
        tried = super::both(tried, test.after_refusal(scene, name, draft).await);
        // A call without steps before it cannot come too early.
        let _ = test.too_early(scene, name, draft).await;
    }
    if rule.within.contains(&Within::Caller) {
        tried = super::both(tried, test.by_another(scene, name, draft).await);
    }
    if rule.within.contains(&Within::Path) || rule.refused_elsewhere {
        tried = super::both(tried, test.elsewhere(scene, name, draft).await);
    }
    tried
}

struct Test<'t, 'd> {
    call: &'t Call<'d>,
    fact: &'t Fact,
    rule: &'t Idempotency,
}

impl<'d> Test<'_, 'd> {
    /// A repeated step must succeed and have no further effect.
    async fn repeat(&self, scene: &mut Scene<'_, 'd>, draft: &mut Draft) -> Tried {
        let ready = scene.ready(self.call, "repeat").await?;
        let first = scene.call(&ready, "repeat").await?;
        let first = granted(first)?;
        let second = scene.send(first.sent.clone()).await;
        self.is_like_first(scene, (&first, &second), draft);
        Ok(true)
    }

    /// A repeat must get the first answer, even after the created record has changed.
    async fn first_answer(
        &self,
        scene: &mut Scene<'_, 'd>,
        name: &str,
        draft: &mut Draft,
    ) -> Tried {
        let (_, first) = self.first(scene, name, "first-answer").await?;
        let record = record_of(self.call, &first).ok_or("the answer shows no record")?;
        let record = record.clone();
        let kind = self.call.record();
        let changes = scene.model.calls.iter().filter(|other| {
            let is_of_kind = other
                .record()
                .zip(kind)
                .is_some_and(|(one, kind)| one.is(kind));
            is_of_kind && other.role == Role::Change
        });
        let changes: Vec<_> = changes.collect();
        for change in changes {
            let Ok(addressed) = scene.compose_read(change, &record, &first.sent, &[]) else {
                continue;
            };
            let Ok(other) = scene.ready(change, "first-answer").await else {
                continue;
            };
            let sent = scene.compose(&other, "first-answer")?;
            let changed = scene.send(sent.addressed_like(&addressed)).await;
            let now = record_of(change, &changed).filter(|_| succeeded(&changed));
            if now.is_some_and(|now| !scene.mismatches(self.call, &record, now).is_empty()) {
                let second = scene.send(first.sent.clone()).await;
                self.is_like_first(scene, (&first, &second), draft);
                return Ok(true);
            }
        }
        Err("no operation changed the record between the request and its repeat".to_owned())
    }

    /// The key of a refused request must be free for a valid one.
    async fn after_refusal(
        &self,
        scene: &mut Scene<'_, 'd>,
        name: &str,
        draft: &mut Draft,
    ) -> Tried {
        let mut tried = Err("no request was refused".to_owned());
        for index in 0..2 {
            let tag = format!("after-refusal-{index}");
            let ready = scene.ready(self.call, &tag).await?;
            let sent = keyed(scene, &ready, (name, &tag))?;
            let json = sent.json.clone().ok_or("the call has no JSON body")?;
            let broken = match index {
                0 => mistyped(&json),
                _ => requires::broken(scene, self.call, &json),
            };
            let Some(broken) = broken else { continue };
            let mut wrong = sent.clone();
            scene.put_json(&mut wrong, &ready.call, broken);
            let refused = scene.send(wrong).await;
            if is_refusal(&refused) {
                let exchange = scene.send(sent).await;
                self.must_succeed(scene, self.call, &exchange, draft);
                tried = Ok(true);
            }
        }
        tried
    }

    /// The key of a request that came before a step that it needs must be free after that step.
    async fn too_early(
        &self,
        scene: &mut Scene<'_, 'd>,
        name: &str,
        draft: &mut Draft,
    ) -> Option<()> {
        let recipe: &Recipe<'d> = scene.chosen(self.call)?;
        let (_, before) = recipe.split()?;
        let (last, earlier) = before
            .split_last()
            .filter(|(_, earlier)| !earlier.is_empty())?;
        let mut ready = scene.prepare_by(recipe, earlier, "too-early").await.ok()?;
        let sent = keyed(scene, &ready, (name, "too-early")).ok()?;
        let refused = scene.send(sent.clone()).await;
        if !is_refusal(&refused) {
            return None;
        }
        scene
            .sender
            .step(&recipe.script, last, &mut ready.state)
            .await;
        let is_done = !ready.state.failed.contains_key(&last.id);
        let exchange = scene.send(sent).await;
        if is_done {
            self.must_succeed(scene, self.call, &exchange, draft);
        }
        Some(())
    }

    /// The same key of another caller must be another key.
    async fn by_another(&self, scene: &mut Scene<'_, 'd>, name: &str, draft: &mut Draft) -> Tried {
        let neighbour = &scene.sender.wire.target.neighbour;
        if neighbour.is_empty() {
            return Err(
                "the credentials of another caller are needed: give --neighbour".to_owned(),
            );
        }
        let (ready, first) = self.first(scene, name, "by-another").await?;
        if ready.state.kept.is_some_and(|kept| !kept.is_empty()) {
            return Err("another caller has no record for the call".to_owned());
        }
        let exchange = scene.send(first.sent.by(neighbour, NEIGHBOUR)).await;
        self.is_another(scene, self.call, (&first, &exchange), draft);
        Ok(true)
    }

    /// The same key for another record, or for another operation, must be another key, or be refused.
    async fn elsewhere(&self, scene: &mut Scene<'_, 'd>, name: &str, draft: &mut Draft) -> Tried {
        let (_, first) = self.first(scene, name, "elsewhere").await?;
        let used = first.sent.header(name).unwrap_or_default().to_owned();
        let call = if self.call.path_parameters().is_empty() {
            let has_key = |other: &&Call<'d>| {
                let mut parameters = other.operation.parameters().into_iter();
                other.role == Role::Create
                    && other.operation.path != self.call.operation.path
                    && parameters.any(|parameter| parameter.name == name)
            };
            let mut others = scene.model.calls.iter().filter(has_key);
            others.next().ok_or("no other operation has the key")?
        } else {
            self.call
        };
        let ready = scene.ready(call, "elsewhere-other").await?;
        let mut sent = scene.compose(&ready, "elsewhere-other")?;
        if let Some(json) = first
            .sent
            .json
            .clone()
            .filter(|_| call.operation.label() == self.call.operation.label())
        {
            scene.put_json(&mut sent, &ready.call, json);
        }
        set_key(&mut sent, name, used);
        let exchange = scene.send(sent).await;
        if !self.rule.refused_elsewhere {
            self.is_another(scene, call, (&first, &exchange), draft);
        } else if succeeded(&exchange) {
            let expected = "a refusal, as the key was used for another record";
            self.claim(
                scene,
                call,
                (&checks::FOREIGN_PARENT_FOUND, expected),
                &exchange,
                draft,
            );
        }
        Ok(true)
    }

    /// The first, successful request with a key.
    async fn first<'w>(
        &self,
        scene: &mut Scene<'w, 'd>,
        name: &str,
        tag: &str,
    ) -> Result<(Ready<'w, 'd>, Exchange), String> {
        let ready = scene.ready(self.call, tag).await?;
        let sent = keyed(scene, &ready, (name, tag))?;
        let first = granted(scene.send(sent).await)?;
        Ok((ready, first))
    }

    fn is_like_first(
        &self,
        scene: &Scene<'_, 'd>,
        (first, second): (&Exchange, &Exchange),
        draft: &mut Draft,
    ) {
        if !succeeded(second) {
            return self.must_succeed(scene, self.call, second, draft);
        }
        let both = record_of(self.call, first).zip(record_of(self.call, second));
        for apart in both.map_or_else(Vec::new, |(one, other)| {
            scene.mismatches(self.call, one, other)
        }) {
            let expected = scene.shown(self.call, &apart.pointer, Some(&apart.one));
            let expected = format!("{expected}, as in the first answer: {}", self.rule);
            let actual = scene.shown(self.call, &apart.pointer, apart.other.as_ref());
            let basis = scene.basis(self.fact);
            let claim = Claim::new(&checks::REPEAT_DONE_AGAIN, basis, expected, actual);
            scene.differ(draft, self.call, claim.at(apart.pointer), second);
        }
    }

    /// The request must succeed, and answer another record than the first one.
    fn is_another(
        &self,
        scene: &Scene<'_, 'd>,
        call: &Call<'d>,
        (first, second): (&Exchange, &Exchange),
        draft: &mut Draft,
    ) {
        self.must_succeed(scene, call, second, draft);
        let key =
            |call: &Call<'d>, exchange| record_of(call, exchange)?.get(key_name(call)?).cloned();
        let both = key(self.call, first).zip(key(call, second));
        if both.is_some_and(|(one, other)| one.same_value(&other)) {
            let expected = "another record than that of the first request";
            self.claim(
                scene,
                call,
                (&checks::FOREIGN_PARENT_FOUND, expected),
                second,
                draft,
            );
        }
    }

    fn must_succeed(
        &self,
        scene: &Scene<'_, 'd>,
        call: &Call<'d>,
        exchange: &Exchange,
        draft: &mut Draft,
    ) {
        if is_refusal(exchange) {
            self.claim(
                scene,
                call,
                (&checks::REPEAT_REFUSED, "a success"),
                exchange,
                draft,
            );
        }
    }

    fn claim(
        &self,
        scene: &Scene<'_, 'd>,
        call: &Call<'d>,
        (check, expected): (&'static Check, &str),
        exchange: &Exchange,
        draft: &mut Draft,
    ) {
        let expected = format!("{expected}: {}", self.rule);
        let claim = Claim::new(check, scene.basis(self.fact), expected, describe(exchange));
        scene.differ(draft, call, claim, exchange);
    }
}

/// The exchange, if it succeeded.
fn granted(exchange: Exchange) -> Result<Exchange, String> {
    if succeeded(&exchange) {
        return Ok(exchange);
    }
    let answer = describe(&exchange);
    Err(format!("the first request did not succeed: {answer}"))
}

/// A body whose first property has a value of another type.
fn mistyped(body: &Node) -> Option<Node> {
    let mut wrong = body.clone();
    let name = body.entries().next()?.key.as_str();
    value::put(
        &mut wrong,
        &Pointer::root().join(name),
        value::node(openapi_document::Value::Bool(true)),
    )
    .ok()?;
    Some(wrong)
}

/// A request with a fresh key.
fn keyed<'d>(
    scene: &Scene<'_, 'd>,
    ready: &Ready<'_, 'd>,
    (name, tag): (&str, &str),
) -> Result<Sent, String> {
    let mut sent = scene.compose(ready, tag)?;
    set_key(&mut sent, name, ready.state.fresh.fork(tag).uuid());
    Ok(sent)
}
