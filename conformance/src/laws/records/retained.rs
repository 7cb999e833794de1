//! Retained: what a text says that a record keeps in a step it does, where there is something to keep: "a void invoice keeps its
//! number".

use openapi_document::Pointer;

use crate::checks;
use crate::model::{Call, Role, names, prose};
use crate::shape::Shape;

use crate::laws::trial::answered::{own_key, record_of, succeeded};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// So many ways are tried to a record that has it.
const WAYS: usize = 6;

/// Takes a step on a record that has what it is said to keep.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let kind = call.record().filter(|_| call.role == Role::Change)?;
    let record = Shape::of(world.model.document, Some(&kind.schema));
    let spoken = call.spoken();
    let mut names = record.property_names().into_iter();
    let noun = names::words(&kind.name).pop()?;
    let name = names.find(|name| spoken.iter().any(|own| keeps_its(own, &noun, name)))?;
    let pointer = Pointer::root().join(name);
    for (index, way) in world.ways(call).into_iter().enumerate().take(WAYS) {
        let tag = format!("retained-{index}");
        let Ok(ready) = world.prepare(way, &tag).await else {
            continue;
        };
        let before = world.made_before(call, &ready).map(|own| own.1.clone());
        let Some(before) = before.filter(|own| own.get(name).is_some_and(|own| !own.is_null()))
        else {
            continue;
        };
        let done = world.call(&ready, &tag).await.ok()?;
        let Some(after) = record_of(call, &done).filter(|_| succeeded(&done)) else {
            continue;
        };
        let key = own_key(call)?;
        let is_same = before.get(key).zip(after.get(key));
        is_same.filter(|(one, other)| one.same_value(other))?;
        let (was, now) = (before.get(name)?, after.get(name));
        if !now.is_some_and(|now| now.same_value(was)) {
            let claim = Claim::new(
                &checks::PATCH_CHANGED_MORE,
                Ground::Text,
                format!(
                    "{}, which it is said to keep",
                    world.shown(call, &pointer, Some(was))
                ),
                world.shown(call, &pointer, now),
            )
            .at(pointer);
            world.differ(draft, call, claim, &done);
        }
        return Some(());
    }
    None
}

/// Whether a sentence says that a kind of record keeps a property: `a void invoice keeps its number`.
fn keeps_its(words: &[String], noun: &str, name: &str) -> bool {
    const DOUBTFUL: [&str; 6] = ["not", "never", "unless", "if", "may", "until"];
    let own = names::words(name);
    let is_said = words.windows(own.len() + 3).any(|part| {
        let is_it = names::singular(&part[0]) == noun;
        let keeps = matches!(part[1].as_str(), "keeps" | "keep" | "retains" | "retain");
        is_it && keeps && matches!(part[2].as_str(), "its" | "their") && part[3..] == own[..]
    });
    is_said && !prose::has(words, &DOUBTFUL)
}

#[cfg(test)]
mod tests {
    use super::keeps_its;
    use crate::model::names;

    #[test]
    fn what_is_kept() {
        for (text, expected) in [
            ("A void invoice keeps its number.", true),
            ("It does not keep its number", false),
            ("Its payments keep their number", false),
        ] {
            let words = names::words(text);
            assert_eq!(keeps_its(&words, "invoice", "number"), expected, "{text}");
        }
    }
}
