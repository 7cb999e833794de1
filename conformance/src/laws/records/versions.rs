//! An entity tag tells versions apart: it moves with each change, who knows it is not told again, and who
//! changes another version than the one that is there is refused.

use spec::document::Location;
use spec::{Node, Pointer};

use crate::checks::{self, Check};
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role, names};

use crate::laws::trial::answered::{record_of, status, succeeded, told};
use crate::laws::trial::compare::apart;
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::world::World;

/// A tag that no version has.
const NOBODYS: &str = "\"0-nobody\"";

/// Tries an operation that reads or changes a record.
pub(crate) async fn run<'d>(world: &mut World<'_, '_, '_, 'd>, call: &Call<'d>) {
    let mut draft = world.draft("versions", call);
    let applied = match call.role {
        Role::Read => known(world, call, &mut draft).await,
        Role::Change | Role::Delete => changed(world, call, &mut draft).await,
        _ => return,
    };
    if let Ok(true) = applied {
        world.settle(draft);
    }
}

fn tag(exchange: &Exchange) -> Option<String> {
    exchange.outcome.as_ref().ok()?.header("etag")
}

/// Puts the version that an answer tells of into the next request, where that asks for one.
pub(crate) fn keep_up(sent: &mut Sent, answered: &Exchange) {
    if let (Some(tag), true) = (tag(answered), sent.header("if-match").is_some()) {
        *sent = with_header(sent, "if-match", &tag);
    }
}

fn with_header(sent: &Sent, name: &str, value: &str) -> Sent {
    let mut sent = sent.clone();
    sent.headers
        .retain(|(own, _)| !own.eq_ignore_ascii_case(name));
    sent.headers.push((name.to_owned(), value.to_owned()));
    sent
}

/// Who knows the version is not told again, where that is documented; who knows another one is.
async fn known<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = world.ready(call, "versions").await?;
    let first = world.call(&ready, "versions").await?;
    let Some(own) = tag(&first).filter(|_| succeeded(&first)) else {
        return Ok(false);
    };
    let other = world
        .send(with_header(&first.sent, "if-none-match", NOBODYS))
        .await;
    if status(&other) == Some(304) {
        let texts = (
            "the record: its tag is another one".to_owned(),
            told(&other),
        );
        differ(
            world,
            call,
            (&checks::VERSION_IGNORED, texts),
            &other,
            draft,
        );
    }
    if call.response(304).is_none() {
        return Ok(true);
    }
    let again = world
        .send(with_header(&first.sent, "if-none-match", &own))
        .await;
    if status(&again) == Some(304) {
        let id = draft.id().to_owned();
        world.reach(call, 304, &id);
    } else if tag(&again) == Some(own) {
        let texts = ("status 304 for who knows the tag".to_owned(), told(&again));
        differ(
            world,
            call,
            (&checks::VERSION_IGNORED, texts),
            &again,
            draft,
        );
    }
    Ok(true)
}

/// A change of another version is refused, and a change makes another version.
async fn changed<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let parameters = call.operation.parameters();
    let mut headers = parameters
        .iter()
        .filter(|own| own.location == Location::Header);
    let asks = headers.any(|own| names::same(own.name, "if-match"));
    let ready = world.ready(call, "versions").await?;
    let sent = world.compose(&ready, "versions")?;
    if asks {
        let stale = world.send(with_header(&sent, "if-match", NOBODYS)).await;
        refused(world, call, &stale, draft);
    }
    if call.role == Role::Delete {
        return Ok(asks);
    }
    let Some((maker, record)) = world.made_before(call, &ready) else {
        return Ok(asks);
    };
    let (maker, record) = (maker.clone(), record.clone());
    let reader = world.readers_for(&maker, &record, &sent).first().copied();
    let Some(reader) = reader else {
        return Ok(asks);
    };
    let before = world.read(reader, &record, &sent).await?;
    if let (true, Some(now)) = (asks && draft.is_clean(), record_of(reader, &before)) {
        untouched(world, call, (&record, now), &before, draft);
    }
    let Some(old) = tag(&before) else {
        return Ok(asks);
    };
    let done = world.send(sent).await;
    let after = world.read(reader, &record, &done.sent).await?;
    let moved = record_of(reader, &before).zip(record_of(reader, &after));
    let moved = moved.is_some_and(|(one, other)| !one.same_value(other));
    if succeeded(&done) && moved && tag(&after) == Some(old) {
        let texts = (
            "another tag after the change".to_owned(),
            "the same".to_owned(),
        );
        differ(world, call, (&checks::VERSION_STANDS, texts), &after, draft);
    }
    is_next(world, call, (&done, &after), draft);
    Ok(true)
}

/// What was refused for its version has changed nothing.
fn untouched<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (made, now): (&Node, &Node),
    read: &Exchange,
    draft: &mut Draft,
) {
    for own in apart(made, now, &world.volatile(call)) {
        let claim = Claim {
            check: &checks::REFUSAL_CHANGED_STATE,
            expected: format!(
                "{}, as before the refusal",
                world.shown(call, &own.pointer, Some(&own.one))
            ),
            actual: world.shown(call, &own.pointer, own.other.as_ref()),
            pointer: own.pointer,
            spot: world.spot(call),
        };
        world.differ(draft, call, claim, read);
    }
}

/// The tag that a change answers is that of the record as it is read next, where both are documented and
/// tell of the same.
fn is_next<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (done, after): (&Exchange, &Exchange),
    draft: &mut Draft,
) {
    let reader = world.model.call(&after.sent.operation);
    let tells = |call: &Call<'_>| {
        let headers = call.success.as_ref().map(|own| own.response.headers());
        let mut names = headers.into_iter().flatten();
        names.any(|(name, _)| name.eq_ignore_ascii_case("etag"))
    };
    let Some(reader) = reader.filter(|own| tells(own) && tells(call)) else {
        return;
    };
    let same = record_of(call, done).zip(record_of(reader, after));
    let (Some(one), Some(other)) = (tag(done), tag(after)) else {
        return;
    };
    let strong = |own: &str| own.trim_start_matches("W/").to_owned();
    if same.is_some_and(|(one, other)| one.same_value(other)) && strong(&one) != strong(&other) {
        let texts = (format!("the tag of the next reading, {other}"), one);
        differ(world, call, (&checks::VERSION_DIFFERS, texts), done, draft);
    }
}

/// Judges the refusal of a change of another version.
fn refused<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    exchange: &Exchange,
    draft: &mut Draft,
) {
    if succeeded(exchange) {
        let texts = (
            "a refusal: the version is another one".to_owned(),
            told(exchange),
        );
        differ(
            world,
            call,
            (&checks::VERSION_IGNORED, texts),
            exchange,
            draft,
        );
        return;
    }
    let Some(response) = call.first_of(&[412, 409]) else {
        return;
    };
    world.judge_form(draft, call, &response, exchange);
    if let (Some(code), true) = (status(exchange), draft.is_clean()) {
        let id = draft.id().to_owned();
        world.reach(call, code, &id);
    }
}

fn differ<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (check, (expected, actual)): (&'static Check, (String, String)),
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let claim = Claim {
        check,
        pointer: Pointer::root(),
        expected,
        actual,
        spot: world.spot(call),
    };
    world.differ(draft, call, claim, exchange);
}
