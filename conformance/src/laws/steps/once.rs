//! Once: a step that is granted once more does nothing again, and is refused where it is said to be done only once.

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role};
use crate::names;
use crate::prose;

use super::stated::{says_once, texts};
use crate::answered::{record_of, status, succeeded, told};
use crate::scene::Scene;
use crate::scene::compare::tells_of_changes;
use crate::scene::draft::{Claim, Draft};
use crate::scene::ground::Ground;

/// What is said to be done only once, is not done again.
pub(crate) fn only_once<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    second: &Exchange,
    draft: &mut Draft,
) -> Option<()> {
    let words = names::words(&call.about);
    // What makes a record beside the one that it is about is a step, too.
    let last = call.operation.path.rsplit('/').next()?;
    let is_step = call.role == Role::Change || names::words(last) == words;
    let verb = words.last().filter(|_| is_step)?;
    let (node, mut said) = (call.operation.at.node, Vec::new());
    let conflict = node.get("responses").and_then(|own| own.get("409"));
    let conflict = conflict.filter(|own| own.reference().is_none());
    let all = [node.get("summary"), node.get("description"), conflict];
    for own in all.into_iter().flatten() {
        texts(own, &mut said);
    }
    let says = said.iter().find(|own| says_once(own, verb))?;
    if status(second) == Some(202) {
        return None;
    }
    let claim = Claim::new(
        &checks::TRANSITION_FORBIDDEN,
        Ground::Names,
        format!("a refusal, as documented: \"{}\"", says.trim()),
        told(second),
    );
    scene.differ(draft, call, claim, second);
    Some(())
}

/// Whether an operation is said to do nothing more when it is asked for again.
pub(crate) fn says_no_more(call: &Call<'_>) -> bool {
    const NOTHING: [&str; 6] = [
        "no further effect",
        "no effect",
        "no additional effect",
        "does nothing",
        "changes nothing",
        "is idempotent",
    ];
    const AGAIN: [&str; 7] = [
        "twice",
        "again",
        "already",
        "repeated",
        "repeatedly",
        "second",
        "idempotent",
    ];
    let says = |words: &Vec<String>| {
        let text = words.join(" ");
        prose::has(words, &AGAIN) && NOTHING.iter().any(|own| text.contains(own))
    };
    let is_step = call.role == Role::Change && call.body.is_none();
    is_step && call.spoken().iter().any(says)
}

/// A step that is said to do nothing more is granted again, and leaves its record as it was.
pub(crate) fn no_more<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (first, second): (&Exchange, &Exchange),
    draft: &mut Draft,
) {
    let moved = || {
        let (one, other) = (record_of(call, first)?, record_of(call, second)?);
        let mut all = scene.apart(call, one, other).into_iter();
        all.find(|own| {
            let name = own.pointer.segments().last();
            !name.is_some_and(|own| tells_of_changes(&own))
        })
    };
    let claim = if !succeeded(second) {
        Claim::new(
            &checks::REPEAT_REFUSED,
            Ground::Names,
            "the same once more: it is said to do nothing then",
            told(second),
        )
    } else if let Some(own) = moved() {
        Claim::new(
            &checks::TRANSITION_FORBIDDEN,
            Ground::Names,
            format!(
                "{}: it is said to do nothing more",
                scene.shown(call, &own.pointer, Some(&own.one))
            ),
            scene.shown(call, &own.pointer, own.other.as_ref()),
        )
        .at(own.pointer)
    } else {
        return;
    };
    scene.differ(draft, call, claim, second);
}
