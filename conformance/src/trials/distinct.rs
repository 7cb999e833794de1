//! Distinct: no two answers may have the same value of a header, and no two items of a request that of a property.

use openapi_document::{Node, Pointer, Value};
use openapi_facts::Fact;
use openapi_facts::rule::Unique;

use crate::answered::{describe, succeeded};
use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Model};
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::place::Place;
use crate::value;

/// Operations with such a response header, or with such a property in a list of their body.
pub(super) fn applies(rule: &Unique, model: &Model<'_>, call: &Call<'_>) -> bool {
    let name = rule.subject.name.as_deref().unwrap_or_default();
    is_header(call, name) || items(model, call, name).is_some()
}

/// Whether a success of an operation documents a header.
fn is_header(call: &Call<'_>, name: &str) -> bool {
    let responses = call.operation.responses();
    let mut successes = responses.iter().filter(|item| item.status.is_success());
    successes.any(|response| {
        let mut headers = response.headers().into_iter();
        headers.any(|(header, _)| header.eq_ignore_ascii_case(name))
    })
}

/// The list in the body whose items have the property.
fn items(model: &Model<'_>, call: &Call<'_>, name: &str) -> Option<Pointer> {
    let Place::Body(at) = Place::of(model.document, call, name)? else {
        return None;
    };
    let names: Vec<String> = at.segments().map(Into::into).collect();
    let index = names.iter().position(|name| name == "0")?;
    let list = names.iter().take(index);
    Some(list.fold(Pointer::root(), |at, name| at.join(name.as_str())))
}

/// Sends several requests, or one with two equal items.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule): (&Fact, &Unique),
    draft: &mut Draft,
) -> Tried {
    let name = rule.subject.name.as_deref().unwrap_or_default();
    let tag = format!("distinct-{name}");
    let ready = scene.ready(call, &tag).await?;
    let mut sent = scene.compose(&ready, &tag)?;
    let list = items(scene.model, call, name);
    let body = list.as_ref().and_then(|at| doubled(sent.json.clone()?, at));
    if let Some(body) = body {
        let put = scene.put_valid(call, (&mut sent, &ready.call), body);
        put.ok_or("the schema already forbids two equal items")?;
        let exchange = scene.send(sent).await;
        if succeeded(&exchange) {
            let expected = format!("a refusal: {rule}");
            let basis = scene.basis(fact);
            let claim = Claim::new(
                &checks::CONSTRAINT_IGNORED,
                basis,
                expected,
                describe(&exchange),
            );
            let at = list.unwrap_or_else(Pointer::root);
            scene.differ(draft, call, claim.at(at), &exchange);
        } else {
            scene.judge_cause(draft, call, fact, &exchange);
        }
        return Ok(true);
    }
    let mut broken = sent.clone();
    broken.json = None;
    broken.body = Some(b"{".to_vec());
    let mut seen: Vec<String> = Vec::new();
    for sent in [sent.clone(), sent, broken.clone(), broken] {
        let exchange = scene.send(sent).await;
        let Some(now) = header(&exchange, name) else {
            continue;
        };
        if seen.contains(&now) {
            let expected = format!("a new `{name}`: {rule}");
            let claim = Claim::new(&checks::KEY_REUSED, scene.basis(fact), expected, now);
            scene.differ(draft, call, claim, &exchange);
            return Ok(true);
        }
        seen.push(now);
    }
    Ok(seen.len() > 1)
}

fn header(exchange: &Exchange, name: &str) -> Option<String> {
    exchange.outcome.as_ref().ok()?.header(name)
}

/// A body whose list has its first item twice.
fn doubled(mut body: Node, at: &Pointer) -> Option<Node> {
    let mut items = body.at(at)?.as_sequence()?.to_vec();
    let first = items.first()?.clone();
    items.truncate(1);
    items.push(first);
    value::put(&mut body, at, value::node(Value::Sequence(items))).ok()?;
    Some(body)
}
