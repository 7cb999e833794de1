//! Sealed: a state of which a text says that nothing is changed in it any more: "an archived plan can not be changed any
//! more". A change sets it, and the next one is refused.

use openapi_document::Node;

use crate::collect::request;
use crate::model::{Call, names, prose};
use crate::sample::Extent;
use crate::value;

use super::place::{Place, asking, place};
use super::refusal::settle;

use crate::laws::records::versions::keep_up;
use crate::laws::trial::draft::Draft;
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// Asks for a change in each state that a text says to be the last; whether there is one.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> bool {
    let Some(place) = place(world, call) else {
        return false;
    };
    let noun = call.record().map(|own| names::words(&own.name));
    let noun = noun.and_then(|own| own.last().cloned()).unwrap_or_default();
    let texts = call.overall.into_iter().chain(call.texts());
    let said: Vec<Vec<String>> = texts.flat_map(prose::spoken).collect();
    let is_sealed = |state: &&&'d str| said.iter().any(|own| seals(own, &noun, state));
    let sealed = place.values.iter().filter(is_sealed);
    let sealed: Vec<&'d str> = sealed.copied().collect();
    let mut tried = false;
    for state in sealed {
        tried |= of(world, call, (&place, state), draft).await.is_some();
    }
    tried
}

/// Sets a state, and asks for something else then.
async fn of<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (place, state): (&Place<'d>, &'d str),
    draft: &mut Draft,
) -> Option<()> {
    let tag = format!("sealed-{state}");
    let ready = world.ready(call, &tag).await.ok()?;
    let sent = world.compose(&ready, &tag).ok()?;
    let plain = other(world, call, (place, sent.json.as_ref()))?;
    let sent = asking(world, call, (&ready.call, place, state), sent)?;
    let led = world.send(sent).await;
    place.is_told(call, &led, state).then_some(())?;
    let mut sent = world.compose(&ready, &format!("{tag}-then")).ok()?;
    world.put_valid(call, (&mut sent, &ready.call), plain)?;
    keep_up(&mut sent, &led);
    let exchange = world.send(sent).await;
    let expected = format!("a refusal, as documented: the record is {state}");
    settle(
        world,
        call,
        (Ground::Refusal(409), expected),
        &exchange,
        draft,
    );
    Some(())
}

/// A change that sets no state: the request as it is, an example, or what is made up, without it.
fn other<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (place, own): (&Place<'d>, Option<&Node>),
) -> Option<Node> {
    let contract = world.contract();
    let keys = request::keys(&call.operation).into_iter();
    let shown = keys.filter_map(|key| {
        let body = request::body(contract, &call.operation, Some(key)).ok()??;
        body.value.plain().cloned()
    });
    let made = request::invented_body(contract, &call.operation, Extent::Full);
    let made = made.and_then(|own| own.value.plain().cloned());
    let mut all = own.cloned().into_iter().chain(shown).chain(made);
    let schema = call.body.as_ref()?;
    all.find_map(|mut json| {
        value::remove(&mut json, place.asked);
        let has_any = json.entries().next().is_some();
        let found = contract.validate_request(schema, &json);
        (has_any && found.is_ok_and(|own| own.is_empty())).then_some(json)
    })
}

/// Whether a sentence says that nothing of a kind of record is changed in a state: `an archived plan can not be changed any
/// more`, `a terminated card takes no change at all`.
fn seals(words: &[String], noun: &str, state: &str) -> bool {
    const CHANGE: [&str; 8] = [
        "change", "changes", "changed", "updated", "modified", "edited", "altered", "update",
    ];
    const DOUBTFUL: [&str; 8] = [
        "only", "unless", "until", "if", "except", "while", "may", "before",
    ];
    // `The price of an archived plan` is not the plan.
    let of_state = words.windows(2).enumerate().any(|(at, own)| {
        let before = &words[at.saturating_sub(2)..at];
        let is_state = own[0].eq_ignore_ascii_case(state);
        is_state && names::singular(&own[1]) == noun && !prose::has(before, &["of", "in", "for"])
    });
    let has = |list: &[&str]| prose::has(words, list);
    let can_not = words
        .windows(2)
        .any(|own| own[0] == "can" && own[1] == "not");
    let is_never = can_not || has(&["cannot", "never"]);
    let takes_none = words.windows(2).any(|own| {
        own[0] == "no" && matches!(own[1].as_str(), "change" | "changes" | "update" | "updates")
    });
    // `Every change to it is refused`
    let refuses_each = has(&["every", "each", "any"]) && has(&["refused", "rejected"]);
    if of_state && refuses_each && has(&["change", "changes"]) && !has(&DOUBTFUL) {
        return true;
    }
    // What is said of one property is not said of all.
    let is_part = has(&["its", "whose", "back", "to"]) && !has(&["more", "all"]);
    of_state && ((is_never && has(&CHANGE)) || takes_none) && !has(&DOUBTFUL) && !is_part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_that_nothing_is_changed_in() {
        for (text, expected) in [
            (
                "An archived plan stays readable and can not be changed any more",
                true,
            ),
            (
                "An archived plan takes no change at all (409 `plan_archived`)",
                true,
            ),
            ("An archived plan cannot be updated", true),
            (
                "An archived plan is final: every change to it is refused with `409`",
                true,
            ),
            ("An archived plan never changes again", true),
            ("An archived plan cannot be changed to active", false),
            ("The price of a plan cannot be changed", false),
            ("The price of an archived plan cannot be changed", false),
            ("An archived plan can be changed", false),
            ("An archived plan takes no new subscriptions", false),
            (
                "An archived plan cannot be changed unless it is free",
                false,
            ),
        ] {
            let said = prose::spoken(text);
            let found = said.iter().any(|own| seals(own, "plan", "archived"));
            assert_eq!(found, expected, "{text}");
        }
    }
}
