//! Undone: a step that a text leads from records of which something has not been done is refused once it has: "an order of
//! which nothing has been captured; any other is refused".

use crate::model::{Call, Role, names, prose};

use super::barred::{attempt_after, step_on};
use crate::laws::trial::answered::{status, succeeded};
use crate::laws::trial::draft::Draft;
use crate::laws::trial::world::World;

/// So many other steps are taken at most.
const MOST: usize = 4;

/// Takes the step after each other one that must not have come before it; whether any had.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> bool {
    let said: Vec<Vec<String>> = call.spoken();
    let is_refused = |own: &Vec<String>| prose::has(own, &["409", "422", "refused", "conflict"]);
    if !said.iter().any(is_refused) {
        return false;
    }
    let bars = |own: &&Call<'d>| {
        let posts = matches!(own.role, Role::Create | Role::Change);
        let label = own.operation.label();
        let is_other = posts && label != call.operation.label() && world.covers(own);
        is_other && said.iter().any(|words| says_undone(words, own))
    };
    let others = world.model.calls.iter().filter(bars).take(MOST);
    let others: Vec<Call<'d>> = others.cloned().collect();
    let mut tried = false;
    for (index, other) in others.iter().enumerate() {
        let tag = format!("undone-{}-{index}", call.operation.label());
        let Ok(ready) = world.ready(other, &tag).await else {
            continue;
        };
        let Some(step) = step_on(world, call, &ready) else {
            continue;
        };
        let Ok(done) = world.call(&ready, "undone").await else {
            continue;
        };
        if !succeeded(&done) || status(&done) == Some(202) {
            continue;
        }
        let state = format!("one that `{}` has been done to", other.operation.label());
        let with = (&ready, &step, state.as_str());
        tried |= attempt_after(world, call, with, &done, draft)
            .await
            .is_some();
    }
    tried
}

/// Whether a sentence says that nothing of what an operation does has been done: `nothing captured and nothing shipped`.
fn says_undone(words: &[String], other: &Call<'_>) -> bool {
    let verbs = names::words(&other.about);
    let verbs = verbs.last().map(|own| names::verbs(own));
    says_nothing(words, &verbs.unwrap_or_default())
}

fn says_nothing(words: &[String], verbs: &[String]) -> bool {
    const BETWEEN: [&str; 6] = ["has", "have", "been", "was", "is", "yet"];
    let nothing = words.iter().enumerate().filter(|own| own.1 == "nothing");
    nothing.into_iter().any(|(at, _)| {
        let mut rest = words[at + 1..].iter();
        let next = rest.find(|own| !BETWEEN.contains(&own.as_str()));
        next.is_some_and(|own| verbs.iter().any(|verb| names::is_done(own, verb)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_not_been_done() {
        let text = "Cancels an order of which nothing has been captured and nothing shipped";
        let words = names::words(text);
        for (noun, expected) in [("capture", true), ("shipment", true), ("refund", false)] {
            assert_eq!(
                says_nothing(&words, &names::verbs(noun)),
                expected,
                "{noun}"
            );
        }
        let words = names::words("Nothing is left; it was captured");
        assert!(!says_nothing(&words, &names::verbs("capture")));
    }
}
