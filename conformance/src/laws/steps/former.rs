//! Former: a step that is said to lead back leads to the state in which its record was before.

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role, names, prose};
use crate::shape::Shape;

use super::{entailed, turned};
use crate::laws::trial::answered::{record_of, status};
use crate::laws::trial::draft::{Claim, Draft, Tried};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};

/// So many ways to the step are tried at most, each with other steps before it.
const MOST: usize = 3;

/// Tries a step whose text says that it leads back.
pub(crate) async fn run<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let mut said = call.texts().flat_map(prose::sentences);
    let leads_back = call.role == Role::Change && said.any(leads_back);
    let turned = turned::look(world, call, draft).await;
    let is_step = call.role == Role::Change;
    let turned = (is_step && entailed::look(world, call, draft).await) || turned;
    if !leads_back || !world.may_write() {
        return Ok(turned);
    }
    of(world, call, draft).await.map(|own| own || turned)
}

async fn of<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = world.ready(call, "former").await?;
    let ways = world.ways(call);
    let mut tried = vec![world.chosen(call).map(|own| &own.changes)];
    let mut looked = look(world, call, &ready, draft).await.is_some();
    for way in ways {
        if tried.contains(&Some(&way.changes)) || tried.len() > MOST || !draft.is_clean() {
            continue;
        }
        tried.push(Some(&way.changes));
        if let Ok(ready) = world.prepare(way, "former-otherwise").await {
            looked |= look(world, call, &ready, draft).await.is_some();
        }
    }
    Ok(looked)
}

/// Takes the step, and compares the state with the one before the last.
async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    draft: &mut Draft,
) -> Option<()> {
    let property = state_of(world, call)?;
    let former = former(world, ready, call, property)?;
    let done = world.call(ready, "former").await.ok()?;
    let record = record_of(call, &done).filter(|own| !world.model.is_moving(own))?;
    let now = record
        .get(property)
        .filter(|_| status(&done) != Some(202))?;
    if now.as_str() != Some(&former) {
        let pointer = Pointer::root().join(property);
        let expected = format!("\"{former}\", which it was before");
        let told = world.shown(call, &pointer, Some(now));
        let claim = Claim::new(&checks::STEP_UNDONE, Ground::Text, expected, told).at(pointer);
        world.differ(draft, call, claim, &done);
    }
    Some(())
}

/// The one property that tells the state of what a call is about.
pub(super) fn state_of<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>) -> Option<&'d str> {
    let shape = Shape::of(world.model.document, call.record().map(|own| &own.schema));
    names::own_state(shape.property_names().into_iter())
}

/// The state that a record was in before the one that it is in now, as far as each step has told it.
fn former<'d>(
    world: &World<'_, '_, '_, 'd>,
    ready: &Ready<'_, 'd>,
    call: &Call<'d>,
    property: &str,
) -> Option<String> {
    let (maker, now) = world.made_before(call, ready)?;
    let name = maker.record()?.key?;
    let key = now.get(name)?;
    let state = now.get(property)?.as_str()?;
    let kept = ready.state.kept.as_deref().unwrap_or_default();
    let told = |exchange: &Exchange| {
        let teller = world.model.call(&exchange.sent.operation)?;
        let record = record_of(teller, exchange)?;
        let is_it = record.get(name).is_some_and(|own| own.same_value(key));
        let own = record.get(property).and_then(Node::as_str);
        own.filter(|_| is_it).map(str::to_owned)
    };
    let mut told = kept.iter().rev().filter_map(told);
    // The last step has led to the state that it is in.
    told.next().filter(|own| own == state)?;
    told.next().filter(|own| own != state)
}

/// Whether a sentence says that a step leads back to the state before.
fn leads_back(text: &str) -> bool {
    const BACK: [&str; 9] = [
        "returns", "return", "returned", "restores", "restored", "back", "reverts", "again",
        "becomes",
    ];
    const DOUBTFUL: [&str; 6] = ["not", "never", "if", "unless", "may", "cannot"];
    let words = names::words(&text.to_lowercase());
    let has = |list: &[&str]| prose::has(&words, list);
    let is_former = words.windows(2).any(|own| {
        let of_state = matches!(own[1].as_str(), "status" | "state");
        matches!(own[0].as_str(), "previous" | "former" | "prior" | "earlier") && of_state
    });
    let at = words
        .iter()
        .position(|own| own == "status" || own == "state");
    let was = |rest: &[String]| prose::has(rest, &["had", "was"]) && prose::has(rest, &["before"]);
    let is_before = at.is_some_and(|at| was(&words[at..words.len().min(at + 7)]));
    has(&BACK) && (is_former || is_before) && !has(&DOUBTFUL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_to_lead_back() {
        for (text, expected) in [
            (
                "Returns a `blocked` card to the status it had before it was blocked, and clears `blockReason`",
                true,
            ),
            ("Restores the previous status of the order", true),
            (
                "The hold goes back to the state that it was in before.",
                true,
            ),
            ("Returns the status of the order.", false),
            ("It is not returned to the status it had before", false),
            ("Shows the previous status", false),
        ] {
            assert_eq!(leads_back(text), expected, "{text}");
        }
    }
}
