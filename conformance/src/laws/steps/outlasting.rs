//! Outlasting: what has to be unique whatever has become of the record that has it is asked for once more.

use openapi_document::Pointer;
use openapi_document::view::Method;

use crate::exchange::Exchange;
use crate::model::{Call, Role, prose};
use crate::value;

use crate::laws::trial::answered::{record_of, succeeded};
use crate::laws::trial::world::World;

/// So many steps are tried at most.
const STEPS: usize = 3;

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
    // `May be used by one link only, whatever the status of that link is`.
    let is_of_one = has(&["one"]) && has(&["only"]) && has(&["used", "use", "have", "has"]);
    (has(&["unique"]) || is_of_one) && has(&WHATEVER) && has(&STATES)
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

/// What made records on which a step without a body was taken since, such as one that deactivates them.
pub(super) async fn ended<'d>(world: &mut World<'_, '_, '_, 'd>, call: &Call<'d>) -> Vec<Exchange> {
    let model = world.model;
    let is_step = |own: &&Call<'d>| {
        let kinds = own.record().zip(call.record());
        let is_of_kind = kinds.is_some_and(|(one, other)| one.is(other));
        let is_plain = own.body.is_none() && own.operation.method == Method::Post;
        own.role == Role::Change && is_of_kind && is_plain
    };
    let mut made = Vec::new();
    for step in model.calls.iter().filter(is_step).take(STEPS) {
        let tag = format!("clashes-ended-by-{}", step.operation.label());
        let Ok(ready) = world.ready(call, &tag).await else {
            continue;
        };
        let Ok(first) = world.call(&ready, &tag).await else {
            continue;
        };
        let Some(record) = record_of(call, &first).filter(|_| world.covers(step)) else {
            continue;
        };
        let Ok(sent) = world.compose_read(step, record, &first.sent, &[]) else {
            continue;
        };
        let done = world.send(sent).await;
        made.extend(succeeded(&done).then_some(first));
    }
    made
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
            (
                "A `reference` may be used by one link only, whatever the status of that link is",
                true,
            ),
            ("One link only, whatever its status.", false),
            ("The `reference` must be unique.", false),
            ("Unique, whatever its letter case.", false),
        ] {
            let words = prose::spoken(text).remove(0);
            assert_eq!(outlasts(&words), expected, "{text}");
        }
    }
}
