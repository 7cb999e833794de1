//! Stored: what is kept under the key of a request. A repeat is answered as the first was, also when the record has changed
//! since, where a text says so.

use openapi_document::Pointer;
use openapi_document::view::{Location, Method};

use crate::case::{ArgumentValue, Step};
use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role, prose};
use crate::value;

use super::key::{set_key, spoken};
use crate::laws::trial::answered::{own_key, record_of, status, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};

/// So many operations are tried until one has changed the record.
const STEPS: usize = 4;

/// Looks at what a repeat is answered later.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    name: &str,
    draft: &mut Draft,
) -> Option<()> {
    let tells = spoken(call).iter().any(|own| tells_the_first(own));
    let kind = call.record().filter(|_| tells)?;
    let changes = |own: &&Call<'d>| {
        let is_of_kind = own.record().is_some_and(|own| own.is(kind));
        own.operation.method != Method::Put && is_of_kind
    };
    let label = call.operation.label();
    // What is made under a record may change it, too, such as a refund.
    let is_under = |own: &&Call<'d>| {
        let last = own.path_parameters().last().copied();
        let maker = last.and_then(|last| world.model.creator_for(&own.operation, last));
        own.operation.method == Method::Post
            && maker.is_some_and(|own| own.operation.label() == label)
    };
    let steps = world.model.of(Role::Change).filter(changes);
    let under = world.model.of(Role::Create).filter(is_under);
    let steps: Vec<Call<'d>> = steps.chain(under).take(STEPS).cloned().collect();
    for step in steps {
        if later(world, call, (name, &step), draft).await.is_some() {
            break;
        }
    }
    Some(())
}

/// A repeat that comes at once is answered as the first was, its status, `Location` and record, where a text says that the
/// first answer is kept.
pub(super) fn is_as_first<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (first, second): (&Exchange, &Exchange),
    draft: &mut Draft,
) -> Option<()> {
    let (one, other) = (first.outcome.as_ref().ok()?, second.outcome.as_ref().ok()?);
    let tells = spoken(call).iter().any(|own| tells_the_first(own));
    (tells && one.status == other.status).then_some(())?;
    let (due, actual) = (one.header("location"), other.header("location"));
    if let Some(due) = due.filter(|due| actual.as_ref() != Some(due)) {
        let expected = format!("`Location: {due}`, as in the answer to the first request");
        let claim = Claim::new(
            &checks::REPEAT_MADE_ANOTHER,
            Ground::Text,
            expected,
            actual.unwrap_or_else(|| "none".to_owned()),
        );
        let at = Pointer::root().join("header").join("Location");
        world.differ(draft, call, claim.at(at), second);
    }
    let (one, other) = (record_of(call, first)?, record_of(call, second)?);
    for apart in world.apart(call, one, other) {
        let claim = Claim::new(
            &checks::REPEAT_MADE_ANOTHER,
            Ground::Text,
            format!(
                "{}, as the first request was answered",
                world.shown(call, &apart.pointer, Some(&apart.one))
            ),
            world.shown(call, &apart.pointer, apart.other.as_ref()),
        );
        world.differ(draft, call, claim.at(apart.pointer), second);
    }
    Some(())
}

/// Whether a sentence says that a repeat is told what was answered first, and not what is so now.
fn tells_the_first(sentence: &[String]) -> bool {
    const AGAIN: [&str; 9] = [
        "same",
        "repeat",
        "repeats",
        "repeated",
        "repeating",
        "replay",
        "replays",
        "replayed",
        "again",
    ];
    const OPEN: [&str; 4] = ["may", "current", "currently", "now"];
    const FIRST: [&str; 19] = [
        "body unchanged",
        "first one again",
        "as it was",
        "body of the first",
        "whatever has become",
        "same status and body",
        "same status and the same body",
        "stored answer",
        "stored response",
        "original response",
        "original answer",
        "with the first answer",
        "with the first response",
        "first answer once more",
        "first answer again",
        "first response again",
        "same status same body",
        "first answer is sent",
        "first response is returned",
    ];
    let joined = sentence.join(" ");
    let is_kept = joined.contains("even if") && joined.contains("changed since");
    let is_first = is_kept || FIRST.iter().any(|own| joined.contains(own));
    let is_open = joined.split(' ').any(|own| OPEN.contains(&own));
    is_first && prose::has(sentence, &AGAIN) && !is_open
}

