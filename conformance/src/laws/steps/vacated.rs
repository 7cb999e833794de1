//! Vacated: what has to be unique among records that are not in a state is free once its record is in it: "unique among
//! payments that are not `voided`", "the number of a `closed` account may be used again".

use openapi_document::view::Method;
use openapi_document::{Node, Pointer};

use crate::checks;
use crate::model::{Call, Role, names, prose};
use crate::shape::Shape;

use super::clashes::{make_with, scope};
use super::place::{asking, place};
use crate::laws::trial::answered::{record_of, status, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// So many operations are tried until one has led to a state.
const MOST: usize = 4;

/// Makes a record with the value of one that is in such a state.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    property: &str,
    draft: &mut Draft,
) -> Option<()> {
    for state in said(world, call, property, leaves_free) {
        let Some(own) = vacated(world, call, (property, state)).await else {
            continue;
        };
        let tag = format!("clashes-vacated-{state}");
        let made = make_with(world, call, (property, own), &tag).await.ok()?;
        if status(&made) == Some(409) {
            let expected = format!("a success: what has this `{property}` is {state}");
            let claim = Claim::new(&checks::VALID_REFUSED, Ground::Text, expected, told(&made));
            let claim = claim.at(Pointer::root().join(property));
            world.differ(draft, call, claim, &made);
        }
    }
    // Within which records it is taken then, the text may leave open.
    let is_within = scope(world, call, property).is_some();
    let free = said(world, call, property, leaves_free);
    let mut kept = said(world, call, property, keeps_taken);
    kept.retain(|own| !is_within && !free.contains(own));
    for state in kept {
        let Some(own) = vacated(world, call, (property, state)).await else {
            continue;
        };
        let tag = format!("clashes-kept-{state}");
        let made = make_with(world, call, (property, own), &tag).await.ok()?;
        if succeeded(&made) {
            let expected =
                format!("a refusal: what has this `{property}` is {state}, and keeps it");
            let claim = Claim::new(&checks::KEY_REUSED, Ground::Text, expected, told(&made));
            let claim = claim.at(Pointer::root().join(property));
            world.differ(draft, call, claim, &made);
        }
    }
    Some(())
}

/// The value of a record that was led to a state.
async fn vacated<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (property, state): (&str, &str),
) -> Option<Node> {
    let kind = call.record()?;
    let is_of_kind = |own: &&Call<'d>| {
        let leads = matches!(own.operation.method, Method::Post | Method::Patch);
        leads && own.record().is_some_and(|own| own.is(kind)) && world.covers(own)
    };
    let mut steps: Vec<&Call<'d>> = world.model.of(Role::Change).filter(is_of_kind).collect();
    // A step that is called after the state leads there rather than others.
    steps.sort_by_key(|own| !names::is_done(state, &own.about));
    for step in steps.into_iter().take(MOST) {
        let tag = format!("clashes-{state}");
        let Ok(ready) = world.ready(step, &tag).await else {
            continue;
        };
        let sent = world.compose(&ready, &tag).ok()?;
        let sets = place(world, step).filter(|own| own.values.contains(&state));
        let sent = match sets {
            Some(place) => asking(world, step, (&ready.call, &place, state), sent),
            None => Some(sent),
        };
        let Some(sent) = sent else { continue };
        let led = world.send(sent).await;
        let mut told = record_of(step, &led).into_iter().flat_map(Node::entries);
        let is_there =
            told.any(|own| names::tells_state(&own.key) && own.value.as_str() == Some(state));
        let label = call.operation.label();
        let mut kept = ready.state.kept.iter().flatten();
        let made = kept.find(|own| own.sent.operation == label);
        let own = made.and_then(|own| own.sent.json.as_ref()?.get(property));
        if let Some(own) = own.filter(|_| is_there && status(&led) != Some(202)) {
            return Some(own.clone());
        }
    }
    None
}

/// The states of which the sentences about a property say something.
fn said<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    property: &str,
    says: impl Fn(&str, &[&'d str]) -> Vec<&'d str>,
) -> Vec<&'d str> {
    let document = world.model.document;
    let record = Shape::of(document, call.record().map(|own| &own.schema));
    let states = record.property_names().into_iter();
    let states = states.filter(|own| names::tells_state(own));
    let states: Vec<&'d str> = states
        .flat_map(|own| record.property(document, own).known_values())
        .collect();
    let own = Shape::of(document, call.body.as_ref()).property(document, property);
    let own = own.keyword("description").and_then(Node::as_str);
    let own = own.into_iter().flat_map(prose::sentences);
    let texts = call.texts().chain(call.text_of(409));
    let general = texts.flat_map(prose::sentences).filter(|own| {
        let words = names::words(own);
        let goes_on = words.first().is_some_and(|own| own == "it");
        goes_on || prose::speaks_of(&words, property) || is_meant(&words, property)
    });
    let mut found: Vec<&'d str> = Vec::new();
    for state in own.chain(general).flat_map(|own| says(own, &states)) {
        if !found.contains(&state) {
            found.push(state);
        }
    }
    found
}

