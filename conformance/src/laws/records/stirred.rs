//! Stirred: what is made under a record, and changes it, moves the time at which that was changed, where a text says so.

use openapi_document::Node;

use crate::exchange::Exchange;
use crate::model::{Call, names, prose};
use crate::shape::Shape;

use super::freshness::{older, times};
use crate::laws::trial::answered::record_of;
use crate::laws::trial::compare::tells_of_changes;
use crate::laws::trial::draft::Draft;
use crate::laws::trial::world::{Ready, World};

/// The record under which another one is made, as it is read.
pub(super) async fn owner<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
) -> Option<Node> {
    let (maker, record) = world.made_before(call, ready)?;
    let (record, with) = (record.clone(), world.compose(ready, "owner").ok()?);
    let reader = world.readers_for(maker, &record, &with).first().copied()?;
    let read = world.read(reader, &record, &with).await.ok()?;
    let is_still = |own: &&Node| !world.model.is_moving(own);
    let own = record_of(reader, &read).filter(is_still)?;
    (!times(own, tells_of_changes).is_empty()).then(|| own.clone())
}

/// What changes the record that it is made under moves the time at which that was changed, where the text of the time
/// names it.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, before, made): (&Ready<'_, 'd>, &Node, &Exchange),
    draft: &mut Draft,
) -> Option<()> {
    let (maker, _) = world.made_before(call, ready)?;
    let readers = world.readers_for(maker, before, &made.sent);
    let reader = readers.first().copied()?;
    let read = world.read(reader, before, &made.sent).await.ok()?;
    let after = record_of(reader, &read)?;
    if world.apart(reader, before, after).is_empty() || world.model.is_moving(after) {
        return None;
    }
    let document = world.model.document;
    let shape = Shape::of(document, reader.record().map(|own| &own.schema));
    for name in times(before, tells_of_changes) {
        let text = shape.property(document, &name);
        let text = text.keyword("description").and_then(Node::as_str);
        let mut said = call.spoken().into_iter();
        let is_said = said.any(|own| says_moved(&own, (&name, &call.about)));
        if is_said || text.is_some_and(|own| says_stirred(own, &call.about)) {
            older(world, call, (&name, before, after), made, draft);
        }
    }
    Some(())
}

/// Whether a text says of the time of the last change that what is made moves it, too: `changed by a capture or a refund`.
fn says_stirred(text: &str, about: &str) -> bool {
    let own = about.rsplit(' ').next().unwrap_or_default();
    let mut said = prose::spoken(text).into_iter();
    said.any(|words| {
        let is_named = words.iter().any(|word| names::singular(word) == own);
        is_named
            && prose::has(
                &words,
                &["change", "changed", "changes", "updated", "modified"],
            )
            && !prose::has(&words, &["not", "never", "without", "except"])
    })
}

/// Whether a sentence of what is made says that it moves a time of something else: `amount_refunded of the payment grows and its
/// updated_at is the time of the refund`.
fn says_moved(words: &[String], (name, about): (&str, &str)) -> bool {
    let own = names::words(name);
    let made = about.rsplit(' ').next().unwrap_or_default();
    let at = words.windows(own.len()).position(|part| part == own);
    let rest = at.map(|at| &words[at + own.len()..]).unwrap_or_default();
    let is_its = at.is_some_and(|at| at > 0 && words[at - 1] == "its");
    let is_time = rest.windows(4).any(|part| {
        let [time, of, the, what] = part else {
            return false;
        };
        time == "time" && of == "of" && the == "the" && names::singular(what) == made
    });
    is_its && is_time && !prose::has(words, &["not", "never", "unless", "if"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_that_what_is_made_moves() {
        for (text, expected) in [
            (
                "When the payment last changed (capture, void, refund or settlement).",
                true,
            ),
            ("Changed by each of its refunds", true),
            ("When the payment last changed.", false),
            ("Not changed by a refund", false),
            ("When the last refund was made", false),
        ] {
            assert_eq!(says_stirred(text, "refund"), expected, "{text}");
        }
    }

    #[test]
    fn what_is_made_says_what_it_moves() {
        for (text, expected) in [
            (
                "`amount_refunded` of the payment grows by the amount and its `updated_at` is the time of the refund",
                true,
            ),
            ("`updated_at` is the time of the refund", false),
            ("The payment keeps its `updated_at`", false),
        ] {
            let words = names::words(text);
            assert_eq!(
                says_moved(&words, ("updated_at", "refund")),
                expected,
                "{text}"
            );
        }
    }
}