/// When the record has changed, the repeat still tells of it as it was.
async fn later<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (name, step): (&str, &Call<'d>),
    draft: &mut Draft,
) -> Option<()> {
    let what = step.operation.label();
    // The way to the step makes a record of which it can be asked, and what of it is refused is none.
    let ready = world.ready(step, &format!("stored-{what}")).await.ok()?;
    let (own, made) = first(world, call, (&ready, name)).await?;
    let record = record_of(call, &made)?.clone();
    let change = change(world, &ready, (call, &own, &made))?;
    let changed = world.send(change).await;
    let now = if step.role == Role::Change {
        record_of(step, &changed).cloned()
    } else {
        let readers = world.readers_for(call, &record, &made.sent);
        let reader = readers.first().copied()?;
        let read = world.read(reader, &record, &made.sent).await.ok()?;
        record_of(reader, &read).cloned()
    };
    now.filter(|own| succeeded(&changed) && !own.same_value(&record))?;
    let again = world.send(made.sent.clone()).await;
    let expected = format!("the answer to the first request, though `{what}` came since");
    if succeeded(&again) && status(&again) != status(&made) {
        let claim = Claim::new(
            &checks::REPEAT_MADE_ANOTHER,
            Ground::Text,
            &*expected,
            told(&again),
        );
        world.differ(draft, call, claim, &again);
    }
    let told = record_of(call, &again)?;
    if !told.same_value(&record) {
        let apart = world.apart(call, &record, told);
        let at = apart.first().map(|own| own.pointer.clone())?;
        let actual = "the record as it is now";
        let claim = Claim::new(&checks::REPEAT_MADE_ANOTHER, Ground::Text, expected, actual);
        world.differ(draft, call, claim.at(at), &again);
    }
    Some(())
}

/// What the way to a step has made, and what was made with a key: that itself, or another one like it.
async fn first<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, name): (&Ready<'_, 'd>, &str),
) -> Option<(Exchange, Exchange)> {
    let label = call.operation.label();
    let kept = ready.state.kept.iter().flatten().rev();
    let own = kept.into_iter().find(|own| own.sent.operation == label)?;
    if own.sent.header(name).is_some() {
        return Some((own.clone(), own.clone()));
    }
    let mut sent = own.sent.clone();
    set_key(
        &mut sent,
        name,
        ready.state.fresh.fork("stored-first").uuid(),
    );
    let made = world.send(sent).await;
    succeeded(&made).then(|| (own.clone(), made))
}

/// The request of a step that changes what was made.
fn change<'d>(
    world: &World<'_, '_, '_, 'd>,
    ready: &Ready<'_, 'd>,
    (call, own, made): (&Call<'d>, &Exchange, &Exchange),
) -> Option<Sent> {
    let tag = "stored-change";
    let key = own_key(call)?;
    let own = value::plain(record_of(call, own)?.get(key)?);
    let made = record_of(call, made)?.get(key)?;
    let sent = world.compose(ready, tag).ok()?;
    let names: Vec<&str> = sent
        .path_arguments
        .iter()
        .filter(|(_, told)| *told == own)
        .map(|(name, _)| name.as_str())
        .collect();
    (!names.is_empty()).then_some(())?;
    let mut other: Step<'d> = ready.call.clone();
    for argument in &mut other.request.arguments {
        if argument.location == Location::Path && names.contains(&argument.name.as_str()) {
            argument.value = ArgumentValue::Example(made.clone());
            argument.natural_key = false;
        }
    }
    world.compose_step(ready, &other, tag).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::names;

    #[test]
    fn sentences_about_what_is_stored() {
        for (sentence, expected) in [
            (
                "Repeating a request with the same key performs nothing: the stored answer is returned as it was",
                true,
            ),
            (
                "When a key comes again the first answer is sent as it was, even if the record has changed since",
                true,
            ),
            (
                "A request can be sent again: the same key answers with the first answer's status and body",
                true,
            ),
            (
                "A second request with the same key is answered with the status and the body of the first one",
                true,
            ),
            (
                "When a key is sent again the answer is the first one again, with status and body unchanged",
                true,
            ),
            (
                "A request with the same version is refused if the record has changed since",
                false,
            ),
            ("A repeat is answered with the record as it is now", false),
            ("If a request is repeated, it is answered as it was", true),
            (
                "If an order was made with the same key, the answer is the first one's status and body once more, as it \
                 was then even if the order has changed since",
                true,
            ),
            ("Keys belong to an account and a path.", false),
        ] {
            let words = names::words(sentence);
            assert_eq!(tells_the_first(&words), expected, "{sentence}");
        }
    }
}
