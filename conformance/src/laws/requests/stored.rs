//! Stored: what is kept under the key of a request. A repeat is answered as the first was, also when the record has changed
//! since; and what others sent, or was sent elsewhere, has keys of its own, where a text says so.

use spec::document::Method;

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role, prose};
use crate::secrets::NEIGHBOUR;

use super::key::{header, set_key};
use crate::laws::trial::answered::{own_key, record_of, status, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::world::World;

/// So many steps are tried until one has changed the record.
const STEPS: usize = 3;

/// Looks at each of these where a text tells of it.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    name: &str,
    draft: &mut Draft,
) {
    let parameters = call.operation.parameters();
    let own = parameters
        .iter()
        .filter_map(|own| own.at.node.get("description")?.as_str());
    let texts = own.chain(call.texts()).chain(call.overall);
    let said: Vec<Vec<String>> = texts.flat_map(prose::spoken).collect();
    if said.iter().any(|own| tells_the_first(own)) {
        later(world, call, name, draft).await;
    }
    if said.iter().any(|own| are_apart(own, &OWNERS)) {
        of_neighbour(world, call, name, draft).await;
    }
    if said.iter().any(|own| are_apart(own, &PLACES)) {
        elsewhere(world, call, name, draft).await;
    }
}

/// Words of whose keys are told apart.
const OWNERS: [&str; 5] = ["account", "tenant", "merchant", "client", "customer"];

/// Words of where keys are told apart.
const PLACES: [&str; 5] = ["path", "endpoint", "operation", "route", "url"];

/// Whether a sentence says that a repeat is told what was answered first, and not what is so now.
fn tells_the_first(sentence: &[String]) -> bool {
    const AGAIN: [&str; 8] = [
        "repeat",
        "repeats",
        "repeated",
        "repeating",
        "replay",
        "replays",
        "replayed",
        "again",
    ];
    const OPEN: [&str; 5] = ["may", "if", "current", "currently", "now"];
    let joined = sentence.join(" ");
    let is_first = [
        "as it was",
        "stored answer",
        "stored response",
        "original response",
        "original answer",
    ]
    .iter()
    .any(|own| joined.contains(own));
    is_first && prose::has(sentence, &AGAIN) && !prose::has(sentence, &OPEN)
}

/// Whether a sentence says that keys are those of an owner, or of a place.
fn are_apart(sentence: &[String], of: &[&str]) -> bool {
    const BELONG: [&str; 4] = ["belong", "belongs", "scoped", "per"];
    prose::has(sentence, &["key", "keys"])
        && prose::has(sentence, &BELONG)
        && prose::has(sentence, of)
        && !prose::has(sentence, &["not", "may", "if", "regardless"])
}

/// A new request with a key of its own.
async fn with_key<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (name, tag): (&str, &str),
) -> Option<(Sent, String)> {
    let ready = world.ready(call, tag).await.ok()?;
    let mut sent = world.compose(&ready, tag).ok()?;
    let key = ready.state.fresh.fork(tag).uuid();
    set_key(&mut sent, name, key.clone());
    Some((sent, key))
}

/// When the record has changed, the repeat still tells of it as it was.
async fn later<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    name: &str,
    draft: &mut Draft,
) -> Option<()> {
    let kind = call.record()?;
    let changes = |own: &&Call<'d>| {
        let needs_body = own
            .operation
            .request_body()
            .is_some_and(|body| body.required());
        let is_of_kind = own.record().is_some_and(|own| own.is(kind));
        own.operation.method == Method::Post && is_of_kind && !needs_body
    };
    let steps: Vec<Call<'d>> = world
        .model
        .of(Role::Change)
        .filter(changes)
        .take(STEPS)
        .cloned()
        .collect();
    let (sent, _) = with_key(world, call, (name, "stored-later")).await?;
    let first = world.send(sent.clone()).await;
    let made = record_of(call, &first)?.clone();
    for step in steps {
        let Ok(change) = world.compose_read(&step, &made, &sent, &[]) else {
            continue;
        };
        let changed = world.send(change).await;
        let now = record_of(&step, &changed).filter(|own| !own.same_value(&made));
        if now.is_none() {
            continue;
        }
        let again = world.send(sent).await;
        let told = record_of(call, &again)?;
        if !told.same_value(&made) {
            let apart = world.apart(call, &made, told);
            let at = apart.first().map(|own| own.pointer.clone())?;
            let what = step.operation.label();
            let expected = format!("the answer to the first request, though `{what}` came since");
            let claim = Claim::new(
                &checks::REPEAT_MADE_ANOTHER,
                expected,
                "the record as it is now",
            );
            world.differ(draft, call, claim.at(at), &again);
        }
        return Some(());
    }
    None
}

