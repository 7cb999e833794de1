//! Limits: what a text says to be limited by a property of another record, such as the most that a plan allows, is
//! refused beyond it.

use std::collections::BTreeSet;

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::model::{Call, Role};
use crate::names;
use crate::prose;

use super::untouched::Untouched;
use crate::amount::{self, Amount};
use crate::answered::{record_of, succeeded, told};
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::ground::Ground;
use crate::scene::{Ready, Scene};

/// Words of properties that are the least, and of those that are the most.
const LEAST: [&str; 3] = ["min", "minimum", "least"];
const MOST: [&str; 5] = ["max", "maximum", "most", "limit", "ceiling"];

/// Words of what has to keep to a limit.
const KEEPS_TO: [&str; 14] = [
    "exceed", "exceeds", "exceeded", "less", "least", "more", "most", "between", "below", "above",
    "outside", "within", "than", "reach",
];

/// Words of what is there already and what comes as one, and of what is there.
const TOGETHER: [&str; 3] = ["together", "altogether", "combined"];
const THERE: [&str; 12] = [
    "already",
    "existing",
    "previous",
    "earlier",
    "open",
    "other",
    "others",
    "there",
    "pending",
    "balance",
    "balances",
    "outstanding",
];

/// A limit that the record of a step before the call tells.
struct Limit {
    /// The property that tells it.
    by: String,
    /// The property of the body that is limited.
    of: String,
    /// What is beyond it.
    beyond: Amount,
    /// Whether a text says that it limits what is there already and what comes together.
    is_of_all: bool,
}

/// Tries an operation whose texts name a limit that another record tells.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.role != Role::Create || call.body.is_none() || !scene.may_write() {
        return Ok(false);
    }
    of(scene, call, draft).await.or(Ok(false))
}

async fn of<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let refusals = [422, 409, 400].into_iter();
    let refusals = refusals.filter_map(|code| call.text_of(code));
    let sentences = call.texts().chain(refusals).flat_map(prose::spoken);
    let sentences: Vec<Vec<String>> = sentences.filter(|own| prose::has(own, &KEEPS_TO)).collect();
    if sentences.is_empty() {
        return Ok(false);
    }
    let ready = scene.ready(call, "limits").await?;
    let valid = scene.compose(&ready, "limits")?;
    let body = valid.json.clone().ok_or("the call has no JSON body")?;
    let all = limits(scene, &ready, (&sentences, &body));
    for limit in &all {
        let ready = scene.ready(call, &format!("limits-{}", limit.by)).await?;
        let mut sent = scene.compose(&ready, "limits")?;
        let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
        let at = Pointer::root().join(limit.of.as_str());
        amount::put(&mut json, &limit.of, limit.beyond)?;
        let schema = call.body.as_ref().ok_or("the call has no schema")?;
        if !scene.contract().validate_request(schema, &json)?.is_empty() {
            continue;
        }
        scene.put_json(&mut sent, &ready.call, json);
        let before = Box::pin(Untouched::by(scene, call, (&ready, sent.clone()))).await;
        let exchange = scene.send(sent).await;
        if succeeded(&exchange) {
            let expected = format!("a refusal: `{}` is beyond `{}`", limit.of, limit.by);
            let claim = Claim::new(
                &checks::CONSTRAINT_IGNORED,
                Ground::Text,
                expected,
                told(&exchange),
            )
            .at(at);
            scene.differ(draft, call, claim, &exchange);
            continue;
        }
        scene.judge_seen(draft, call, &exchange, |own| matches!(own, 400 | 409 | 422));
        if let Some(before) = before {
            Box::pin(before.look(scene, call, &exchange, draft)).await;
        }
        if limit.is_of_all && draft.is_clean() {
            together(scene, call, limit, draft).await;
        }
    }
    Ok(!all.is_empty())
}

/// What comes after one that was granted is refused, where both together are beyond the limit.
async fn together<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    limit: &Limit,
    draft: &mut Draft,
) -> Option<()> {
    let ready = scene.ready(call, "limits-together").await.ok()?;
    let first = scene.call(&ready, "limits-first").await.ok()?;
    succeeded(&first).then_some(())?;
    let taken = Amount::read(first.sent.json.as_ref()?.get(&limit.of)?)?;
    let is_alike = taken.places() == limit.beyond.places();
    let rest = limit.beyond.units.checked_sub(taken.units);
    let rest = rest.filter(|own| is_alike && *own > 0)?;
    let mut sent = scene.compose(&ready, "limits-second").ok()?;
    let mut json = sent.json.clone()?;
    amount::put(&mut json, &limit.of, limit.beyond.with(rest)).ok()?;
    scene.put_valid(call, (&mut sent, &ready.call), json)?;
    let second = scene.send(sent).await;
    if succeeded(&second) {
        let expected = format!(
            "a refusal: with the one before it, `{}` is beyond `{}`",
            limit.of, limit.by
        );
        let at = Pointer::root().join(limit.of.as_str());
        let claim = Claim::new(
            &checks::CONSTRAINT_IGNORED,
            Ground::Text,
            expected,
            told(&second),
        )
        .at(at);
        scene.differ(draft, call, claim, &second);
    }
    Some(())
}

/// The limits that records of steps before the call tell, and what is limited by them.
fn limits<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    ready: &Ready<'_, 'd>,
    (sentences, body): (&[Vec<String>], &Node),
) -> Vec<Limit> {
    let kept = ready.state.kept.as_deref().unwrap_or_default();
    let records = kept.iter().filter_map(|exchange| {
        let maker = scene.model.call(&exchange.sent.operation)?;
        record_of(maker, exchange)
    });
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for entry in records.flat_map(Node::entries) {
        let words = names::words(&entry.key);
        let (is_least, is_most) = (prose::has(&words, &LEAST), prose::has(&words, &MOST));
        let limit = Amount::read(&entry.value).filter(|own| own.units > 1);
        let (Some(limit), true) = (limit, is_least != is_most) else {
            continue;
        };
        let names_it = |name: &str, own: &Vec<String>| {
            let words = names::words(name);
            !words.is_empty() && own.windows(words.len()).any(|part| part == words)
        };
        let mut said = sentences.iter().filter(|own| names_it(&entry.key, own));
        let of = said.find_map(|own| {
            let of = limited(body, limit, |name| names_it(name, own))?;
            let is_together = prose::has(own, &TOGETHER) && prose::has(own, &THERE);
            Some((of, is_together))
        });
        let Some((of, is_together)) = of else {
            continue;
        };
        let units = if is_least {
            limit.units - 1
        } else {
            limit.units + 1
        };
        if body.get(&entry.key).is_none() && seen.insert(entry.key.clone()) {
            found.push(Limit {
                by: entry.key.clone(),
                of,
                beyond: limit.with(units),
                is_of_all: is_most && is_together,
            });
        }
    }
    found
}

/// The number of a body that is limited: the one that a sentence names, else the only one.
fn limited(body: &Node, limit: Amount, is_named: impl Fn(&str) -> bool) -> Option<String> {
    let is_like = |own: &Node| Amount::read(own).is_some_and(|own| own.is_of_unit(limit));
    let all = body.entries().filter(|own| is_like(&own.value));
    let all: Vec<&str> = all.map(|own| own.key.as_str()).collect();
    let mut named = all.iter().filter(|name| is_named(name));
    let only = named.next().filter(|_| named.next().is_none());
    match (only, &all[..]) {
        (Some(only), _) | (None, [only]) => Some((*only).to_owned()),
        _ => None,
    }
}
