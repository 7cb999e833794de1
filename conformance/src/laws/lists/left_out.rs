//! Left out: what a text says that a list leaves out unless it is asked for is in none that is not: "cancelled cards are left out
//! unless `status=cancelled` is asked for".

use openapi_document::Node;

use crate::checks;
use crate::model::{Call, names, prose};
use crate::shape::Shape;

use super::listing::lists;
use super::paging::Paging;
use crate::laws::steps::place::{asking, place};
use crate::laws::trial::addressing::can_address;
use crate::laws::trial::answered::{own_key, record_of};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// Leads a record to such a state, by a step or by a change that sets it, and looks for it.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let document = world.model.document;
    let record = Shape::of(document, call.record().map(|own| &own.schema));
    let mut named = record.property_names().into_iter();
    let told = named.find(|own| names::tells_state(own))?;
    let states = record.property(document, told).known_values();
    let all = lists(world, call);
    let mut found = all.iter().filter_map(|list| {
        let said = list.spoken();
        let is_out = |own: &&&str| said.iter().any(|words| leaves_out(words, own));
        Some((*list, states.iter().find(is_out).copied()?))
    });
    let (list, state) = found.next()?;
    let tag = format!("left-out-{state}");
    let ready = world.ready(call, &tag).await.ok()?;
    let mut sent = world.compose(&ready, &tag).ok()?;
    if let Some(place) = place(world, call) {
        sent = asking(world, call, (&ready.call, &place, state), sent)?;
    }
    let done = world.send(sent).await;
    let record = record_of(call, &done)?.clone();
    let is_there = record.get(told).and_then(Node::as_str) == Some(state);
    let key = own_key(call).filter(|_| is_there)?;
    let own = record.get(key)?;
    if !can_address(list, &record, &done.sent) {
        return None;
    }
    let paging = Paging::of(world, list);
    let stand = (&record, &done.sent);
    let search = paging.find(world, list, stand, (key, own)).await.ok()?;
    if let (Some(_), Some(last)) = (&search.found, &search.last) {
        let expected = format!("nothing that is {state}: it is said to be left out");
        let actual = format!("an item for {}", own.to_json());
        let claim = Claim::new(&checks::FILTER_IGNORED, Ground::Text, expected, actual);
        world.differ(draft, list, claim, last);
    }
    Some(())
}

/// Whether a sentence says that a list leaves out what is in a state, where it is not asked for.
fn leaves_out(words: &[String], state: &str) -> bool {
    const UNLESS: [&str; 3] = ["unless", "default", "without"];
    const OUT: [&str; 4] = ["omitted", "excluded", "hidden", "skipped"];
    let own = names::words(&state.to_lowercase());
    let is_named = words.windows(own.len().max(1)).any(|part| part == own);
    let is_out = words.windows(2).any(|own| {
        matches!(
            (own[0].as_str(), own[1].as_str()),
            ("left", "out") | ("not", "listed")
        )
    });
    is_named && (is_out || prose::has(words, &OUT)) && prose::has(words, &UNLESS)
}

#[cfg(test)]
mod tests {
    use super::leaves_out;
    use crate::model::names;

    #[test]
    fn what_a_list_leaves_out() {
        for (text, expected) in [
            (
                "Cancelled cards are left out unless status is cancelled",
                true,
            ),
            ("By default cancelled cards are not listed", true),
            ("Cancelled cards are listed, too", false),
            ("Frozen cards are left out unless they are asked for", false),
            ("Cancelled cards are left out", false),
        ] {
            assert_eq!(
                leaves_out(&names::words(&text.to_lowercase()), "cancelled"),
                expected,
                "{text}"
            );
        }
    }
}
