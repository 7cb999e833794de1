//! Neighbour: another tenant must not find, change or use the records of the run.

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role};
use crate::secrets::NEIGHBOUR;
use crate::value;

use crate::answered::{describe, items_of, key_name, record_of, succeeded};
use crate::laws::lists::filling;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft};
use crate::scene::unchanged::Unchanged;
use crate::scene::{Ready, Scene};

/// Tests an operation with the neighbour's credentials.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    match call.role {
        Role::List => list(scene, call, draft).await,
        Role::Read | Role::Change | Role::Delete | Role::Create => one(scene, call, draft).await,
        Role::Other => Ok(false),
    }
}

/// The same request with the neighbour's credentials.
fn by_neighbour(scene: &Scene<'_, '_>, sent: &Sent) -> Sent {
    sent.by(&scene.sender.wire.target.neighbour, NEIGHBOUR)
}

async fn one<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene.ready(call, "neighbour").await?;
    let sent = scene.compose(&ready, "neighbour")?;
    // A record that the run did not create may be public.
    if !names_created(scene, &ready, &sent) {
        return Ok(false);
    }
    let before = match call.role {
        Role::Change | Role::Delete => Unchanged::of(scene, call, &ready).await,
        _ => None,
    };
    let other = by_neighbour(scene, &sent);
    let exchange = scene.send(other).await;
    if succeeded(&exchange) {
        found(scene, call, &exchange, draft);
        return Ok(true);
    }
    scene.judge_seen(draft, call, &exchange, |code| matches!(code, 403 | 404));
    if let (Some(before), true) = (before, draft.is_clean()) {
        before.check(scene, call, &exchange, draft).await;
    }
    Ok(true)
}

/// Whether a request names a record that an earlier step created.
fn names_created(scene: &Scene<'_, '_>, ready: &Ready<'_, '_>, sent: &Sent) -> bool {
    let kept = ready.state.kept.as_deref().unwrap_or_default();
    let keys = kept.iter().filter_map(|exchange| {
        let call = scene.model.call(&exchange.sent.operation)?;
        let key = record_of(call, exchange)?.get(key_name(call)?)?;
        Some(value::plain(key))
    });
    let keys: Vec<String> = keys.collect();
    let is_created = |text: &str| keys.iter().any(|item| item == text);
    let in_path = sent.path_arguments.iter().any(|(_, item)| is_created(item));
    let body = sent.json.iter().flat_map(Node::entries);
    in_path
        || body
            .into_iter()
            .any(|entry| is_created(&value::plain(&entry.value)))
}

/// The same page of a list must show the neighbour other records.
async fn list<'d>(
    scene: &mut Scene<'_, 'd>,
    list: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let (record, with) = filling::filled(scene, list, "neighbour", 1).await?;
    let Some(key) = key_name(list) else {
        return Ok(false);
    };
    let sent = scene.compose_read(list, &record, &with, &[])?;
    let other = by_neighbour(scene, &sent);
    let exchange = scene.send(sent).await;
    let foreign = scene.send(other).await;
    let keys = |exchange: &Exchange| -> Vec<String> {
        let items = items_of(list, exchange).unwrap_or_default().iter();
        items
            .filter_map(|node| Some(node.get(key)?.to_json()))
            .collect()
    };
    let known = keys(&exchange);
    if keys(&foreign).iter().any(|key| known.contains(key)) {
        found(scene, list, &foreign, draft);
    }
    Ok(!known.is_empty())
}

fn found<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, exchange: &Exchange, draft: &mut Draft) {
    let expected = "no record that was created with other credentials";
    let claim = Claim::new(
        &checks::FOREIGN_PARENT_FOUND,
        Basis::Names,
        expected,
        describe(exchange),
    )
    .at(Pointer::root());
    scene.differ(draft, call, claim, exchange);
}