/// Whether words mean a property by the last of its own, or what an e-mail has: `the address of a closed account`.
fn is_meant(words: &[String], property: &str) -> bool {
    let own = names::words(property);
    let last = own.last().filter(|_| own.len() > 1);
    let is_address = own
        .iter()
        .any(|own| matches!(own.as_str(), "email" | "mail"));
    last.is_some_and(|last| words.contains(last)) || (is_address && prose::has(words, &["address"]))
}

/// The states of records of which a sentence says that they keep what they have: `a reference that any account has had, closed ones
/// included, is refused`.
fn keeps_taken<'s>(sentence: &str, states: &[&'s str]) -> Vec<&'s str> {
    const TAKEN: [&str; 6] = ["unique", "taken", "used", "reused", "409", "refused"];
    const TOO: [&str; 5] = ["included", "including", "even", "also", "still"];
    const OPEN: [&str; 14] = [
        "if",
        "unless",
        "until",
        "may",
        "can",
        "not",
        "except",
        "again",
        "free",
        "available",
        "only",
        "when",
        "after",
        "no",
    ];
    let words = names::words(&sentence.to_lowercase());
    if !prose::has(&words, &TAKEN) || !prose::has(&words, &TOO) || prose::has(&words, &OPEN) {
        return Vec::new();
    }
    let is_said = |state: &&&'s str| {
        let own = names::words(&state.to_lowercase());
        !own.is_empty() && words.windows(own.len()).any(|part| part == own)
    };
    states.iter().filter(is_said).copied().collect()
}

/// The states of records that a sentence leaves out of those among which something is unique, or says to leave it free.
fn leaves_free<'s>(sentence: &str, states: &[&'s str]) -> Vec<&'s str> {
    const OPEN: [&str; 10] = [
        "if",
        "unless",
        "until",
        "even",
        "whatever",
        "regardless",
        "never",
        "cannot",
        "after",
        "only",
    ];
    let words = names::words(&sentence.to_lowercase());
    if prose::has(&words, &OPEN) {
        return Vec::new();
    }
    let place = |word: &str| words.iter().position(|own| own == word);
    let not = place("not");
    let among = place("unique")
        .zip(not)
        .filter(|(unique, not)| unique < not);
    let pairs = [["used", "again"], ["free", "again"], ["be", "reused"]];
    let mut windows = words.windows(2);
    let is_free = not.is_none() && windows.any(|own| pairs.iter().any(|pair| own == *pair));
    let rest = match among {
        // What else is said goes on with other words.
        Some((_, not)) => {
            let rest = words[not + 1..].iter();
            let is_state = |own: &&String| {
                let mut all = states.iter().flat_map(|all| names::words(all));
                matches!(own.as_str(), "or" | "nor" | "and") || all.any(|all| all == **own)
            };
            rest.take_while(is_state).cloned().collect()
        }
        None if is_free => words,
        None => Vec::new(),
    };
    let has = |state: &&&'s str| {
        let own = names::words(&state.to_lowercase());
        rest.windows(own.len().max(1)).any(|part| part == own)
    };
    states.iter().filter(has).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_that_keep_something() {
        for (text, expected) in [
            (
                "A reference that has been used by any account, `closed` accounts included, is refused",
                vec!["closed"],
            ),
            ("It is unique, also among `closed` ones", vec!["closed"]),
            ("Unique among accounts that are not `closed`", vec![]),
            (
                "The reference of a `closed` account may be used again",
                vec![],
            ),
            ("A `closed` account is included in lists", vec![]),
            (
                "The code of a `closed` account is also free to be used again",
                vec![],
            ),
        ] {
            assert_eq!(keeps_taken(text, &["open", "closed"]), expected, "{text}");
        }
    }

    #[test]
    fn states_that_leave_something_free() {
        let states = ["open", "paid", "voided", "failed"];
        for (text, expected) in [
            (
                "it is unique among payments that are not `voided` (`409` `duplicate`)",
                vec!["voided"],
            ),
            (
                "Unique among orders that are not voided or failed",
                vec!["voided", "failed"],
            ),
            (
                "The reference of a `voided` payment may be used again",
                vec!["voided"],
            ),
            (
                "The address of a voided order may be used again for a new one.",
                vec!["voided"],
            ),
            ("It is unique among payments", vec![]),
            ("It is unique, also among `voided` ones", vec![]),
            (
                "It is unique among those not older than a `paid` one",
                vec![],
            ),
            (
                "The reference of a `voided` payment is not free again",
                vec![],
            ),
            ("Unique even among payments that are not `voided`", vec![]),
            ("The reference of a `voided` payment is kept", vec![]),
            ("The reference of an `open` payment is free text", vec![]),
        ] {
            assert_eq!(leaves_free(text, &states), expected, "{text}");
        }
    }
}
