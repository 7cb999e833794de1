//! Trimmed: what a text says to be kept without the spaces around it is, where it was sent with some.

use openapi_document::Pointer;

use crate::checks;
use crate::model::{Call, prose};
use crate::value;

use super::casing::said_of;
use crate::laws::trial::answered::{record_of, succeeded};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// Sends each of them with spaces around it.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> bool {
    let mut tried = false;
    for name in said_of(world, call, says_trimmed) {
        tried |= is_trimmed(world, call, name, draft).await.is_some();
    }
    tried
}

async fn is_trimmed<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    name: &str,
    draft: &mut Draft,
) -> Option<()> {
    let tag = format!("trimmed-{name}");
    let ready = world.ready(call, &tag).await.ok()?;
    let mut sent = world.compose(&ready, &tag).ok()?;
    let mut json = sent.json.clone()?;
    let plain = json.get(name)?.as_str()?.trim().to_owned();
    let spaced = value::string(&format!("  {plain} "));
    value::put(&mut json, &Pointer::root().join(name), spaced).ok()?;
    world.put_valid(call, (&mut sent, &ready.call), json)?;
    let exchange = world.send(sent).await;
    let shown = record_of(call, &exchange).filter(|_| succeeded(&exchange))?;
    let came = shown.get(name)?.as_str()?;
    if came != plain && came.trim() == plain {
        let expected = format!("{plain:?}: the spaces around it are said to be removed");
        let at = call.record()?.at.join(name);
        let claim = Claim::new(
            &checks::EFFECT_DIFFERS,
            Ground::Text,
            expected,
            format!("{came:?}"),
        )
        .at(at);
        world.differ(draft, call, claim, &exchange);
    }
    Some(())
}

/// Whether a sentence says that spaces around a text are not kept.
fn says_trimmed(words: &[String]) -> bool {
    const SPACES: [&str; 5] = ["space", "spaces", "whitespace", "blank", "blanks"];
    const AROUND: [&str; 7] = [
        "around",
        "surrounding",
        "leading",
        "trailing",
        "beginning",
        "start",
        "end",
    ];
    const GONE: [&str; 6] = [
        "removed",
        "stripped",
        "trimmed",
        "dropped",
        "cut",
        "discarded",
    ];
    const OPEN: [&str; 13] = [
        "not",
        "must",
        "may",
        "if",
        "unless",
        "never",
        "within",
        "before",
        "when",
        "comparing",
        "compared",
        "matching",
        "search",
    ];
    let is_around = prose::has(words, &SPACES) && prose::has(words, &AROUND);
    is_around && prose::has(words, &GONE) && !prose::has(words, &OPEN)
}

#[cfg(test)]
mod tests {
    use super::says_trimmed;
    use crate::model::names;

    #[test]
    fn what_is_said_of_spaces() {
        for (text, expected) in [
            ("Spaces at the beginning and the end are removed", true),
            ("Leading and trailing whitespace is trimmed", true),
            ("Spaces around it are not removed", false),
            ("It must have no spaces at the end", false),
            ("Spaces within it are removed up to the end", false),
        ] {
            assert_eq!(says_trimmed(&names::words(text)), expected, "{text}");
        }
    }
}
