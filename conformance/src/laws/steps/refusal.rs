//! Refusal: what has to be refused is, with a documented status, in its form, and with the code that says why.

use crate::checks;
use crate::exchange::Exchange;
use crate::model::Call;
use crate::prose;

use crate::answered::{status, succeeded, told};
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft};
use crate::scene::ground::Ground;

/// Takes down what was granted, and judges the form of the refusal that came.
pub(crate) fn settle<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ground, expected): (Ground, String),
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let code = status(exchange);
    if succeeded(exchange) && code != Some(202) {
        let claim = Claim::new(
            &checks::TRANSITION_FORBIDDEN,
            ground,
            expected,
            told(exchange),
        );
        scene.differ(draft, call, claim, exchange);
    } else if code.is_some_and(|own| is_unknown_refusal(call, own)) {
        let claim = Claim::new(
            &checks::UNDECLARED_STATUS,
            Ground::Responses,
            expected,
            told(exchange),
        );
        scene.differ(draft, call, claim, exchange);
    }
    scene.judge_seen(draft, call, exchange, |own| matches!(own, 409 | 422));
}

/// Whether a refusal of what is asked for, and not of who asks or how often, has a status that is not documented.
fn is_unknown_refusal(call: &Call<'_>, code: u16) -> bool {
    matches!(code, 400 | 409 | 410 | 412 | 422) && call.operation.response(code).is_none()
}

/// A request without a body is refused for nothing but where its record stands: with the code that says so.
pub(crate) fn with_its_code<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let responses = call.operation.at.node.get("responses");
    let of = |code| responses.and_then(|own| own.get(code));
    let says = of("409").map_or((of("422"), 422), |own| (Some(own), 409));
    let (Some(own), due) = says else { return };
    let is_other = status(exchange).is_some_and(|own| matches!(own, 400 | 409 | 422) && own != due);
    // A body that has to be right first is refused otherwise, but where a sentence tells of the state and the code.
    let code = due.to_string();
    let mut said = call.texts().flat_map(prose::spoken);
    let is_said = status(exchange) == Some(400)
        && said.any(|own| prose::has(&own, &[&code]) && prose::has(&own, &["status", "state"]));
    let is_plain = call.body.is_none() && own.reference().is_none();
    if (is_plain || is_said) && is_other {
        let expected = format!("status {due}, which is documented for it");
        let claim = Claim::new(
            &checks::STATUS_CODE,
            Ground::Refusal(409),
            expected,
            told(exchange),
        );
        scene.differ(draft, call, claim, exchange);
    }
}
