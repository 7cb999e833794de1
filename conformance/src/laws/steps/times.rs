//! Times: how often a text says that a step can be taken on one record: "a payment can be retried at most three times".

use openapi_document::view::Method;

use crate::exchange::Exchange;
use crate::model::{Call, Role, names, prose};

use super::capacity::number;
use super::refusal::settle;
use crate::laws::trial::answered::succeeded;
use crate::laws::trial::draft::Draft;
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// A number that is higher is not tried.
const MOST: usize = 8;

/// Takes a step as often as it can be, with what leads to it in between, and once more.
pub(crate) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let is_step = call.role == Role::Change && call.operation.method == Method::Post;
    let verb = names::words(&call.about).pop().filter(|_| is_step)?;
    let most = call.spoken().iter().find_map(|own| times(own, &verb))?;
    let ready = world.ready(call, "times").await.ok()?;
    // What led to the state that it leads from leads there again.
    let kept = ready.state.kept.as_deref().unwrap_or_default();
    let leads = |own: &&Exchange| {
        let own = world.model.call(&own.sent.operation);
        let kinds = own.and_then(Call::record).zip(call.record());
        let is_change = own.is_some_and(|own| own.role == Role::Change);
        is_change && kinds.is_some_and(|(one, other)| one.is(other))
    };
    let before = kept.last().filter(leads).map(|own| own.sent.clone());
    for number in 0..=most {
        let tag = format!("times-{number}");
        let mut exchange = world.call(&ready, &tag).await.ok()?;
        if let (Some(before), false) = (before.clone(), succeeded(&exchange)) {
            let led = world.send(before).await;
            succeeded(&led).then_some(())?;
            exchange = world.call(&ready, &format!("{tag}-led")).await.ok()?;
        }
        if number == most {
            let expected = format!("a refusal: it is said to be done {most} times at most");
            settle(
                world,
                call,
                (Ground::Refusal(409), expected),
                &exchange,
                draft,
            );
        } else {
            succeeded(&exchange).then_some(())?;
        }
    }
    Some(())
}

/// How often a sentence says that something can be done: `can be retried at most three times`.
fn times(words: &[String], verb: &str) -> Option<usize> {
    const SOMETIMES: [&str; 12] = [
        "if",
        "unless",
        "per",
        "minute",
        "hour",
        "day",
        "week",
        "month",
        "we",
        "automatically",
        "may",
        "recommended",
    ];
    const UP_TO: [&[&str]; 4] = [
        &["up", "to"],
        &["at", "most"],
        &["more", "than"],
        &["maximum", "of"],
    ];
    let at = words
        .iter()
        .position(|own| own == "times")?
        .checked_sub(1)?;
    let most = number(&words[at]).filter(|own| (1..=MOST).contains(own))?;
    let before = &words[..at];
    let is_most = UP_TO
        .iter()
        .any(|own| before.len() >= 2 && before[before.len() - 2..].iter().eq(own.iter()));
    let is_done = before.iter().any(|own| names::is_done(own, verb));
    let may = prose::has(before, &["can", "cannot"]);
    let is_more = prose::has(before, &["more"]) && !prose::has(before, &["no", "not", "cannot"]);
    (is_most && is_done && may && !is_more && !prose::has(words, &SOMETIMES)).then_some(most)
}

#[cfg(test)]
mod tests {
    use super::times;
    use crate::model::names;

    #[test]
    fn how_often_a_step_can_be_taken() {
        for (text, expected) in [
            ("A payment can be retried at most three times", Some(3)),
            ("A payment cannot be retried more than 2 times", Some(2)),
            ("It is retried up to 5 times per day", None),
            ("We have retried it up to 3 times", None),
            ("It can be captured at most three times", None),
            (
                "It is retried at most three times before it is given up",
                None,
            ),
            ("It can be retried three times", None),
        ] {
            assert_eq!(times(&names::words(text), "retry"), expected, "{text}");
        }
    }
}
