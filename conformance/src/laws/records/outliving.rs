//! Outliving: what others are said to keep when what they were made with is deleted stays as it was: "payments made with the card
//! keep their card details".

use super::keeping::{KEEPS, says_kept};
use crate::checks;
use crate::laws::steps::blocked::named;
use crate::laws::trial::answered::{record_of, succeeded};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;
use crate::model::{Call, Model, Record, Role, names, prose};

/// So many kinds of what was made with a record are looked at, and so many ways to make each are tried.
const MOST: usize = 3;
const WAYS: usize = 8;

/// Deletes what others were made with, and looks at those.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let model: &Model<'d> = world.model;
    let parameter = call.path_parameters().last().copied()?;
    let kind = model.creator_for(&call.operation, parameter)?.record()?;
    let spoken = call.spoken();
    let makers = model.of(Role::Create).filter(|own| world.covers(own));
    let said = |own: &Call<'d>| {
        let other = own.record().filter(|own| !own.is(kind))?;
        let noun = names::words(&other.name).pop()?;
        let mut said = spoken.iter();
        said.find(|own| says_of(own, &noun)).cloned()
    };
    let makers: Vec<(&Call<'d>, Vec<String>)> = makers
        .filter_map(|own| Some((own, said(own)?)))
        .take(MOST)
        .collect();
    let mut looked = None;
    for (maker, said) in makers {
        let found = of(world, (call, maker), (kind, &said), draft).await;
        looked = looked.or(found);
    }
    looked
}

async fn of<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    (call, maker): (&Call<'d>, &Call<'d>),
    (kind, said): (&Record<'d>, &[String]),
    draft: &mut Draft,
) -> Option<()> {
    for (index, way) in world.ways(maker).into_iter().enumerate().take(WAYS) {
        let tag = format!("outliving-{}-{index}", call.operation.label());
        let Ok(ready) = world.prepare(way, &tag).await else {
            continue;
        };
        let all = named(world, &ready, kind);
        let [(owner, with)] = &all[..] else {
            continue;
        };
        let Ok(made) = world.call(&ready, &tag).await else {
            continue;
        };
        let Some(record) = record_of(maker, &made) else {
            continue;
        };
        let readers = world.readers_for(maker, record, &made.sent);
        let reader = readers.first().copied()?;
        let before = world.read(reader, record, &made.sent).await.ok()?;
        let known = record_of(reader, &before).filter(|own| !world.model.is_moving(own))?;
        let gone = world.compose_read(call, owner, with, &[]).ok()?;
        succeeded(&world.send(gone).await).then_some(())?;
        let after = world.read(reader, record, &made.sent).await.ok()?;
        let now = record_of(reader, &after)?;
        for own in world.apart(reader, known, now) {
            let first = own.pointer.segments().next().map(|own| own.to_string());
            let is_kept = first.is_some_and(|own| is_named(said, &own));
            let last = own.pointer.segments().last().map(|own| own.to_string());
            let last = last.unwrap_or_default();
            // A key of what is gone may be gone, too, and so may its state.
            let is_key = names::subject(&last).is_some() || names::fits(&last, &kind.name);
            let is_said = own.pointer.depth() == 1 && names::words(&last).len() > 1;
            let is_kept = is_kept && !names::tells_state(&last) && (is_said || !is_key);
            if !is_kept {
                continue;
            }
            let by = call.operation.label();
            let shown = world.shown(reader, &own.pointer, Some(&own.one));
            let expected = format!("{shown}, which it is said to keep after `{by}`");
            let told = world.shown(reader, &own.pointer, own.other.as_ref());
            let claim =
                Claim::new(&checks::OTHERS_CHANGED, Ground::Text, expected, told).at(own.pointer);
            world.differ(draft, call, claim, &after);
        }
        return Some(());
    }
    None
}

/// Whether a sentence says of a kind of record, which it speaks of first, that it keeps something.
fn says_of(words: &[String], noun: &str) -> bool {
    const DOUBTFUL: [&str; 5] = ["if", "may", "until", "when", "only"];
    let of = words.iter().position(|own| names::singular(own) == noun);
    let keeps = words.iter().position(|own| KEEPS.contains(&own.as_str()));
    let is_first = of.zip(keeps).is_some_and(|(of, keeps)| of < keeps);
    is_first && says_kept(words, noun) && !prose::has(words, &DOUBTFUL)
}

/// Whether a sentence names a property after it says that something is kept.
fn is_named(words: &[String], name: &str) -> bool {
    let keeps = words.iter().position(|own| KEEPS.contains(&own.as_str()));
    let own = names::words(name);
    let rest = keeps.map(|at| &words[at..]).unwrap_or_default();
    let mut places = rest.windows(own.len().max(1)).enumerate();
    // "the plan's price" is not the plan.
    let is_it = |(at, part): (usize, &[String])| {
        let next = rest.get(at + part.len());
        part == own && next.is_none_or(|own| own != "s")
    };
    places.any(is_it)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_of_what_is_deleted() {
        for (text, name, expected) in [
            (
                "Payments made with the card keep their card details.",
                "card",
                true,
            ),
            (
                "Payments already made keep their `customer_id`.",
                "customer_id",
                true,
            ),
            (
                "Payments made with the card keep their card details.",
                "card_id",
                false,
            ),
            ("The card is kept until its payments end", "card", false),
            ("Payments do not keep their card", "card", false),
        ] {
            let words = names::words(text);
            let found = says_of(&words, "payment") && is_named(&words, name);
            assert_eq!(found, expected, "{text}");
        }
    }
}
