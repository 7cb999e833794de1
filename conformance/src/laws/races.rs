//! What is granted once when asked one after another is granted once when asked at once.

use std::collections::BTreeSet;

use spec::Pointer;

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role};

use super::answered::{own_key, record_of, succeeded};
use super::world::{Claim, Draft, World};

/// So many twins are sent at once.
const TWINS: usize = 8;

/// So often a race is run: a winner by chance is seen once in a while only.
const ROUNDS: usize = 2;

/// Tries every operation that makes, changes or removes a record.
pub(super) async fn run(world: &mut World<'_, '_, '_, '_>) {
    if !world.may_race() {
        return;
    }
    for call in world.calls() {
        if !matches!(call.role, Role::Create | Role::Change | Role::Delete) {
            continue;
        }
        let mut draft = world.draft("races", call);
        match of(world, call, &mut draft).await {
            Ok(true) => {}
            // Asked twice it is granted twice: there is nothing to win.
            Ok(false) => continue,
            Err(reason) => draft.skip(reason),
        }
        world.settle(draft);
    }
}

async fn of<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let alone = world.ready(call, "races-alone").await?;
    let first = world.call(&alone, "twin").await?;
    let second = world.call(&alone, "twin").await?;
    if !succeeded(&first) || winners(world, call, &[first, second]) != 1 {
        return Ok(false);
    }
    for round in 0..ROUNDS {
        let ready = world.ready(call, &format!("races-{round}")).await?;
        let twins = (0..TWINS).map(|_| world.compose(&ready, "twin"));
        let twins: Vec<_> = twins.collect::<Result<_, _>>()?;
        let exchanges = world.send_together(twins).await;
        let won = winners(world, call, &exchanges);
        if let (Some(last), true) = (exchanges.iter().rfind(|own| succeeded(own)), won > 1) {
            let claim = Claim {
                check: &checks::RACE_WON_TWICE,
                pointer: Pointer::root(),
                expected: "one of the requests sent at once is granted, as one of two sent one after another is".to_owned(),
                actual: format!("{won} of {TWINS} were granted"),
                spot: world.spot(call),
            };
            world.differ(draft, call, claim, last);
            break;
        }
    }
    Ok(true)
}

/// How many of the same requests were granted: the same record answered twice is granted once.
fn winners<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>, exchanges: &[Exchange]) -> usize {
    let granted: Vec<&Exchange> = exchanges.iter().filter(|own| succeeded(own)).collect();
    let key = own_key(world.model, call).filter(|_| call.role == Role::Create);
    let keys = granted
        .iter()
        .filter_map(|own| Some(record_of(call, own)?.get(key?)?.to_json()));
    let keys: BTreeSet<String> = keys.collect();
    if keys.is_empty() {
        granted.len()
    } else {
        keys.len()
    }
}
