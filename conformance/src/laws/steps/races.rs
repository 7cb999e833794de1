//! Races: a request that succeeds once in sequence must succeed only once among concurrent requests.

use std::collections::BTreeSet;

use openapi_document::Value;

use crate::checks;
use crate::exchange::Exchange;
use crate::fresh::is_natural_name;
use crate::model::{Call, Role};
use crate::shape::Shape;

use crate::answered::{describe, is_passing, key_name, record_of, status, succeeded};
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::key::{header, may_be_sent_again, set_key};

/// The number of concurrent requests.
const TWINS: usize = 8;

/// The number of rounds, as a race condition shows only sometimes.
const ROUNDS: usize = 2;

/// Tests an operation that creates, changes or deletes a record.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if !scene.may_race() {
        return Ok(false);
    }
    // A deletion may be granted twice, as DELETE is idempotent, unless the owner says otherwise.
    let is_once = matches!(call.role, Role::Create | Role::Change)
        || (call.role == Role::Delete && scene.confirms("races", call));
    if !is_once {
        return Ok(false);
    }
    // Other laws may leave more to collect meanwhile.
    if !scene.model.gathered(call).is_empty() {
        return Ok(false);
    }
    test_call(scene, call, draft).await
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let alone = scene.ready(call, "races-alone").await?;
    let first = scene.call(&alone, "twin").await?;
    let second = scene.call(&alone, "twin").await?;
    if !succeeded(&first) {
        return Ok(false);
    }
    with_one_key(scene, call, draft).await;
    if winners(call, &[first, second]) != 1 {
        return together(scene, call, draft).await;
    }
    for round in 0..ROUNDS {
        let ready = scene.ready(call, &format!("races-{round}")).await?;
        let twins = (0..TWINS).map(|_| scene.compose(&ready, "twin"));
        let twins: Vec<_> = twins.collect::<Result<_, _>>()?;
        let exchanges = scene.send_together(twins).await;
        let won = winners(call, &exchanges);
        if let (Some(last), true) = (
            exchanges.iter().rfind(|exchange| succeeded(exchange)),
            won > 1,
        ) {
            let claim = Claim::new(
                &checks::RACE_WON_TWICE,
                Basis::Names,
                "one success among concurrent requests, as among sequential ones",
                format!("{won} of {TWINS} succeeded"),
            );
            scene.differ(draft, call, claim, last);
            break;
        }
    }
    Ok(true)
}

/// Concurrent requests with one idempotency key must create one record: a client without an answer sends again.
async fn with_one_key<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let name = header(scene, call).filter(|name| may_be_sent_again(call, name))?;
    key_name(call).filter(|_| call.role == Role::Create)?;
    for round in 0..ROUNDS {
        let tag = format!("races-key-{round}");
        let ready = scene.ready(call, &tag).await.ok()?;
        let mut sent = scene.compose(&ready, &tag).ok()?;
        set_key(&mut sent, name, ready.state.fresh.fork(&tag).uuid());
        // Other unique values would hide a second success.
        let mut json = sent.json.clone();
        if let Some(Value::Mapping(mapping)) = json.as_mut().map(|entry| &mut entry.value) {
            let shape = Shape::of(scene.model.document, call.body.as_ref());
            let is_plain = |word: &str| shape.requires(word) || !is_natural_name(word);
            mapping.entries.retain(|entry| is_plain(&entry.key));
        }
        if let Some(json) = json {
            scene.put_json(&mut sent, &ready.call, json);
        }
        let exchanges = scene.send_together(vec![sent; TWINS]).await;
        let created = winners(call, &exchanges);
        if let (Some(last), 2..) = (
            exchanges.iter().rfind(|exchange| succeeded(exchange)),
            created,
        ) {
            let claim = Claim::new(
                &checks::RACE_WON_TWICE,
                Basis::Names,
                format!("one record for concurrent requests with one `{name}`"),
                format!("{created} records"),
            );
            scene.differ(draft, call, claim, last);
            break;
        }
    }
    Some(())
}

/// Concurrent requests that also succeed in sequence must each get a documented answer.
async fn together<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    // A busy server may turn requests away.
    let is_stated = |exchange: &Exchange| {
        let code = status(exchange).unwrap_or_default();
        is_passing(code) || call.operation.response(code).is_some()
    };
    // One lost connection may be due to the load, so an answer must be missing again.
    let mut strange = None;
    for round in 0..2 {
        let ready = scene
            .ready(call, &format!("races-together-{round}"))
            .await?;
        let twins = (0..TWINS).map(|_| scene.compose(&ready, "twin"));
        let twins: Vec<_> = twins.collect::<Result<_, _>>()?;
        let exchanges = scene.send_together(twins).await;
        strange = exchanges.into_iter().find(|exchange| !is_stated(exchange));
        let is_lost = |exchange: &Exchange| status(exchange).is_none();
        if !strange.as_ref().is_some_and(is_lost) {
            break;
        }
    }
    if let Some(strange) = &strange {
        let claim = Claim::new(
            &checks::UNDECLARED_STATUS,
            Basis::Responses,
            "a documented answer to each of the concurrent requests",
            describe(strange),
        );
        scene.differ(draft, call, claim, strange);
    }
    Ok(true)
}

/// The number of successes; the same created record counts once.
fn winners(call: &Call<'_>, exchanges: &[Exchange]) -> usize {
    let granted: Vec<&Exchange> = exchanges
        .iter()
        .filter(|exchange| succeeded(exchange))
        .collect();
    let key = key_name(call).filter(|_| call.role == Role::Create);
    let keys = granted
        .iter()
        .filter_map(|exchange| Some(record_of(call, exchange)?.get(key?)?.to_json()));
    let keys: BTreeSet<String> = keys.collect();
    if keys.is_empty() {
        granted.len()
    } else {
        keys.len()
    }
}
