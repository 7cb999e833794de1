//! Replay: requests with one idempotency key, sent at once, make one record; a repeat is answered with a
//! documented status, and a request that is refused for its key changes nothing of the record that has it.

use std::collections::BTreeSet;

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::judge;
use crate::model::Call;

use super::key::set_key;
use crate::laws::trial::answered::{own_key, record_of, status, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::world::World;

/// So many are sent at once.
const TWINS: usize = 6;

/// Requests with one key, sent at once, make one record.
pub(crate) async fn at_once<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    header: &str,
    draft: &mut Draft,
) -> Result<(), String> {
    let Some(key) = own_key(call).filter(|_| world.may_race()) else {
        return Ok(());
    };
    let ready = world.ready(call, "repetition-race").await?;
    let mut sent = world.compose(&ready, "repetition-race")?;
    let own = ready.state.fresh.fork("repetition-race").uuid();
    set_key(&mut sent, header, own);
    let twins: Vec<Sent> = std::iter::repeat_n(sent, TWINS).collect();
    let exchanges = world.send_together(twins).await;
    let keys = exchanges
        .iter()
        .filter_map(|own| Some(record_of(call, own)?.get(key)?.to_json()));
    let keys: BTreeSet<String> = keys.collect();
    if let (true, Some(last)) = (keys.len() > 1, exchanges.last()) {
        let claim = Claim::new(
            &checks::REPEAT_MADE_ANOTHER,
            format!("one record of {TWINS} requests with one key, sent at once"),
            format!("{} records", keys.len()),
        );
        world.differ(draft, call, claim, last);
    }
    Ok(())
}

/// A repeat that is granted has a documented status.
pub(crate) fn is_documented<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    repeat: &Exchange,
    draft: &mut Draft,
) {
    let code = status(repeat).unwrap_or_default();
    if judge::select(&call.operation, code).is_some() {
        return;
    }
    let claim = Claim::new(
        &checks::UNDECLARED_STATUS,
        "a documented answer to a repeat",
        told(repeat),
    );
    world.differ(draft, call, claim, repeat);
}

/// The record that has a key is as it was when another one was asked for with it.
pub(crate) async fn is_untouched<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    made: &Exchange,
    draft: &mut Draft,
) -> Option<()> {
    let record = record_of(call, made)
        .filter(|own| !world.model.is_moving(own))?
        .clone();
    let readers = world.readers_for(call, &record, &made.sent);
    let reader = readers.first().copied()?;
    let read = world.read(reader, &record, &made.sent).await.ok()?;
    let now = record_of(reader, &read)?;
    for own in world.apart(call, &record, now) {
        let claim = Claim::new(
            &checks::REFUSAL_CHANGED_STATE,
            format!(
                "{}, as it was when it was made",
                world.shown(reader, &own.pointer, Some(&own.one))
            ),
            world.shown(reader, &own.pointer, own.other.as_ref()),
        )
        .at(own.pointer);
        world.differ(draft, call, claim, &read);
    }
    Some(())
}
