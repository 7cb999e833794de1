//! Whatever is asked for, the answer is as the schema of its status says: also where a law looked for something
//! else in it.

use spec::document::{MediaType, Status};

use crate::model::Call;

use crate::laws::trial::draft::{Draft, Tried};
use crate::laws::trial::world::World;

/// So many ways are gone at most to get an answer where nobody else has asked for one.
const WAYS: usize = 3;

/// Tries an operation with an answer whose schema is documented; when all others were tried.
pub(crate) async fn run<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if !has_form(call) {
        return Ok(false);
    }
    let operation = call.operation.label();
    if !world.sender.account.forms().has_held(&operation) {
        ask(world, call).await;
    }
    let odd = world.sender.account.forms().untold(&operation);
    for odd in odd {
        let mut difference = odd.difference;
        if odd.sent.case != draft.id() {
            difference.actual = format!("{} (asked by `{}`)", difference.actual, odd.sent.case);
        }
        world.add(draft, vec![difference], &odd.sent);
    }
    if !world.sender.account.forms().has_held(&operation) {
        return Err("no answer came that is documented as JSON".to_owned());
    }
    Ok(true)
}

/// Whether some answer is documented, for its very status, as JSON of a schema.
fn has_form(call: &Call<'_>) -> bool {
    let is_form = |own: &MediaType<'_>| own.is_json() && own.schema().is_some();
    let responses = call.operation.responses();
    let mut exact = responses
        .iter()
        .filter(|own| matches!(own.status, Status::Code(_)));
    exact.any(|own| own.content().iter().any(is_form))
}

/// Gets an answer.
async fn ask<'d>(world: &mut World<'_, '_, '_, 'd>, call: &Call<'d>) {
    if !world.may_write() && !call.operation.method.is_safe() {
        return;
    }
    for way in world.ways(call).into_iter().take(WAYS) {
        if let Ok(ready) = world.prepare(way, "answers").await {
            // What it is answered is held wherever it is answered.
            let _ = world.call(&ready, "answers").await;
        }
    }
}
