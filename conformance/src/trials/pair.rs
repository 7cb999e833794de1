//! Pair: the server must accept a request that follows a rule and refuse the same request if it breaks the rule.

use openapi_document::Node;
use openapi_facts::{Evidence, Fact};

use crate::answered::{describe, record_of, status, succeeded};
use crate::checks::{self, Check};
use crate::exchange::Exchange;
use crate::model::Call;
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::place::{Place, Value};
use crate::scene::unchanged::Unchanged;

/// Statuses that refer to the content of a request.
const OF_REQUESTS: [u16; 5] = [400, 402, 404, 409, 422];

/// Two requests; one follows a rule, the other one breaks it.
#[derive(Debug)]
pub(super) struct Pair<'p, 'd> {
    /// The fact with the rule.
    pub(super) fact: &'p Fact,
    /// The status of the refusal, if the fact gives one.
    pub(super) status: Option<u16>,
    /// The check that reports an accepted broken request.
    pub(super) check: &'static Check,
    /// Distinguishes the pair from others of the case.
    pub(super) tag: String,
    /// The place of the finding.
    pub(super) at: &'p Place<'d>,
    /// The values that follow the rule.
    pub(super) kept: Vec<Value<'p, 'd>>,
    /// The values that break the rule.
    pub(super) broken: Vec<Value<'p, 'd>>,
}

/// Sends both requests. A broken request that the schema already forbids is not sent.
pub(super) async fn refuses<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    pair: Pair<'_, 'd>,
    draft: &mut Draft,
) -> Tried {
    let tag = pair.tag.as_str();
    let ready = scene.ready(call, tag).await?;
    let control = scene.altered(call, (&ready, tag), &pair.kept);
    let granted = scene
        .send(control.ok_or("its schema forbids a request that follows the rule")?)
        .await;
    // If the first request fails, the refusal of the second one has no meaning.
    if !succeeded(&granted) {
        let answer = describe(&granted);
        return Err(format!(
            "a request that follows the rule did not succeed: {answer}"
        ));
    }
    let tag = format!("{tag}-broken");
    let ready = scene.ready(call, &tag).await?;
    let Some(sent) = scene.altered(call, (&ready, &tag), &pair.broken) else {
        return Ok(false);
    };
    let before = Unchanged::by(scene, call, (&ready, sent.clone())).await;
    let exchange = scene.send(sent).await;
    if let Some(before) = before {
        before.check(scene, call, &exchange, draft).await;
    }
    let at = pair.at.pointer();
    let basis = scene.basis(pair.fact);
    if succeeded(&exchange) {
        if is_mended(scene, call, &pair, &exchange) {
            return Ok(true);
        }
        let expected = format!("a refusal: {}", pair.fact.rule);
        let claim = Claim::new(pair.check, basis, expected, describe(&exchange));
        scene.differ(draft, call, claim.at(at), &exchange);
        return Ok(true);
    }
    scene.judge_cause(draft, call, pair.fact, &exchange);
    let due = pair.status.filter(|due| call.response(*due).is_some());
    let of_request = status(&exchange).filter(|code| OF_REQUESTS.contains(code));
    match due.zip(of_request) {
        Some((due, code)) if due != code => {
            let expected = format!("status {due}: {}", pair.fact.rule);
            let claim = Claim::new(&checks::STATUS_CODE, basis, expected, describe(&exchange));
            scene.differ(draft, call, claim.at(at), &exchange);
        }
        Some(_) => {
            scene.judge_seen(draft, call, &exchange, |_| true);
        }
        None => scene.judge_refusal(draft, call, &exchange),
    }
    Ok(true)
}

/// Whether the server replaced a value that breaks a rule which was only read.
fn is_mended<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    pair: &Pair<'_, 'd>,
    exchange: &Exchange,
) -> bool {
    let Place::Body(at) = pair.at else {
        return pair.fact.evidence() != Evidence::Stated;
    };
    let shape = pair.at.shape(scene.model.document, call);
    let sent = pair.at.value(&exchange.sent, &shape);
    let now = record_of(call, exchange).and_then(|node: &Node| node.at(at));
    let both = now.zip(sent.as_ref());
    both.is_some_and(|(now, sent)| !crate::value::is_equal(sent, now))
        && pair.fact.evidence() != Evidence::Stated
}
