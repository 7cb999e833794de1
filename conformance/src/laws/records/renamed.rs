//! Renamed: a number that is sent to a step, and that the documented pair shows to be one of its record under another
//! name, is what that becomes: `amount_to_capture` is the `amount_received`. Nothing more is sent for it.

use std::cmp::Ordering;

use spec::Node;

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role};

use crate::laws::amounts::amount::Amount;
use crate::laws::trial::answered::record_of;
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::world::{Ready, World};

/// A number of fewer units may be the same as another one by chance.
const TELLING: i128 = 100;

/// Looks at the numbers that a step was sent.
pub(super) fn look<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, exchange): (&Ready<'_, 'd>, &Exchange),
    draft: &mut Draft,
) {
    let (Some(sent), Some(record), Some(kind)) = (
        exchange.sent.json.as_ref(),
        record_of(call, exchange).filter(|own| !world.model.is_moving(own)),
        call.record().filter(|_| call.role == Role::Change),
    ) else {
        return;
    };
    let Some((_, before)) = world.made_before(call, ready) else {
        return;
    };
    let shown = world.ways(call).iter().filter_map(|own| own.split());
    let shown: Vec<(&Node, &Node)> = shown
        .filter_map(|(step, _)| {
            let answered = step.expected.example?.at(&kind.at)?;
            Some((step.expected.request_example?, answered))
        })
        .collect();
    for entry in sent.entries() {
        let names = shown
            .iter()
            .filter_map(|own| becomes(&entry.key, own.0, own.1));
        let mut names: Vec<&str> = names.collect();
        names.dedup();
        let ([name], Some(due)) = (&names[..], Amount::read(&entry.value)) else {
            continue;
        };
        let is_nothing = |own: &Node| Amount::read(own).is_some_and(|own| own.units == 0);
        let was_nothing = before.get(name).is_some_and(is_nothing);
        let own = record.get(name).and_then(Amount::read);
        let Some(own) = own.filter(|_| was_nothing) else {
            continue;
        };
        if own.compared(due) != Some(Ordering::Equal) {
            let expected = format!(
                "{}, which was sent as `{}`",
                due.node().to_json(),
                entry.key
            );
            let told = own.node().to_json();
            let claim = Claim::new(&checks::EFFECT_DIFFERS, expected, told).at(kind.at.join(*name));
            world.differ(draft, call, claim, exchange);
        }
    }
}

/// The only property of a documented answer that has the number of a property of the request, under another name.
fn becomes<'e>(sent: &str, request: &Node, answer: &'e Node) -> Option<&'e str> {
    let value = request.get(sent)?;
    let is_telling = Amount::read(value).is_some_and(|own| own.units >= TELLING);
    let is_same = |own: &Node| own.same_value(value);
    let times = request.entries().filter(|own| is_same(&own.value)).count();
    let mut found = answer.entries().filter(|own| is_same(&own.value));
    let only = found.next().filter(|_| found.next().is_none())?;
    let is_told = is_telling && times == 1 && answer.get(sent).is_none();
    is_told.then_some(only.key.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_numbers_become() {
        for (request, answer, expected) in [
            (r#"{"a":8000}"#, r#"{"b":8000,"c":9000}"#, Some("b")),
            (r#"{"a":"80.00"}"#, r#"{"b":"80.00"}"#, Some("b")),
            // Of two, of its own name, by chance, and not at all.
            (r#"{"a":8000}"#, r#"{"b":8000,"c":8000}"#, None),
            (r#"{"a":8000}"#, r#"{"a":0,"b":8000}"#, None),
            (r#"{"a":3}"#, r#"{"b":3}"#, None),
            (r#"{"a":8000,"d":8000}"#, r#"{"b":8000}"#, None),
            (r#"{"a":8000}"#, r#"{"b":9000}"#, None),
        ] {
            let read = |text| spec::json::read_text(text).unwrap();
            let (request, answer) = (read(request), read(answer));
            assert_eq!(becomes("a", &request, &answer), expected);
        }
    }
}
