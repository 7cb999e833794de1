//! Exact: an amount that a text says must be one of the record that a request is about is refused where it is another one: "`amount`
//! must be the invoice's `amount_due`".

use openapi_document::Pointer;

use crate::checks;
use crate::model::{Call, Role};
use crate::recipe::equal::equals;

use crate::laws::amounts::amount::{self, Amount};
use crate::laws::trial::answered::{succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// Asks for one more and one less than what it must be.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let model = world.model;
    let of_path = call.path_parameters().last().copied();
    let maker = of_path.and_then(|own| model.creator_for(&call.operation, own));
    let kind = match call.role {
        Role::Create => maker?.record()?,
        _ => call.record()?,
    };
    let (name, due) = equals(model, call, kind)?;
    for (index, more) in [1, -1].into_iter().enumerate() {
        let tag = format!("exact-{index}");
        let ready = world.ready(call, &tag).await.ok()?;
        let mut sent = world.compose(&ready, &tag).ok()?;
        let mut json = sent.json.clone()?;
        let own = json.get(name).and_then(Amount::read)?;
        amount::put(&mut json, name, own.with(own.units + more)).ok()?;
        world.put_valid(call, (&mut sent, &ready.call), json)?;
        let exchange = world.send(sent).await;
        if succeeded(&exchange) {
            let expected = format!("a refusal: `{name}` is not `{due}`");
            let at = Pointer::root().join(name);
            let claim = Claim::new(
                &checks::CONSTRAINT_IGNORED,
                Ground::Text,
                expected,
                told(&exchange),
            )
            .at(at);
            world.differ(draft, call, claim, &exchange);
            return Some(());
        }
        world.judge_seen(draft, call, &exchange, |own| matches!(own, 400 | 409 | 422));
    }
    Some(())
}
