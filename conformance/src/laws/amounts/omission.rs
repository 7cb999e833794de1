//! An amount that a request leaves out is all that there is, where the text says so.

use openapi_document::Node;

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, prose};
use crate::shape::Shape;
use crate::value;

use super::amount::Amount;
use super::lifted;
use super::parts::counted;
use super::sums::is_of_others;
use super::taking::{shown, source, take, taking};
use crate::laws::trial::answered::{record_of, status, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// Takes from a record without saying how much: all of it, and what is left of it after a part.
pub(crate) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    all_of_it(world, call, false, draft).await?;
    if draft.is_clean() {
        all_of_it(world, call, true, draft).await;
    }
    Some(())
}

async fn all_of_it<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    is_rest: bool,
    draft: &mut Draft,
) -> Option<()> {
    let tag = if is_rest { "omission-rest" } else { "omission" };
    let ready = world.ready(call, &format!("sums-{tag}")).await.ok()?;
    let taking = taking(world, call, &ready).await?;
    let name = taking.property;
    let mut sent = world.compose(&ready, tag).ok()?;
    let mut json = sent.json.clone()?;
    let shape = Shape::of(world.model.document, call.body.as_ref());
    let of_property = shape.property(world.model.document, name);
    let of_property = of_property.keyword("description").and_then(Node::as_str);
    let mut texts = call.texts().chain(of_property);
    if !texts.any(says_all) || shape.requires(name) {
        return None;
    }
    value::remove(&mut json, name);
    let found = world
        .contract()
        .validate_request(call.body.as_ref()?, &json)
        .ok()?;
    found.is_empty().then_some(())?;
    let mut rest = taking.whole;
    if is_rest {
        let part = rest.with(rest.units / 4 + 1);
        let before = take(world, &ready, &taking, (part, "omission-part"))
            .await
            .ok()?;
        succeeded(&before).then_some(())?;
        rest = rest.plus(part.with(-part.units))?;
    }
    world.put_json(&mut sent, &ready.call, json);
    let taken = world.send(sent).await;
    if matches!(status(&taken), Some(400 | 409 | 422)) {
        return is_granted_as_said(world, call, (is_rest, &taken), draft).await;
    }
    let made = record_of(call, &taken).filter(|_| succeeded(&taken));
    if status(&taken) == Some(202) || made.is_none_or(|own| world.model.is_moving(own)) {
        return None;
    }
    let after = source(world, &taking)
        .await
        .filter(|own| !world.model.is_moving(own))?;
    let counts = |own: &&str| !is_of_others(world, (taking.maker, own), (call, made));
    let of_source = counted(&after, call.operation.path).filter(counts);
    let of_source = of_source.map(|own| (own, &after));
    let kinds = call.record().zip(taking.maker.record());
    let is_other = kinds.is_none_or(|(one, other)| !one.is(other));
    let of_child = made
        .filter(|own| is_other && own.get(name).is_some())
        .map(|own| (name, own));
    let is_child = of_source.is_none();
    let (name, record) = of_source.or(of_child)?;
    let now = Amount::read(record.get(name)?)?;
    let due = if is_child { rest } else { taking.whole };
    if now.compared(due)?.is_ne() {
        let teller = if is_child { call } else { taking.maker };
        let of = (name, record, due);
        differ(world, (call, teller), of, (&taken, draft));
    }
    Some(())
}

/// What is refused without an amount, and granted to a record that stands the same with the amount it would be.
async fn is_granted_as_said<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (is_rest, refused): (bool, &Exchange),
    draft: &mut Draft,
) -> Option<()> {
    let tag = format!("sums-omission-said-{is_rest}");
    let ready = world.ready(call, &tag).await.ok()?;
    let taking = taking(world, call, &ready).await?;
    let mut rest = taking.whole;
    if is_rest {
        let part = rest.with(rest.units / 4 + 1);
        let before = take(world, &ready, &taking, (part, "said-part"))
            .await
            .ok()?;
        succeeded(&before).then_some(())?;
        rest = rest.plus(part.with(-part.units))?;
    }
    let said = take(world, &ready, &taking, (rest, "said")).await.ok()?;
    if succeeded(&said) {
        let expected = format!(
            "a success, as with `{}` {}: that is what is meant where it is left out",
            taking.property,
            shown(rest)
        );
        let claim = Claim::new(&checks::SUM_DIFFERS, Ground::Text, expected, told(refused));
        world.differ(draft, call, claim, refused);
    }
    Some(())
}

fn differ<'d>(
    world: &World<'_, '_, '_, 'd>,
    (call, teller): (&Call<'d>, &Call<'d>),
    (name, record, due): (&str, &Node, Amount),
    (taken, draft): (&Exchange, &mut Draft),
) {
    let pointer = lifted::at(name);
    let claim = Claim::new(
        &checks::SUM_DIFFERS,
        Ground::Text,
        format!(
            "{}: all is taken where the request leaves out how much",
            shown(due)
        ),
        world.shown(teller, &pointer, record.get(name)),
    )
    .at(pointer);
    world.differ(draft, call, claim, taken);
}

/// Whether a text says that all is taken where nothing else is said.
fn says_all(text: &str) -> bool {
    const ALL: [&str; 7] = [
        "all",
        "full",
        "whole",
        "entire",
        "everything",
        "remaining",
        "total",
    ];
    const NONE: [&str; 10] = [
        "omitted", "omit", "missing", "absent", "without", "no", "unless", "default", "defaults",
        "left",
    ];
    const REST: [&str; 4] = ["has not been", "what is left", "the rest", "what remains"];
    prose::spoken(text).iter().any(|words| {
        let has = |list: &[&str]| prose::has(words, list);
        let is_refused = has(&["refused", "rejected", "invalid", "error"]);
        let joined = words.join(" ");
        let is_rest = REST.iter().any(|own| joined.contains(own));
        (has(&ALL) || is_rest) && has(&NONE) && !is_refused
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_say_that_all_is_taken() {
        for (text, expected) in [
            ("All of it where no amount is given.", true),
            ("Defaults to the remaining amount", true),
            (
                "The amount to refund. If omitted, the full amount is refunded.",
                true,
            ),
            ("Left out, the whole authorized amount is captured.", true),
            ("Without `amount`, what has not been refunded yet is.", true),
            ("Takes all of the amount", false),
            (
                "Refused where the whole amount is left out; no default",
                false,
            ),
            ("No more than the amount", false),
        ] {
            assert_eq!(says_all(text), expected, "{text}");
        }
    }
}
