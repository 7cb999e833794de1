//! Verbatim: a text that is said to be kept as it was sent has the blanks at its ends that it was sent with.

use spec::{Node, Pointer, Value};

use crate::checks;
use crate::model::{Call, names, prose};
use crate::shape::Shape;
use crate::value;

use crate::laws::trial::answered::{record_of, succeeded};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::world::World;

/// Sends free texts with blanks at both ends, where a text says that they are not trimmed.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let texts = call.overall.into_iter().chain(call.texts());
    let mut said = texts.flat_map(prose::spoken);
    said.any(|own| says_verbatim(&own)).then_some(())?;
    let ready = world.ready(call, "verbatim").await.ok()?;
    let mut sent = world.compose(&ready, "verbatim").ok()?;
    let document = world.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let body = sent.json.clone()?;
    let mut asked: Vec<(&str, Node)> = Vec::new();
    for entry in body.entries() {
        let Value::String(text) = &entry.value.value else {
            continue;
        };
        let own = shape.property(document, &entry.key);
        let is_free = own.keyword("pattern").is_none() && own.format().is_none();
        let is_key = names::subject(&entry.key).is_some() || !own.known_values().is_empty();
        if !is_free || is_key {
            continue;
        }
        let other = value::string(&format!(" {text}  "));
        let mut json = sent.json.clone()?;
        value::put(&mut json, &Pointer::root().join(&*entry.key), other.clone()).ok()?;
        if world
            .put_valid(call, (&mut sent, &ready.call), json)
            .is_some()
        {
            asked.push((&entry.key, other));
        }
    }
    let first = asked.first()?;
    let made = world.send(sent).await;
    let record = record_of(call, &made).filter(|_| succeeded(&made))?;
    record.get(first.0)?;
    for (name, due) in asked {
        let Some(told) = record.get(name).filter(|own| !own.same_value(&due)) else {
            continue;
        };
        let at = Pointer::root().join(name);
        let expected = format!("{}, as it was sent", world.shown(call, &at, Some(&due)));
        let told = world.shown(call, &at, Some(told));
        let claim = Claim::new(&checks::ECHO, expected, told).at(at);
        world.differ(draft, call, claim, &made);
    }
    Some(())
}

/// Whether a sentence says that texts are kept as they were sent.
fn says_verbatim(sentence: &[String]) -> bool {
    let joined = sentence.join(" ");
    let is_trimmed = prose::has(sentence, &["trimmed", "trim"])
        && !prose::has(sentence, &["not", "never", "neither"]);
    let is_kept = prose::has(sentence, &["text", "texts", "strings"])
        && prose::has(sentence, &["stored", "kept", "returned"])
        && (joined.contains("exactly as") || joined.contains("as sent"));
    let is_whole = prose::has(sentence, &["trimmed"]) && !is_trimmed;
    (is_kept || is_whole) && !is_trimmed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_kept_as_they_are() {
        for (text, expected) in [
            (
                "Text is stored exactly as sent: it is neither trimmed nor changed",
                true,
            ),
            ("Names are not trimmed", true),
            ("Texts are trimmed before they are stored", false),
            ("The answer is stored exactly as sent", false),
        ] {
            assert_eq!(says_verbatim(&names::words(text)), expected, "{text}");
        }
    }
}
