//! Left out: what a text says that a list leaves out unless it is asked for is in none that is not: "cancelled cards are left out
//! unless `status=cancelled` is asked for".

use spec::Node;

use crate::checks;
use crate::model::{Call, names, prose};

use super::listing::lists;
use super::paging::Paging;
use crate::exchange::Exchange;
use crate::laws::trial::addressing::can_address;
use crate::laws::trial::answered::own_key;
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::world::World;

/// Looks for a record that a step has led to such a state; whether there was one.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (record, done): (&Node, &Exchange),
    draft: &mut Draft,
) -> Option<bool> {
    let mut states = record.entries().filter(|own| names::tells_state(&own.key));
    let state = states.next()?.value.as_str()?.to_owned();
    let says = |own: &&&Call<'d>| own.spoken().iter().any(|own| leaves_out(own, &state));
    let all = lists(world, call);
    let list = *all.iter().find(says)?;
    let key = own_key(call)?;
    let own = record.get(key)?;
    if !can_address(list, record, &done.sent) {
        return Some(false);
    }
    let paging = Paging::of(world, list);
    let stand = (record, &done.sent);
    let search = paging.find(world, list, stand, (key, own)).await.ok()?;
    if let (Some(_), Some(last)) = (&search.found, &search.last) {
        let expected = format!("nothing that is {state}: it is said to be left out");
        let actual = format!("an item for {}", own.to_json());
        let claim = Claim::new(&checks::FILTER_IGNORED, expected, actual);
        world.differ(draft, list, claim, last);
    }
    Some(true)
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