/// Another one's request with the same key is a new one.
async fn of_neighbour<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    name: &str,
    draft: &mut Draft,
) -> Option<()> {
    // What a record of the path is under, the neighbour does not find.
    let is_open = call.path_parameters().is_empty();
    let headers = world.sender.wire.target.neighbour.clone();
    (is_open && !headers.is_empty()).then_some(())?;
    let (sent, own) = with_key(world, call, (name, "stored-own")).await?;
    let (other, _) = with_key(world, call, (name, "stored-neighbour")).await?;
    // What else the body names may be nobody else's: alone it has to be granted.
    let control = world.send(other.by(&headers, NEIGHBOUR)).await;
    let first = world.send(sent).await;
    (succeeded(&control) && succeeded(&first)).then_some(())?;
    let (mut other, _) = with_key(world, call, (name, "stored-neighbour-key")).await?;
    set_key(&mut other, name, own);
    let exchange = world.send(other.by(&headers, NEIGHBOUR)).await;
    is_new(world, call, (&first, &exchange), draft)
}

/// A request to another path with the same key is a new one.
async fn elsewhere<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    name: &str,
    draft: &mut Draft,
) -> Option<()> {
    let label = call.operation.label();
    let others = world.model.of(Role::Create);
    let mut others = others.filter(|own| own.operation.label() != label && header(own).is_some());
    let other = others.next()?.clone();
    let (sent, own) = with_key(world, call, (name, "stored-own-path")).await?;
    let first = world.send(sent).await;
    // With a key of its own it has to be granted.
    let there = header(&other)?;
    // Others may try the same path, and what is new in a request is new for each of them.
    let tag = format!("stored-{label}-control");
    let (control, _) = with_key(world, &other, (there, &tag)).await?;
    let control = world.send(control).await;
    (succeeded(&first) && succeeded(&control)).then_some(())?;
    let tag = format!("stored-{label}-path");
    let (mut second, _) = with_key(world, &other, (there, &tag)).await?;
    set_key(&mut second, there, own);
    let exchange = world.send(second).await;
    if !succeeded(&exchange) && matches!(status(&exchange), Some(409 | 422)) {
        let expected = format!("a success: `{label}` has keys of its own");
        let claim = Claim::new(&checks::REPEAT_REFUSED, expected, told(&exchange));
        world.differ(draft, call, claim, &exchange);
    }
    Some(())
}

/// That a request was granted as a new one.
fn is_new<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (first, second): (&Exchange, &Exchange),
    draft: &mut Draft,
) -> Option<()> {
    let key = own_key(call)?;
    let expected = "another record: the key is somebody else's";
    if !succeeded(second) {
        let claim = Claim::new(&checks::REPEAT_REFUSED, expected, told(second));
        world.differ(draft, call, claim, second);
        return Some(());
    }
    let of = |own: &Exchange| record_of(call, own).and_then(|own| own.get(key)).cloned();
    if of(first)?.same_value(&of(second)?) {
        let claim = Claim::new(
            &checks::FOREIGN_PARENT_FOUND,
            expected,
            "the record of another one",
        );
        world.differ(draft, call, claim, second);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::names;

    #[test]
    fn sentences_about_what_is_stored() {
        for (sentence, first, owner, place) in [
            (
                "Repeating a request with the same key performs nothing: the stored answer is returned as it was",
                true,
                false,
                false,
            ),
            ("Keys belong to an account and a path.", false, true, true),
            ("Keys are scoped per merchant", false, true, false),
            (
                "A repeat is answered with the record as it is now",
                false,
                false,
                false,
            ),
        ] {
            let words = names::words(sentence);
            assert_eq!(tells_the_first(&words), first, "{sentence}");
            assert_eq!(are_apart(&words, &OWNERS), owner, "{sentence}");
            assert_eq!(are_apart(&words, &PLACES), place, "{sentence}");
        }
    }
}
