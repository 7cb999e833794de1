//! Verbatim: a text that is said to be kept as it was sent has the blanks at its ends that it was sent with; one that is said to be
//! trimmed has none.

use openapi_document::{Node, Pointer, Value};

use crate::checks;
use crate::model::{Call, names, prose};
use crate::shape::Shape;
use crate::value;

use crate::laws::trial::answered::{record_of, succeeded};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// Sends free texts with blanks at both ends, where a text says that they are not trimmed.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let texts = call.overall.into_iter().chain(call.texts());
    let said: Vec<Vec<String>> = texts.flat_map(prose::spoken).collect();
    let is_kept = said.iter().any(|own| says_verbatim(own));
    let document = world.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let description = |name: &str| {
        let own = shape.property(document, name).keyword("description");
        own.and_then(Node::as_str)
    };
    let is_trimmed = |name: &str| {
        let own = description(name).into_iter().flat_map(prose::spoken);
        let mut all = said.iter().filter(|own| prose::speaks_of(own, name));
        own.into_iter().any(|own| says_trimmed(&own)) || all.any(|own| says_trimmed(own))
    };
    let mut names = shape.property_names().into_iter();
    (is_kept || names.any(is_trimmed)).then_some(())?;
    let ready = world.ready(call, "verbatim").await.ok()?;
    let mut sent = world.compose(&ready, "verbatim").ok()?;
    let body = sent.json.clone()?;
    let mut asked: Vec<(&str, Node)> = Vec::new();
    for entry in body.entries() {
        let Value::String(text) = &entry.value.value else {
            continue;
        };
        let own = shape.property(document, &entry.key);
        let is_free = own.keyword("pattern").is_none() && own.format().is_none();
        let is_key = names::subject(&entry.key).is_some() || !own.known_values().is_empty();
        let is_trimmed = is_trimmed(&entry.key);
        if !is_free || is_key || !(is_kept || is_trimmed) {
            continue;
        }
        let other = value::string(&format!(" {text}  "));
        let mut json = sent.json.clone()?;
        value::put(&mut json, &Pointer::root().join(&*entry.key), other.clone()).ok()?;
        if world
            .put_valid(call, (&mut sent, &ready.call), json)
            .is_some()
        {
            let due = if is_trimmed {
                entry.value.clone()
            } else {
                other
            };
            asked.push((&entry.key, due));
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
        let how = if is_padded(&due) {
            "as it was sent"
        } else {
            "without the blanks around it"
        };
        let expected = format!("{}, {how}", world.shown(call, &at, Some(&due)));
        let told = world.shown(call, &at, Some(told));
        let claim = Claim::new(&checks::ECHO, Ground::Text, expected, told).at(at);
        world.differ(draft, call, claim, &made);
    }
    Some(())
}

fn is_padded(text: &Node) -> bool {
    text.as_str().is_some_and(|own| own.trim() != own)
}

/// Whether a sentence says that blanks around a text are taken away: `white space around it is removed`, `trimmed`.
fn says_trimmed(sentence: &[String]) -> bool {
    let is_blank = prose::has(sentence, &["whitespace", "blanks", "spaces"])
        || sentence
            .windows(2)
            .any(|own| own[0] == "white" && own[1] == "space");
    let is_around = prose::has(sentence, &["around", "leading", "trailing", "surrounding"])
        || (prose::has(sentence, &["beginning", "start", "both"])
            && prose::has(sentence, &["end", "ends"]));
    let is_gone = prose::has(sentence, &["removed", "stripped", "dropped", "trimmed"]);
    let is_trimmed = prose::has(sentence, &["trimmed"]) || (is_blank && is_around && is_gone);
    is_trimmed && !prose::has(sentence, &["not", "never", "neither", "no", "may"])
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
    fn texts_that_are_trimmed() {
        for (text, expected) in [
            ("White space around it is removed", true),
            (
                "Blanks at the beginning and the end are removed before anything else",
                true,
            ),
            ("Leading and trailing spaces are stripped", true),
            ("Names are trimmed before they are stored", true),
            ("Names are not trimmed", false),
            ("Spaces are removed from the number", false),
        ] {
            assert_eq!(says_trimmed(&names::words(text)), expected, "{text}");
        }
    }

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
