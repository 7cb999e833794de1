//! Rights: a read-only client must be refused a change where 403 is documented, and the change must have no effect.

use openapi_document::Pointer;

use crate::checks;
use crate::model::Call;
use crate::secrets::READER;

use crate::answered::{describe, succeeded};
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::unchanged::Unchanged;

/// Tests an operation with the reader's credentials.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let reader = &scene.sender.wire.target.reader;
    let writes = !call.operation.method.is_safe() && scene.may_write();
    let is_documented = call.response(403).is_some();
    if !is_documented || !writes || !call.operation.requires_credentials() || reader.is_empty() {
        return Ok(false);
    }
    let ready = scene.ready(call, "rights").await?;
    let sent = scene.compose(&ready, "rights")?;
    let before = Unchanged::of(scene, call, &ready).await;
    let exchange = scene.send(sent.by(reader, READER)).await;
    if succeeded(&exchange) {
        let expected = "status 403, as these credentials are read-only";
        let claim = Claim::new(
            &checks::CREDENTIALS_IGNORED,
            Basis::Status(403),
            expected,
            describe(&exchange),
        );
        scene.differ(draft, call, claim.at(Pointer::root()), &exchange);
        return Ok(true);
    }
    scene.judge_seen(draft, call, &exchange, |code| *code == 403);
    if let (Some(before), true) = (before, draft.is_clean()) {
        before.check(scene, call, &exchange, draft).await;
    }
    Ok(true)
}
