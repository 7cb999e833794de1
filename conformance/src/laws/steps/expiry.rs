//! What is made for some time is over when that time is: it is then in the state that is named so, and can no longer be
//! used.

use std::time::Duration;

use openapi_document::view::Method;
use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{self, Call, Role, names};
use crate::shape::Shape;
use crate::value;

use crate::laws::records::terms::is_end;
use crate::laws::trial::answered::{record_of, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft, Tried};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::lengths;
use crate::laws::trial::world::World;

/// A record is waited for that lasts so many seconds at most.
const LONGEST: i64 = 3;

/// So often it is looked at when its time is over, and so long apart.
const LOOKS: u32 = 60;
const PAUSE: Duration = Duration::from_millis(100);

/// What is done with a record that is still good.
const USES: [&str; 12] = [
    "capture", "redeem", "pay", "accept", "confirm", "use", "claim", "complete", "settle",
    "cancel", "void", "approve",
];

/// Tries an operation whose body says how long what it makes lasts.
pub(crate) async fn run<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.role != Role::Create {
        return Ok(false);
    }
    let Some(lasting) = lasting(world, call) else {
        return Ok(false);
    };
    is_over(world, call, &lasting, draft).await
}

/// How long what is made lasts.
struct Lasting<'d> {
    /// The property of the body that says how long.
    asked: &'d str,
    /// Seconds of one of its units.
    unit: i64,
    /// The property of the record that says until when.
    until: &'d str,
    /// The least that may be asked for.
    least: i64,
}

fn lasting<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>) -> Option<Lasting<'d>> {
    let document = world.model.document;
    let body = Shape::of(document, call.body.as_ref());
    let record = Shape::of(document, Some(&call.record()?.schema));
    let is_time = |name: &&str| record.property(document, name).format() == Some("date-time");
    let names = record.property_names();
    let mut ends = names.iter().filter(|name| is_end(name) && is_time(name));
    let until = ends.next().filter(|_| ends.next().is_none())?;
    let is_asked = |name: &&str| {
        let own = body.property(document, name);
        is_end(name) && own.type_name() == Some("integer")
    };
    let mut asked = body.property_names().into_iter().filter(is_asked);
    let asked = asked.next().filter(|_| asked.next().is_none())?;
    let own = body.property(document, asked);
    let least = own.keyword("minimum");
    let least = least.and_then(|own| value::plain(own).parse().ok());
    Some(Lasting {
        asked,
        unit: lengths::unit(asked, own.keyword("description").and_then(Node::as_str))?,
        until,
        least: least.unwrap_or(1).max(1),
    })
}

/// Makes a record that lasts so many units.
async fn make<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (lasting, units): (&Lasting<'d>, i64),
    tag: &str,
) -> Result<Exchange, String> {
    let ready = world.ready(call, tag).await?;
    let mut sent = world.compose(&ready, tag)?;
    let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
    let at = Pointer::root().join(lasting.asked);
    value::put(&mut json, &at, value::number(units))?;
    let schema = call.body.as_ref().ok_or("the call has no schema")?;
    if !world.contract().validate_request(schema, &json)?.is_empty() {
        return Err(format!("`{}` cannot be told alone", lasting.asked));
    }
    world.put_json(&mut sent, &ready.call, json);
    Ok(world.send(sent).await)
}

/// The state of a record that is over, where the document says so.
fn state_of_end<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    lasting: &Lasting<'d>,
) -> Option<(&'d str, &'d str)> {
    let document = world.model.document;
    let record = Shape::of(document, Some(&call.record()?.schema));
    let property = names::own_state(record.property_names().into_iter())?;
    let known = record.property(document, property).known_values();
    let mut over = known
        .into_iter()
        .filter(|own| own.to_lowercase() == "expired");
    let over = over.next()?;
    let body = Shape::of(document, call.body.as_ref());
    let of = |own: &Shape<'d>| own.keyword("description").and_then(Node::as_str);
    let texts = [
        of(&body.property(document, lasting.asked)),
        of(&record.property(document, lasting.until)),
        call.operation
            .at
            .node
            .get("description")
            .and_then(Node::as_str),
    ];
    let mut texts = texts.into_iter().flatten();
    let says = texts.any(|own| names::words(own).contains(&"expired".to_owned()));
    says.then_some((property, over))
}

/// When its time is over a record is in the state that is named so, and is not used.
async fn is_over<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    lasting: &Lasting<'d>,
    draft: &mut Draft,
) -> Tried {
    let seconds = lasting.least.saturating_mul(lasting.unit);
    let Some((property, over)) = state_of_end(world, call, lasting).filter(|_| seconds <= LONGEST)
    else {
        return Ok(false);
    };
    let made = make(world, call, (lasting, lasting.least), "expiry-short").await?;
    let record = record_of(call, &made).cloned();
    let record = record.ok_or("nothing was made that lasts so short")?;
    let readers = world.readers_for(call, &record, &made.sent);
    let reader = readers.first().copied();
    let reader = reader.ok_or("nothing reads what was made")?;
    world
        .pass(Duration::from_secs(seconds.unsigned_abs()))
        .await;
    let mut read = world.read(reader, &record, &made.sent).await?;
    let is_told = |read: &Exchange| {
        let state = record_of(reader, read).and_then(|own| own.get(property)?.as_str());
        state.is_none_or(|own| own == over)
    };
    for _ in 0..LOOKS {
        if is_told(&read) {
            break;
        }
        world.pass(PAUSE).await;
        read = world.read(reader, &record, &made.sent).await?;
    }
    if !is_told(&read) {
        let at = Pointer::root().join(property);
        let state = record_of(reader, &read).and_then(|own| own.get(property));
        let claim = Claim::new(
            &checks::STEP_UNDONE,
            Ground::Names,
            format!("\"{over}\" after `{}` {}", lasting.asked, lasting.least),
            world.shown(reader, &at, state),
        )
        .at(at);
        world.differ(draft, call, claim, &read);
        return Ok(true);
    }
    if record_of(reader, &read).is_some() {
        is_not_used(world, call, (&record, &made.sent), draft).await;
    }
    Ok(true)
}

/// No step that uses a record is granted when it is over, where such a step documents a refusal.
async fn is_not_used<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (record, with): (&Node, &Sent),
    draft: &mut Draft,
) -> Option<()> {
    let kind = call.record()?;
    let model = world.model;
    let is_use = |own: &&Call<'d>| {
        let verb = model::collection(own.operation.path);
        own.role == Role::Change
            && own.operation.method == Method::Post
            && own.record().is_some_and(|own| own.is(kind))
            && USES.contains(&verb)
            && own.first_of(&[409, 410, 422]).is_some()
    };
    for step in model.calls.iter().filter(is_use) {
        let sent = world.compose_read(step, record, with, &[]).ok()?;
        let done = world.send(sent).await;
        if succeeded(&done) {
            let claim = Claim::new(
                &checks::TRANSITION_FORBIDDEN,
                Ground::Names,
                "a refusal: the record is expired",
                told(&done),
            );
            world.differ(draft, step, claim, &done);
            return None;
        }
    }
    Some(())
}
