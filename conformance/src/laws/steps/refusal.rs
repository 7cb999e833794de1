//! Refusal: an expected refusal must have a documented status, its schema, and the documented code.

use crate::checks;
use crate::exchange::Exchange;
use crate::model::Call;
use crate::prose;

use crate::answered::{describe, status, succeeded};
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft};

/// Claims that a request was accepted, or compares its refusal with the documented one.
pub(crate) fn settle<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (basis, expected): (Basis, String),
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let code = status(exchange);
    if succeeded(exchange) && code != Some(202) {
        let claim = Claim::new(
            &checks::TRANSITION_FORBIDDEN,
            basis,
            expected,
            describe(exchange),
        );
        scene.differ(draft, call, claim, exchange);
    } else if code.is_some_and(|code| is_unknown_refusal(call, code)) {
        let claim = Claim::new(
            &checks::UNDECLARED_STATUS,
            Basis::Responses,
            expected,
            describe(exchange),
        );
        scene.differ(draft, call, claim, exchange);
    }
    scene.judge_seen(draft, call, exchange, |code| matches!(code, 409 | 422));
}

/// Whether a refusal of the content has an undocumented status.
fn is_unknown_refusal(call: &Call<'_>, code: u16) -> bool {
    matches!(code, 400 | 409 | 410 | 412 | 422) && call.operation.response(code).is_none()
}

/// A request without a body can only be refused for the state of its record, so it must have that status.
pub(crate) fn with_its_code<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let responses = call.operation.at.node.get("responses");
    let response_for = |code| responses.and_then(|node| node.get(code));
    let says = response_for("409").map_or((response_for("422"), 422), |item| (Some(item), 409));
    let (Some(response), due) = says else { return };
    let is_other =
        status(exchange).is_some_and(|code| matches!(code, 400 | 409 | 422) && code != due);
    // A request with a body may be refused for its body first, unless a sentence connects the state with the status.
    let code = due.to_string();
    let mut said = call.texts().flat_map(prose::spoken);
    let is_said = status(exchange) == Some(400)
        && said.any(|sentence| {
            prose::has(&sentence, &[&code]) && prose::has(&sentence, &["status", "state"])
        });
    let is_plain = call.body.is_none() && response.reference().is_none();
    if (is_plain || is_said) && is_other {
        let expected = format!("the documented status {due}");
        let claim = Claim::new(
            &checks::STATUS_CODE,
            Basis::Refusal(409),
            expected,
            describe(exchange),
        );
        scene.differ(draft, call, claim, exchange);
    }
}
