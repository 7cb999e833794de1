//! Success: a successful operation must answer as documented, with the values that were sent.

use openapi_document::Node;

use crate::checks;
use crate::exchange::{Exchange, NoAnswer};
use crate::model::Call;
use crate::names;

use crate::answered::{describe, is_conflict, status, succeeded};
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::echo::check_echo;
use crate::scene::effect;
use crate::scene::{Ready, Scene};

/// Words of requests for several records.
const BULK: [&str; 4] = ["bulk", "batch", "multiple", "many"];

/// At most this many values are renewed after a first success.
const RENEWALS: usize = 4;

/// Tests an operation that documents a success.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.success.is_none() {
        return Ok(false);
    }
    let tried = test_call(scene, call, draft).await;
    if tried.is_err() {
        fails(scene, call, draft);
    }
    tried.map(|()| true)
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    let success = call.success.as_ref().ok_or("no success is documented")?;
    let ready = scene.ready(call, "success").await?;
    let mut exchange = scene.call(&ready, "success").await?;
    // The first success may have used up values that must be unique.
    for _ in 0..RENEWALS {
        if !scene.learn(call, &ready, &exchange).await {
            break;
        }
        exchange = scene.call(&ready, "success").await?;
    }
    if is_conflict(&exchange) && may_be_taken(scene, call, (&ready, &exchange))? {
        return Err("it succeeded before, and the value that must be unique is unknown".to_owned());
    }
    if scene.model.wants(call, status(&exchange)) {
        return Err("the resource that it draws from may be too small".to_owned());
    }
    scene.judge(draft, call, &success.response, &exchange);
    check_echo(scene, call, &exchange, draft);
    all_are_answered(scene, call, &exchange, draft);
    effect::check(scene, call, &exchange, draft);
    if let Some(code) = status(&exchange) {
        scene.reach(call, code, draft);
    }
    each_kind(scene, call, &ready, draft).await
}

/// Whether another record may have a value of a refused request that succeeded before: it is the same
/// each time, or the operation does not document the conflict, so that the value is unknown.
fn may_be_taken<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (ready, refused): (&Ready<'_, 'd>, &Exchange),
) -> Result<bool, String> {
    let is_undocumented = status(refused) == Some(409) && call.response(409).is_none();
    Ok(is_undocumented || scene.is_never_new(ready, "success")?)
}

/// Requests of another kind may have other answers, so they are tested, too.
async fn each_kind<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    draft: &mut Draft,
) -> Result<(), String> {
    for (index, step) in scene
        .other_kinds(call, (ready, &ready.call))
        .iter()
        .enumerate()
    {
        let tag = format!("success-kind-{index}");
        let ready = scene.ready(call, &tag).await?;
        let sent = scene.compose_step(&ready, step, &tag)?;
        let exchange = scene.send(sent).await;
        if let (true, Some(success)) = (succeeded(&exchange), &call.success) {
            scene.judge(draft, call, &success.response, &exchange);
            check_echo(scene, call, &exchange, draft);
            effect::check(scene, call, &exchange, draft);
        }
    }
    Ok(())
}

/// Reports a server error if no recipe succeeds. A refusal may have a reason, a server error never does.
fn fails<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, draft: &mut Draft) {
    let Some(exchange) = scene.refused(call) else {
        return;
    };
    let check = match (status(&exchange), &exchange.outcome) {
        (Some(501), _) => &checks::NOT_IMPLEMENTED,
        (Some(500..), _) => &checks::SERVER_ERROR,
        (None, Err(NoAnswer::Timeout(_))) => &checks::NO_ANSWER,
        (None, Err(NoAnswer::Closed(_))) => &checks::CONNECTION_CLOSED,
        _ => return,
    };
    let claim = Claim::new(
        check,
        Basis::Responses,
        "a documented answer",
        describe(&exchange),
    );
    scene.differ(draft, call, claim, &exchange);
}

/// The answer to a request for several records must have one result per record.
fn all_are_answered<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let is_bulk = |text: &str| {
        names::words(text)
            .iter()
            .any(|word| BULK.contains(&word.as_str()))
    };
    let named = is_bulk(call.operation.path) || is_bulk(&call.operation.label());
    let answer = exchange
        .outcome
        .as_ref()
        .ok()
        .filter(|answer| answer.is_success());
    let is_stated = named || answer.is_some_and(|answer| answer.status == 207);
    let (Some(sent), Some(answer), true) = (&exchange.sent.json, answer, is_stated) else {
        return;
    };
    let (Some(requested), Some(observed)) = (only_array(sent), answer.json().and_then(only_array))
    else {
        return;
    };
    if requested == observed {
        return;
    }
    let claim = Claim::new(
        &checks::BULK_DIFFERS,
        Basis::Names,
        format!("{requested} results, one per requested item"),
        format!("{observed} results"),
    );
    scene.differ(draft, call, claim, exchange);
}

/// The number of items in the only array of objects in a body.
fn only_array(body: &Node) -> Option<usize> {
    let is_list = |node: &&Node| {
        let items = node.as_sequence();
        items.is_some_and(|items| items.iter().all(|node| node.as_mapping().is_some()))
    };
    if is_list(&body) {
        return body.as_sequence().map(<[Node]>::len);
    }
    let mut lists = body.entries().map(|entry| &entry.value).filter(is_list);
    let first = lists.next().filter(|_| lists.next().is_none())?;
    first.as_sequence().map(<[Node]>::len)
}
