//! Refusal: what has to be refused is, with a documented status, in its form, and with the code that says why.

use crate::checks;
use crate::exchange::Exchange;
use crate::laws::requests::told::Told;
use crate::model::Call;
use crate::names;
use crate::prose;

use crate::laws::trial::answered::{status, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// Takes down what was granted, and judges the form of the refusal that came.
pub(crate) fn settle<'d>(
    world: &mut World<'_, '_, '_, 'd>,
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
        world.differ(draft, call, claim, exchange);
    } else if code.is_some_and(|own| is_unknown_refusal(call, own)) {
        let claim = Claim::new(
            &checks::UNDECLARED_STATUS,
            Ground::Responses,
            expected,
            told(exchange),
        );
        world.differ(draft, call, claim, exchange);
    }
    world.judge_seen(draft, call, exchange, |own| matches!(own, 409 | 422));
}

/// Whether a refusal of what is asked for, and not of who asks or how often, has a status that is not documented.
fn is_unknown_refusal(call: &Call<'_>, code: u16) -> bool {
    matches!(code, 400 | 409 | 410 | 412 | 422) && call.operation.response(code).is_none()
}

/// A request without a body is refused for nothing but where its record stands: with the code that says so.
pub(crate) fn with_its_code<'d>(
    world: &World<'_, '_, '_, 'd>,
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
        world.differ(draft, call, claim, exchange);
    }
}

/// A step without a body that is refused for the state of its record is so with the status and the code that a clause tells of any other
/// state: "a charge in any other state is refused with `409` and the code `charge_not_authorized`".
pub(crate) fn as_told_of_others<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (exchange, state): (&Exchange, &str),
    draft: &mut Draft,
) {
    let sentences = call.texts().flat_map(prose::sentences);
    let clauses = sentences.flat_map(|own| own.split([';', ',']));
    let words = |own: &str| names::words(&own.to_lowercase());
    let state = words(state);
    let names_it = |own: &&str| words(own).windows(state.len()).any(|part| part == state);
    let (own, others): (Vec<_>, Vec<_>) = clauses.partition(|own| says_other_state(&words(own)));
    let [clause] = own[..] else { return };
    // What is said of this one state is another refusal.
    let is_apart = others.iter().any(|own| state.is_empty() || names_it(own));
    if call.body.is_none() && !is_apart && !succeeded(exchange) {
        Told::read(world.model, clause).judge(world, call, exchange, draft);
    }
}

/// Whether a clause speaks of all states but those before it.
fn says_other_state(words: &[String]) -> bool {
    let is_other = |own: &[String]| {
        matches!(own[0].as_str(), "other" | "another")
            && matches!(own[1].as_str(), "state" | "status")
    };
    words.windows(2).any(is_other)
        && !words
            .windows(2)
            .any(|own| own[0] == "status" && own[1] == "code")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_of_all_other_states() {
        for (text, expected) in [
            ("A charge in any other state is refused with 409", true),
            ("An order in another status gives 409", true),
            ("Another charge is refused", false),
            ("The state is told", false),
        ] {
            let words = names::words(&text.to_lowercase());
            assert_eq!(says_other_state(&words), expected, "{text}");
        }
    }
}
