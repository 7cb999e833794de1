//! Left behind: what a request that was refused has left in the lists of the records that it names: a transfer between two
//! accounts, an entry of a balance.

use std::collections::BTreeSet;

use openapi_document::Node;
use openapi_document::view::Location;

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role, names, prose};
use crate::value;

use crate::laws::trial::addressing::can_address;
use crate::laws::trial::answered::{items_of, own_key};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::lag;
use crate::laws::trial::world::World;

/// Words of what is kept of requests that were refused, too.
const KEPT: [&str; 18] = [
    "event",
    "events",
    "attempt",
    "attempts",
    "log",
    "logs",
    "audit",
    "request",
    "requests",
    "delivery",
    "activity",
    "history",
    "notification",
    "message",
    "email",
    "alert",
    "decline",
    "check",
];

/// States of what is kept of a request that was refused.
const FAILED: [&str; 14] = [
    "failed",
    "declined",
    "rejected",
    "refused",
    "error",
    "denied",
    "cancelled",
    "canceled",
    "void",
    "voided",
    "blocked",
    "expired",
    "returned",
    "reversed",
];

/// What a list tells of a record.
pub(super) struct Listed<'w, 'd> {
    list: &'w Call<'d>,
    sent: Sent,
    keys: BTreeSet<String>,
}

impl<'w, 'd> Listed<'w, 'd> {
    /// Asks the lists that can be asked for what belongs to a record, which nobody else names: those under it, and those with a
    /// filter that is called as it.
    pub(super) async fn of(
        world: &mut World<'w, '_, '_, 'd>,
        (maker, record): (&Call<'d>, &Node),
        with: &Sent,
    ) -> Vec<Self> {
        let model = world.model;
        let mut all = Vec::new();
        for list in model.of(Role::List) {
            // What is behind shows later what came before.
            if !world.covers(list) || lag::of(&world.model.behaviour, list).is_some() {
                continue;
            }
            let Some(sent) = asking(world, list, (maker, record), with) else {
                continue;
            };
            let told = world.send(sent.clone()).await;
            let keys = items_of(list, &told).and_then(|items| {
                let keys = items.iter().map(|own| key_of(list, own));
                keys.collect::<Option<BTreeSet<String>>>()
            });
            all.extend(keys.map(|keys| Self { list, sent, keys }));
        }
        all
    }

    /// Asks again after a refusal.
    pub(super) async fn look(
        &self,
        world: &mut World<'w, '_, '_, 'd>,
        call: &Call<'d>,
        refused: &Exchange,
        draft: &mut Draft,
    ) {
        let told = world.send(self.sent.clone()).await;
        let items = items_of(self.list, &told).unwrap_or_default();
        let is_new = |key: &String| !self.keys.contains(key);
        let mut new = items.iter().filter(|own| !has_failed(own));
        let new = new.find_map(|own| key_of(self.list, own).filter(is_new));
        if let Some(key) = new {
            let key = value::excerpt(&key);
            let label = self.list.operation.label();
            let claim = Claim::new(
                &checks::REFUSAL_CHANGED_STATE,
                Ground::Names,
                format!("nothing in `{label}` that was not there before the refusal"),
                format!("{key} in it"),
            );
            world.differ(draft, call, claim, refused);
        }
    }
}

/// The request for what a list has of a record; `None` where it cannot be asked for that, or has what is kept of refusals, too.
fn asking<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    list: &Call<'d>,
    (maker, record): (&Call<'d>, &Node),
    with: &Sent,
) -> Option<Sent> {
    let key = record.get(own_key(maker)?)?;
    let items = list.record()?;
    (!prose::has(&names::words(&items.name), &KEPT)).then_some(())?;
    let mut with = with.clone();
    let mut asked = Vec::new();
    let last = list.path_parameters().last().copied();
    let parent = last.and_then(|own| Some((own, world.model.creator_for(&list.operation, own)?)));
    match parent {
        Some((name, own)) if own.record()?.is(maker.record()?) => {
            let own = (name.to_owned(), value::plain(key));
            with.path_arguments.insert(0, own);
        }
        _ => {
            let mut noun = names::words(&maker.record()?.name);
            noun.push("id".to_owned());
            let is_filter =
                |location, name| location == Location::Query && names::words(name) == noun;
            let mut parameters = list.operation.parameters().into_iter();
            let filter = parameters.find(|own| is_filter(own.location, own.name))?;
            asked.push((filter.name, key.clone()));
        }
    }
    can_address(list, record, &with).then_some(())?;
    world.compose_read(list, record, &with, &asked).ok()
}

/// By what an item of a list is known.
fn key_of(list: &Call<'_>, item: &Node) -> Option<String> {
    Some(item.get(own_key(list)?)?.to_json())
}

/// Whether an item tells of what was refused.
pub(super) fn has_failed(item: &Node) -> bool {
    const OUTCOMES: [&str; 4] = ["outcome", "result", "decision", "response"];
    item.entries().any(|own| {
        let name = names::words(&own.key);
        let is_outcome = name
            .last()
            .is_some_and(|own| OUTCOMES.contains(&own.as_str()));
        let state = own.value.as_str().map(names::words).unwrap_or_default();
        (names::tells_state(&own.key) || is_outcome) && prose::has(&state, &FAILED)
    })
}
