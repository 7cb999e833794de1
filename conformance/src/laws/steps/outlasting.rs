//! Outlasting: what has to be unique whatever has become of the record that has it is asked for once more.

use spec::Pointer;

use crate::exchange::Exchange;
use crate::model::{Call, prose};
use crate::value;

use crate::laws::trial::world::World;

/// Whether a sentence says that what has to be unique is, whatever has become of the record that has it.
pub(super) fn outlasts(sentence: &[String]) -> bool {
    const WHATEVER: [&str; 4] = ["whatever", "regardless", "irrespective", "even"];
    const STATES: [&str; 9] = [
        "became",
        "become",
        "becomes",
        "status",
        "state",
        "outcome",
        "happens",
        "failed",
        "cancelled",
    ];
    let has = |words: &[&str]| prose::has(sentence, words);
    has(&["unique"]) && has(&WHATEVER) && has(&STATES)
}

/// Asks for another record with what one has that has to be unique, of the same owner where it is so among those alone.
pub(super) async fn again<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (other, property, owner): (&Exchange, &str, Option<&str>),
    tag: &str,
) -> Result<Option<Exchange>, String> {
    let theirs = other.sent.json.as_ref();
    let Some(own) = theirs.and_then(|own| own.get(property)) else {
        return Ok(None);
    };
    let ready = world.ready(call, tag).await?;
    let mut sent = world.compose(&ready, "second")?;
    let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
    value::put(&mut json, &Pointer::root().join(property), own.clone())?;
    if let Some(owner) = owner {
        // One that the path names is another one each time.
        let Some(same) = theirs.and_then(|own| own.get(owner)) else {
            return Ok(None);
        };
        value::put(&mut json, &Pointer::root().join(owner), same.clone())?;
    }
    world.put_json(&mut sent, &ready.call, json);
    Ok(Some(world.send(sent).await))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unique_whatever_becomes_of_it() {
        for (text, expected) in [
            (
                "The `reference` must be unique among the payments, whatever became of them.",
                true,
            ),
            ("The `reference` must be unique.", false),
            ("Unique, whatever its letter case.", false),
        ] {
            let words = prose::spoken(text).remove(0);
            assert_eq!(outlasts(&words), expected, "{text}");
        }
    }
}
