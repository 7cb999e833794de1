//! Pair: a request that keeps to a rule is granted, and the same request that breaks it is refused.

use openapi_document::Node;
use openapi_facts::{Evidence, Fact};

use crate::answered::{record_of, status, succeeded, told};
use crate::checks::{self, Check};
use crate::exchange::Exchange;
use crate::model::Call;
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::place::{Place, Value};
use crate::scene::untouched::Untouched;

/// Statuses that speak of what a request says.
const OF_REQUESTS: [u16; 5] = [400, 402, 404, 409, 422];

/// Two requests that differ in whether they keep to a rule.
#[derive(Debug)]
pub(super) struct Pair<'p, 'd> {
    /// What says the rule.
    pub(super) fact: &'p Fact,
    /// The status with which it says that others are refused.
    pub(super) status: Option<u16>,
    /// What finds that others are granted.
    pub(super) check: &'static Check,
    /// Tells the pair from others of the case.
    pub(super) tag: String,
    /// Where the finding is.
    pub(super) at: &'p Place<'d>,
    /// What is sent to keep to the rule.
    pub(super) kept: Vec<Value<'p, 'd>>,
    /// What is sent to break it.
    pub(super) broken: Vec<Value<'p, 'd>>,
}

/// Sends both. What the schema forbids already is not tried.
pub(super) async fn refuses<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    pair: Pair<'_, 'd>,
    draft: &mut Draft,
) -> Tried {
    let tag = pair.tag.as_str();
    let ready = scene.ready(call, tag).await?;
    let control = scene.altered(call, (&ready, tag), &pair.kept);
    let granted = scene
        .send(control.ok_or("its schema forbids what keeps to the rule")?)
        .await;
    // Where the one is not granted the other may be refused for anything.
    if !succeeded(&granted) {
        let answer = told(&granted);
        return Err(format!(
            "a request that keeps to the rule was not granted: {answer}"
        ));
    }
    let tag = format!("{tag}-broken");
    let ready = scene.ready(call, &tag).await?;
    let Some(sent) = scene.altered(call, (&ready, &tag), &pair.broken) else {
        return Ok(false);
    };
    let before = Untouched::by(scene, call, (&ready, sent.clone())).await;
    let exchange = scene.send(sent).await;
    if let Some(before) = before {
        before.look(scene, call, &exchange, draft).await;
    }
    let at = pair.at.pointer();
    let ground = scene.ground(pair.fact);
    if succeeded(&exchange) {
        if is_mended(scene, call, &pair, &exchange) {
            return Ok(true);
        }
        let expected = format!("a refusal: {}", pair.fact.rule);
        let claim = Claim::new(pair.check, ground, expected, told(&exchange));
        scene.differ(draft, call, claim.at(at), &exchange);
        return Ok(true);
    }
    let due = pair.status.filter(|due| call.response(*due).is_some());
    let of_request = status(&exchange).filter(|own| OF_REQUESTS.contains(own));
    match due.zip(of_request) {
        Some((due, own)) if due != own => {
            let expected = format!("status {due}: {}", pair.fact.rule);
            let claim = Claim::new(&checks::STATUS_CODE, ground, expected, told(&exchange));
            scene.differ(draft, call, claim.at(at), &exchange);
        }
        Some(_) => {
            scene.judge_seen(draft, call, &exchange, |_| true);
        }
        None => scene.judge_refusal(draft, call, &exchange),
    }
    Ok(true)
}

/// Whether the server has put another value in the place of one that breaks a rule which was only read.
fn is_mended<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    pair: &Pair<'_, 'd>,
    exchange: &Exchange,
) -> bool {
    let Place::Body(at) = pair.at else {
        return pair.fact.evidence() != Evidence::Stated;
    };
    let shape = pair.at.shape(scene.model.document, call);
    let sent = pair.at.value(&exchange.sent, &shape);
    let now = record_of(call, exchange).and_then(|own: &Node| own.at(at));
    let both = now.zip(sent.as_ref());
    both.is_some_and(|(now, sent)| !crate::value::is_equal(sent, now))
        && pair.fact.evidence() != Evidence::Stated
}
