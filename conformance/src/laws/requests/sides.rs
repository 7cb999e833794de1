//! Sides: what is moved goes from one record to another one, where a text says that both must not be the same.

use openapi_document::Pointer;

use crate::checks;
use crate::model::{Call, Role, names, prose};
use crate::value;

use crate::laws::amounts::flow::{Flow, of_part};
use crate::laws::trial::answered::{succeeded, told};
use crate::laws::trial::draft::{Claim, Draft, Tried};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// Words of a refusal of what goes from a record to itself.
const SAME: [&str; 6] = [
    "same",
    "different",
    "distinct",
    "itself",
    "differ",
    "identical",
];

/// Tries an operation whose body names both sides.
pub(crate) async fn run<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.role != Role::Create || call.body.is_none() || !world.may_write() {
        return Ok(false);
    }
    let refusals = [400, 409, 422].into_iter();
    let texts = call
        .texts()
        .chain(refusals.filter_map(|code| call.text_of(code)));
    let mut sentences = texts.flat_map(prose::spoken);
    let is_said = sentences.any(|own| {
        prose::has(&own, &SAME) && prose::has(&own, &["must", "both", "not", "be", "are"])
    });
    if !is_said {
        return Ok(false);
    }
    of(world, call, draft).await.or(Ok(false))
}

async fn of<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = world.ready(call, "sides").await?;
    let mut sent = world.compose(&ready, "sides")?;
    let body = sent.json.clone().ok_or("the call has no JSON body")?;
    let side = |flow: Flow| {
        let is_key = |name: &str| names::subject(name).is_some();
        let mut all = body.entries();
        all.find(|own| of_part(&own.key) == Some(flow) && is_key(&own.key) && !own.value.is_null())
    };
    let (Some(from), Some(to)) = (side(Flow::Out), side(Flow::In)) else {
        return Ok(false);
    };
    let mut json = body.clone();
    let at = Pointer::root().join(to.key.as_str());
    value::put(&mut json, &at, from.value.clone())?;
    let expected = format!("a refusal: `{}` is `{}`", to.key, from.key);
    world.put_json(&mut sent, &ready.call, json);
    let exchange = world.send(sent).await;
    if succeeded(&exchange) {
        let claim = Claim::new(
            &checks::CONSTRAINT_IGNORED,
            Ground::Text,
            expected,
            told(&exchange),
        )
        .at(at);
        world.differ(draft, call, claim, &exchange);
    }
    Ok(true)
}
