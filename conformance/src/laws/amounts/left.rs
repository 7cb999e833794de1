//! Left: what a request with a value is said to leave of the record that it takes from: "a capture with `final: true` is the
//! last one: `payment.capturable` becomes 0".

use spec::{Pointer, Value};

use crate::checks;
use crate::model::{Call, prose};
use crate::shape::Shape;
use crate::value;

use super::amount::{self, Amount};
use super::lifted;
use super::taking::{differ, source, take, taking};
use crate::laws::trial::answered::{status, succeeded};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::world::World;

/// What a sentence says: with which value, and what becomes how much.
#[derive(Debug, PartialEq, Eq)]
struct Rest<'s> {
    name: &'s str,
    value: &'s str,
    of: &'s str,
    units: i128,
}

/// Takes a little with each such value.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let shape = Shape::of(world.model.document, call.body.as_ref());
    let names = shape.property_names();
    let said = call.texts().flat_map(prose::sentences).filter_map(rest);
    let said: Vec<Rest<'d>> = said.filter(|own| names.contains(&own.name)).collect();
    for (index, rest) in said.iter().enumerate() {
        let tag = format!("sums-left-{index}");
        let ready = world.ready(call, &tag).await.ok()?;
        let taking = taking(world, call, &ready).await?;
        let mut sent = world.compose(&ready, &tag).ok()?;
        let mut json = sent.json.clone()?;
        let part = taking.whole.with(taking.whole.units / 3 + 1);
        amount::put(&mut json, taking.property, part).ok()?;
        let own = match rest.value {
            "true" => value::node(Value::Bool(true)),
            "false" => value::node(Value::Bool(false)),
            text => value::string(text),
        };
        value::put(&mut json, &Pointer::root().join(rest.name), own).ok()?;
        world.put_valid(call, (&mut sent, &ready.call), json)?;
        let taken = world.send(sent).await;
        if !succeeded(&taken) || status(&taken) == Some(202) {
            continue;
        }
        let after = source(world, &taking).await?;
        let now = Amount::read(after.get(rest.of)?)?;
        if now.units != rest.units && !world.model.is_moving(&after) {
            let at = lifted::at(rest.of);
            let expected = format!(
                "{} with `{}: {}`, as is said",
                rest.units, rest.name, rest.value
            );
            let told = world.shown(taking.maker, &at, after.get(rest.of));
            let claim = Claim::new(&checks::SUM_DIFFERS, expected, told).at(at);
            world.differ(draft, call, claim, &taken);
        } else if rest.units == 0 {
            // Of nothing that is left nothing more is taken.
            let part = (taking.whole.with(1), "more");
            let more = take(world, &ready, &taking, part).await.ok()?;
            if succeeded(&more) {
                let what = format!("more after `{}: {}`", rest.name, rest.value);
                differ(world, call, &taking, (what, draft), &more);
            }
        }
    }
    Some(())
}

/// What a sentence says that marks a property with its value, and another one that becomes a number.
fn rest(sentence: &str) -> Option<Rest<'_>> {
    let parts: Vec<&str> = sentence.split('`').collect();
    let mut marked = (1..parts.len()).step_by(2);
    let (at, name, value) = marked.find_map(|at| {
        let (name, value) = parts[at].split_once(": ")?;
        let is_with = parts[at - 1].trim_end().ends_with("with");
        is_with.then_some((at, name, value))
    })?;
    let (of, units) = marked.filter(|own| *own > at).find_map(|at| {
        let rest = parts.get(at + 1)?.trim_start();
        let number = rest
            .strip_prefix("becomes ")
            .or_else(|| rest.strip_prefix("is "))?;
        let number = number.split(|own: char| !own.is_ascii_digit()).next()?;
        Some((parts[at], number.parse().ok()?))
    })?;
    Some(Rest {
        name,
        value,
        of,
        units,
    })
}

/// Whether an operation says such a thing.
pub(super) fn is_said(call: &Call<'_>) -> bool {
    let mut said = call.texts().flat_map(prose::sentences);
    said.any(|own| rest(own).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_with_a_value() {
        let text = "A capture with `final: true` is the last one: what is left is released, and `payment.capturable` becomes 0";
        let found = rest(text).map(|own| (own.name, own.value, own.of, own.units));
        assert_eq!(found, Some(("final", "true", "payment.capturable", 0)));
        for text in [
            "A capture with `final: true` is the last one",
            "`payment.capturable` becomes 0",
            "Without `final: true`, `payment.capturable` becomes less",
        ] {
            assert_eq!(rest(text), None, "{text}");
        }
    }
}
