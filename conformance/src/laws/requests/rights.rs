//! Rights: whoever may only read is refused what changes something, wherever a refusal for want of rights is documented,
//! and it changes nothing.

use openapi_document::Pointer;

use crate::checks;
use crate::model::Call;
use crate::secrets::READER;

use super::untouched::Untouched;
use crate::laws::trial::answered::{succeeded, told};
use crate::laws::trial::draft::{Claim, Draft, Tried};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// Tries an operation with the credentials of the reader.
pub(crate) async fn run<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let reader = &world.sender.wire.target.reader;
    let writes = !call.operation.method.is_safe() && world.may_write();
    let is_documented = call.response(403).is_some();
    if !is_documented || !writes || !call.is_secured() || reader.is_empty() {
        return Ok(false);
    }
    let ready = world.ready(call, "rights").await?;
    let sent = world.compose(&ready, "rights")?;
    let before = Untouched::of(world, call, &ready).await;
    let exchange = world.send(sent.by(reader, READER)).await;
    if succeeded(&exchange) {
        let expected = "status 403: with these credentials one may only read";
        let claim = Claim::new(
            &checks::CREDENTIALS_IGNORED,
            Ground::Status(403),
            expected,
            told(&exchange),
        );
        world.differ(draft, call, claim.at(Pointer::root()), &exchange);
        return Ok(true);
    }
    world.judge_seen(draft, call, &exchange, |own| *own == 403);
    if let (Some(before), true) = (before, draft.is_clean()) {
        before.look(world, call, &exchange, draft).await;
    }
    Ok(true)
}
