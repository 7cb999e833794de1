//! Access: the server must refuse clients that a fact excludes.

use openapi_facts::rule::{Access, Callers};
use openapi_facts::{Evidence, Fact};

use crate::answered::{describe, key_name, record_of, status, succeeded};
use crate::checks;
use crate::exchange::Sent;
use crate::model::{Call, Model, Role};
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::{Ready, Scene};
use crate::secrets::{NEIGHBOUR, READER};
use crate::value;

/// All operations except lists: a list may answer others without the record.
pub(super) fn applies(_: &Access, _: &Model<'_>, call: &Call<'_>) -> bool {
    call.role != Role::List
}

/// Sends the request with the credentials of another client.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule): (&Fact, &Access),
    draft: &mut Draft,
) -> Tried {
    let target = &scene.sender.wire.target;
    let is_owned = rule.only == Callers::Owner;
    let others = if is_owned {
        (&target.neighbour, NEIGHBOUR)
    } else {
        (&target.reader, READER)
    };
    if others.0.is_empty() {
        let whose = if is_owned { "a neighbour" } else { "a reader" };
        return Err(format!("it needs the credentials of {whose}"));
    }
    // A fact does not say which scopes the reader lacks, but a read-only client lacks that of any change.
    if !is_owned && (call.operation.method.is_safe() || fact.evidence() != Evidence::Stated) {
        return Ok(false);
    }
    let ready = scene.ready(call, "access").await?;
    let sent = scene.compose(&ready, "access")?;
    // A record that the run did not create may be public.
    if is_owned && !names_created(scene, &ready, &sent) {
        return Ok(false);
    }
    let foreign = scene.send(sent.by(others.0, others.1)).await;
    let (check, expected) = if is_owned {
        (
            &checks::FOREIGN_PARENT_FOUND,
            format!("a refusal of another client: {rule}"),
        )
    } else {
        (
            &checks::CREDENTIALS_IGNORED,
            format!("a refusal of a read-only client: {rule}"),
        )
    };
    if succeeded(&foreign) {
        // The owner must succeed, or the comparison says nothing.
        let exchange = scene.call(&ready, "access").await?;
        if is_owned && call.role == Role::Read && !succeeded(&exchange) {
            return Err(format!(
                "the owner's call did not succeed: {}",
                describe(&exchange)
            ));
        }
        let claim = Claim::new(check, scene.basis(fact), expected, describe(&foreign));
        scene.differ(draft, call, claim, &foreign);
        return Ok(true);
    }
    let due = rule.status.filter(|due| call.response(*due).is_some());
    let of_caller = status(&foreign).filter(|code| matches!(code, 403 | 404));
    if let Some((due, _)) = due.zip(of_caller).filter(|(due, item)| due != item) {
        let expected = format!("status {due}: {rule}");
        let basis = scene.basis(fact);
        let claim = Claim::new(&checks::STATUS_CODE, basis, expected, describe(&foreign));
        scene.differ(draft, call, claim, &foreign);
    } else {
        scene.judge_seen(draft, call, &foreign, |code| matches!(code, 403 | 404));
    }
    Ok(true)
}

/// Whether the path of a request names a record that an earlier step created.
fn names_created(scene: &Scene<'_, '_>, ready: &Ready<'_, '_>, sent: &Sent) -> bool {
    let mut kept = ready.state.kept.iter().flatten();
    kept.any(|exchange| {
        let created = scene.model.call(&exchange.sent.operation);
        let key = created.and_then(|created| record_of(created, exchange)?.get(key_name(created)?));
        let key = key.map(value::plain);
        key.is_some_and(|key| sent.path_arguments.iter().any(|(_, item)| *item == key))
    })
}
